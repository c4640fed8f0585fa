"""The table in a grid of cells: titles above it, notes below it, and a header of several lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crawler.readers.bounds import Bounds
from crawler.readers.content import Table
from crawler.readers.footnotes import Footnotes, find_footnotes
from crawler.readers.header import Header, find_header, join_names, unique_names
from crawler.readers.kinds import Kind
from crawler.readers.typed_columns import frame_of_cells

if TYPE_CHECKING:
    import numpy as np

HEADER_ROWS = 60
"""How far down a header is looked for."""
_TAIL = 200
_LONGEST_CELL = 300
_LONGEST_NAME = 300

Block = tuple[tuple[int, int], tuple[int, int]]
"""The first and the last cell of cells that were merged, as rows and columns of the grid."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells in rows of the same length; an empty one is an empty text."""

    rows: Sequence[Sequence[Any]]
    height: int
    """Rows that there are; more than in `rows` when they were cut."""
    merged: tuple[Block, ...] = ()


def table_of_grid(grid: Grid, name: str, kind: Kind, bounds: Bounds) -> Table | None:
    """The table of a grid; None when it holds nothing that could be one."""
    import numpy as np

    cells = _as_array(grid.rows)[:, : bounds.columns]
    filled = (cells != "") & (cells != None)  # noqa: E711 - cell by cell
    kept = np.flatnonzero(filled.any(axis=0))
    if not len(kept):
        return None
    cells, filled = cells[:, kept], filled[:, kept]
    cells[~filled] = None
    _fill_merged_labels(cells, filled, grid.merged, kept)
    head = [[text_of(cell) for cell in row] for row in cells[:HEADER_ROWS]]
    spread = _spread_merged(head, grid.merged, kept)
    header = _find_header(head, filled)
    is_cut = grid.height > len(cells)
    notes = Footnotes() if is_cut else _footnotes(cells, header.body)
    last = len(cells) - notes.lines
    used = filled[header.start : last].any(axis=0)
    body = cells[header.body : last, used][filled[header.body : last, used].any(axis=1)]
    lines = [[row[place] for place in np.flatnonzero(used)] for row in head]
    named = lines[header.start : header.body] if header.found else []
    if body.shape[1] < 2 or (not len(body) and not _is_header_alone(named)):
        return None
    is_merged = any(header.start <= row < header.body for row in spread)
    names = _names(named, body.shape[1], is_merged=is_merged)
    repeated = _repeated(body, named[-1] if named else [])
    body = body[~repeated]
    beyond = grid.height - len(cells)
    most = max(1, min(bounds.rows, bounds.cells // body.shape[1]))
    return Table(
        name=name,
        kind=kind,
        frame=frame_of_cells(body[:most], names),
        rows=len(body) + beyond,
        has_header=header.found,
        cut=is_cut or len(body) > most or len(grid.rows[0]) > bounds.columns,
        repeated_headers=int(repeated.sum()),
        footnotes=notes.texts,
    )


def _as_array(rows: Sequence[Sequence[Any]]) -> "np.ndarray[Any, Any]":
    import numpy as np

    cells = np.empty((len(rows), len(rows[0]) if rows else 0), dtype=object)
    cells[:] = rows
    return cells


def text_of(cell: object) -> str:
    """A cell as a person reads it."""
    if cell is None:
        return ""
    if type(cell) is float and cell.is_integer():
        return str(int(cell))
    return str(cell)[:_LONGEST_CELL]


def _find_header(head: Sequence[Sequence[str]], filled: "np.ndarray[Any, Any]") -> Header:
    """The header, looked for among rows that are not empty."""
    there = [at for at in range(len(head)) if filled[at].any()]
    found = find_header([head[at] for at in there], filled.shape[1])
    end = len(head)
    start = there[found.start] if found.start < len(there) else end
    body = there[found.body] if found.body < len(there) else end
    return Header(start, max(start, body), found.found and body > start)


def _footnotes(cells: "np.ndarray[Any, Any]", body: int) -> Footnotes:
    tail = cells[max(body, len(cells) - _TAIL) :]
    lines = ["|".join(" ".join(_bare(text_of(cell)).split()) for cell in row) for row in tail]
    return find_footnotes(
        ["" if not line.strip("|") else line for line in lines], "|", cells.shape[1]
    )


def _bare(text: str) -> str:
    return text.replace('"', "'").replace("|", "/")


def _is_header_alone(named: Sequence[Sequence[str]]) -> bool:
    """Whether these lines are a header without a table: names side by side, no gap between."""
    filled = [at for at, cell in enumerate(named[-1]) if cell] if len(named) == 1 else []
    return len(filled) > 1 and len(filled) == len(named[0])


def _repeated(body: "np.ndarray[Any, Any]", header: Sequence[str]) -> "np.ndarray[Any, Any]":
    """Which rows say the last line of the header again."""
    import numpy as np

    telling = [(place, cell) for place, cell in enumerate(header) if cell]
    if len(telling) < 2 or all(cell.isdigit() for _, cell in telling):
        return np.zeros(len(body), dtype=bool)
    same = np.ones(len(body), dtype=bool)
    for place, cell in telling[:20]:
        same &= body[:, place] == cell
        if not same.any():
            break
    return same


def _fill_merged_labels(
    cells: "np.ndarray[Any, Any]",
    filled: "np.ndarray[Any, Any]",
    merged: Sequence[Block],
    kept: "np.ndarray[Any, Any]",
) -> None:
    """A label merged over several rows belongs to each of them."""
    places = {int(place): at for at, place in enumerate(kept)}
    for (top, left), (bottom, right) in merged:
        if left != right or left not in places or bottom >= len(cells) or top >= bottom:
            continue
        at = places[left]
        if isinstance(cells[top, at], str):
            cells[top + 1 : bottom + 1, at] = cells[top, at]
            filled[top + 1 : bottom + 1, at] = True


def _spread_merged(
    head: list[list[str]], merged: Sequence[Block], kept: "np.ndarray[Any, Any]"
) -> set[int]:
    """Writes a label over all columns that it was merged over; gives the rows with such labels.

    One over the whole table is a title, and stays where it is.
    """
    rows: set[int] = set()
    for (top, left), (_, right) in merged:
        under = [at for at, place in enumerate(kept) if left <= place <= right]
        if top >= len(head) or not 1 < len(under) < len(kept) or not head[top][under[0]]:
            continue
        rows.add(top)
        for at in under:
            head[top][at] = head[top][under[0]]
    return rows


def _names(lines: Sequence[Sequence[str]], width: int, *, is_merged: bool) -> list[str]:
    """The names of the columns; where no cells are merged, labels go on over empty ones."""
    if not is_merged:
        return join_names(lines, width)
    return unique_names([_joined([line[at] for line in lines]) for at in range(width)])


def _joined(parts: Sequence[str]) -> str:
    clean = [" ".join(part.split()) for part in parts]
    return " / ".join(dict.fromkeys(part for part in clean if part))[:_LONGEST_NAME]
