"""The best table first: data before covers, indexes and notes, what is visible before the hidden.

Among tables that look like data the order of the file is kept: its author put the first one first.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from crawler.readers.cell_types import VALUES, type_of
from crawler.readers.content import Table

if TYPE_CHECKING:
    import pandas as pd

_ABOUT = re.compile(
    r"(?:^|[\W_])(?:index|contents?|toc|cover|title ?page|front|home|start|intro\w*"
    r"|notes?|footnotes?|read ?me|meta|metadata|meta_?data\w*|information|info|about|properties"
    r"|definitions?|glossary|legend|description|descriptions|documentation|doc|methodology|method"
    r"|explanat\w*|sources?|contact|version|change ?log|revisions?|dictionary|code ?book|codes?"
    r"|labels?|lookups?|variables"
    r"|inhalt\w*|deckblatt|titelseite|hinweise?|erläuterung\w*|impressum|vorbemerkung\w*"
    r"|sommaire|lisez ?moi|couverture|avertissement|documentation|définitions?|présentation"
    r"|índice|indice|portada|notas?|metadatos|metadati|inhoud|toelichting|目次|注釈|説明)"
    r"(?:$|[\W_\d])",
    re.IGNORECASE,
)
_MAX_INDEX_ROWS = 500
_FEW_ROWS = 3
_SAMPLE = 60
_SHARE_OF_INDEX = 0.5


def ranked(tables: Sequence[Table], names: Sequence[str] = (), *, raw: bool = False) -> list[Table]:
    """Tables of one file, the best first; those that are about the others are set aside.

    `names` are those of all sheets or members, by which an index of them is known; `raw` says that
    all values are texts.
    """
    if len(tables) < 2:
        return list(tables)
    about = [_is_about(table, names or [one.name for one in tables]) for table in tables]
    figures = [has_figures(table, raw=raw) for table in tables]
    has_data = any(
        has and not is_about and not table.hidden
        for table, has, is_about in zip(tables, figures, about, strict=True)
    )
    marked: list[tuple[int, int, Table]] = []
    for place, table in enumerate(tables):
        beside = has_data and (about[place] or not figures[place])
        tier = 3 if table.hidden else 2 if beside else 0
        if tier == 0 and _is_scrap(table, tables):
            tier = 1
        is_aside = tier > 1 and any(not other.hidden for other in tables)
        marked.append((tier, place, replace(table, aside=is_aside)))
    return [table for _, _, table in sorted(marked, key=lambda one: one[:2])]


def is_about_name(name: str) -> bool:
    """Whether a sheet or a file is called as those are that explain the others."""
    last = name.rpartition("/")[2].rpartition("!")[2]
    return _ABOUT.search(last.rpartition(".")[0] or last) is not None


def has_figures(table: Table, *, raw: bool = False) -> bool:
    """Whether any column holds numbers or dates."""
    import pandas as pd

    frame = table.frame
    if raw:
        return any(_reads_as_figures(frame.iloc[:, place]) for place in range(frame.shape[1]))
    for place in range(frame.shape[1]):
        dtype = frame.dtypes.iloc[place]
        is_date = pd.api.types.is_datetime64_any_dtype(dtype)
        if is_date or isinstance(dtype, pd.PeriodDtype):
            return True
        if pd.api.types.is_bool_dtype(dtype) or not pd.api.types.is_numeric_dtype(dtype):
            continue
        if frame.iloc[:, place].notna().any():
            return True
    return False


def _reads_as_figures(column: "pd.Series[Any]") -> bool:
    texts = column.iloc[:_SAMPLE].dropna().tolist()
    values = sum(type_of(text) in VALUES for text in texts)
    return bool(texts) and values >= 0.5 * len(texts)


def _is_about(table: Table, names: Sequence[str]) -> bool:
    if is_about_name(table.name):
        return True
    return len(names) > 2 and table.rows <= _MAX_INDEX_ROWS and _lists(table.frame, names)


def _lists(frame: "pd.DataFrame", names: Sequence[str]) -> bool:
    """Whether the cells of a table are the names of the other sheets."""
    others = {name.strip().lower() for name in names if len(name.strip()) > 1}
    for place in range(min(frame.shape[1], 10)):
        cells = {_key(cell) for cell in frame.iloc[:, place].tolist()}
        if len(cells & others) >= max(2, _SHARE_OF_INDEX * len(others)):
            return True
    return False


def _key(cell: Any) -> str:
    return str(cell).strip().strip("'!").lower()


def _is_scrap(table: Table, tables: Sequence[Table]) -> bool:
    """A line or two on a sheet of their own, beside real tables."""
    if table.rows >= _FEW_ROWS:
        return False
    return any(other.rows >= 5 * max(1, table.rows) + 5 for other in tables)
