"""Values as what they are: texts that are dates, periods or numbers with flags, column by column.

Numbers and dates that a format declares come as such already; this is for columns of texts, and of
texts among numbers. Identifiers stay as they are written.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from crawler.readers.content import Table
from crawler.readers.flagged_numbers import flagged_column, may_be_flagged
from crawler.readers.grid import text_of
from crawler.readers.names import unique_names
from crawler.readers.typed_times import may_be_time, time_column

if TYPE_CHECKING:
    import pandas as pd

FLAG = " (flag)"
"""Ends the name of a column of flags; the columns of flags come after all others."""
_SAMPLE = 60
_MAX_DISTINCT = 200_000


def with_values(table: Table, *, only_times: bool = False) -> Table:
    """The table with typed values; columns of flags are added where the file has flags.

    With `only_times` codes stay codes, in formats that say themselves what a number is.
    """
    frame = table.frame
    if not len(frame):
        return table
    decimal = table.dialect.decimal if table.dialect else ""
    changed: dict[int, pd.Series[Any]] = {}
    flags: dict[int, pd.Series[Any]] = {}
    assumed: list[str] = []
    for place in _columns_of_texts(frame):
        name = str(frame.columns[place])
        column = _typed(frame.iloc[:, place], decimal, is_code=place == 0, only_times=only_times)
        if column is None:
            continue
        series, flag, said = column
        changed[place] = series
        if flag is not None:
            flags[place] = flag
        if said:
            assumed.append(f"{name[:80]}: {said}")
    if not changed:
        return table
    return replace(
        table,
        frame=_changed(frame, changed, flags),
        assumed=(*table.assumed, *assumed[:50]),
        flag_columns=len(flags),
    )


def _columns_of_texts(frame: "pd.DataFrame") -> Iterator[int]:
    import pandas as pd

    for place in range(frame.shape[1]):
        dtype = frame.dtypes.iloc[place]
        if pd.api.types.is_object_dtype(dtype) or isinstance(dtype, pd.StringDtype):
            yield place


def _typed(
    series: "pd.Series[Any]", decimal: str, *, is_code: bool, only_times: bool
) -> "tuple[pd.Series[Any], pd.Series[Any] | None, str] | None":
    """The column as what it holds, its flags, and what was assumed; None where it stays."""
    sample = _sample(series)
    if not sample:
        return None
    texts = [cell for cell in sample if isinstance(cell, str)]
    is_text = len(texts) == len(sample)
    if is_text and all(may_be_time(text) for text in texts if len(text.strip()) > 2):
        rows = _distinct(series)
        if rows is not None and (times := time_column(series, [*map(str, rows)])) is not None:
            return times.series, None, times.assumed
    # What a first column names, as the grades K, 1, 2, are no figures.
    if texts and not is_code and not only_times and all(map(may_be_flagged, sample)):
        rows = _distinct(series)
        if rows is not None and (flagged := flagged_column(series, rows, decimal)) is not None:
            return flagged.numbers, flagged.flags, flagged.assumed
    if not only_times and series.dtype == object:
        return _as_texts(series)
    return None


def _as_texts(
    series: "pd.Series[Any]",
) -> "tuple[pd.Series[Any], None, str] | None":
    """Numbers among words are words, as codes of which some were saved as numbers."""
    import pandas as pd

    kinds = set(map(type, series.dropna().tolist()))
    if str not in kinds or not kinds <= {int, float, str}:
        return None
    texts = [text_of(cell) if isinstance(cell, int | float) else cell for cell in series.tolist()]
    filled = pd.Series(texts, index=series.index, dtype="str").where(series.notna(), None)
    return filled, None, "numbers among words are read as texts"


def _sample(series: "pd.Series[Any]") -> list[Any]:
    """Some values from everywhere, the empty ones left out."""
    step = max(1, len(series) // _SAMPLE)
    sample = series.iloc[::step].dropna().tolist()
    if len(sample) >= 5:
        return list(sample)
    return list(series.dropna().iloc[:_SAMPLE].tolist())


def _distinct(series: "pd.Series[Any]") -> "Counter[Any] | None":
    """The different values with their rows; None where there are too many to be looked at."""
    try:
        counts = series.value_counts(dropna=True)
    except TypeError:
        return None
    if len(counts) > _MAX_DISTINCT:
        return None
    return Counter(dict(zip(counts.index.tolist(), counts.tolist(), strict=True)))


def _changed(
    frame: "pd.DataFrame",
    changed: "dict[int, pd.Series[Any]]",
    flags: "dict[int, pd.Series[Any]]",
) -> "pd.DataFrame":
    import pandas as pd

    columns = [
        changed[place] if place in changed else frame.iloc[:, place]
        for place in range(frame.shape[1])
    ]
    names = [str(name) for name in frame.columns]
    added = [f"{names[place]}{FLAG}" for place in flags]
    new = pd.concat([*columns, *flags.values()], axis=1)
    new.columns = unique_names([*names, *added])
    return new
