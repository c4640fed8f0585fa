"""A grid of cells, as workbooks, pages and small texts give it, made ready for finding tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from crawler.readers.cell_types import is_filled

if TYPE_CHECKING:
    import numpy as np

_MAX_CELL = 2000

Span = tuple[tuple[int, int], tuple[int, int]]
"""The first and the last cell of cells that were merged, as rows and columns of the grid."""


@dataclass(frozen=True, slots=True)
class Styles:
    """How the first cells of a sheet are styled, where the format says so."""

    rows: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    """Row -> column -> which style a cell has: number format, font, borders and fill in one."""
    general: frozenset[int] = frozenset()
    """Styles without a format for numbers, which labels have and figures seldom."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells in rows of the same length; an empty one is an empty text or None."""

    rows: Sequence[Sequence[Any]]
    height: int
    """Rows that there are; more than in `rows` when they were cut."""
    merged: tuple[Span, ...] = ()
    bold: frozenset[int] = frozenset()
    """Rows whose cells are all bold, where the format says so."""
    styles: Styles = Styles()
    core: int | None = None
    """The width of most rows of a text; some may have more values."""
    first_row: int = 1
    """The number of its first row in the sheet."""
    lines: Sequence[int] = ()
    """The numbers of the lines of a text at which its rows begin."""
    lengths: Sequence[int] = ()
    """How many values each row of a text has."""
    names: Sequence[str] = ()
    """Those of the columns, where they stand elsewhere."""
    decimal: str = ""
    """The mark of numbers in texts, where it is known."""


@dataclass(slots=True)
class Cells:
    """A grid without its empty columns, blanks removed, merged cells looked up."""

    values: "np.ndarray[Any, Any]"
    """None where a cell is empty."""
    filled: "np.ndarray[Any, Any]"
    counts: "np.ndarray[Any, Any]"
    """Filled cells of each row."""
    spans: dict[int, list[tuple[int, int, int]]] = field(default_factory=dict)
    """Row -> first column, last column, last row of the merged cells that begin in it."""
    covered: frozenset[int] = frozenset()
    """Rows that are empty because cells above were merged over them."""
    bold: frozenset[int] = frozenset()
    columns: "Sequence[int]" = ()
    """The column of the grid that each of these is."""
    styles: Styles = Styles()
    """Those of the grid, by its columns."""
    core: int = 0
    """Columns by which the layout is judged; some rows of a text have more."""

    @property
    def width(self) -> int:
        """Columns."""
        return int(self.values.shape[1])

    def __len__(self) -> int:
        return len(self.values)

    def texts(self, row: int) -> list[str]:
        """The filled cells of a row as a person reads them."""
        return [text_of(cell) for cell in self.values[row] if cell is not None]


def cells_of_grid(grid: Grid, max_columns: int) -> Cells | None:
    """The cells of a grid; None when it holds nothing."""
    import numpy as np

    values = _as_array(grid.rows)[:, :max_columns]
    filled = np.frompyfunc(is_filled, 1, 1)(values).astype(bool)
    kept = np.flatnonzero(filled.any(axis=0))
    if not len(kept):
        return None
    values, filled = values[:, kept], filled[:, kept]
    values[~filled] = None
    spans, covered = _spans(grid.merged, kept, len(values))
    columns = [int(at) for at in kept]
    within = sum(1 for at in columns if grid.core is None or at < grid.core)
    counts = filled.sum(axis=1)
    cells = Cells(values, filled, counts, spans, covered, grid.bold, columns, grid.styles, within)
    _join_parted_rows(cells)
    return cells


def whole_cells(grid: Grid) -> Cells:
    """The cells of a grid with its empty columns, which stand for those of another grid."""
    import numpy as np

    values = _as_array(grid.rows)
    filled = np.frompyfunc(is_filled, 1, 1)(values).astype(bool)
    values[~filled] = None
    width = values.shape[1]
    return Cells(values, filled, filled.sum(axis=1), columns=range(width), core=width)


def text_of(cell: object) -> str:
    """A cell as a person reads it."""
    if cell is None:
        return ""
    if type(cell) is float and cell.is_integer():
        return str(int(cell))
    return str(cell)[:_MAX_CELL]


def _as_array(rows: Sequence[Sequence[Any]]) -> "np.ndarray[Any, Any]":
    import numpy as np

    cells = np.empty((len(rows), len(rows[0]) if rows else 0), dtype=object)
    cells[:] = rows
    return cells


def _spans(
    merged: Sequence[Span], kept: "np.ndarray[Any, Any]", height: int
) -> tuple[dict[int, list[tuple[int, int, int]]], frozenset[int]]:
    """The merged cells in the columns that are kept, by their first row."""
    import numpy as np

    spans: dict[int, list[tuple[int, int, int]]] = {}
    covered: set[int] = set()
    for (top, left), (bottom, right) in merged:
        if not 0 <= top < height:
            continue
        first = int(np.searchsorted(kept, left))
        last = int(np.searchsorted(kept, right, side="right")) - 1
        if last < first:
            continue
        end = min(bottom, height - 1)
        spans.setdefault(top, []).append((first, last, end))
        if end - top < 20:
            covered.update(range(top + 1, end + 1))
    return spans, frozenset(covered)


def _join_parted_rows(cells: Cells) -> None:
    """Figures merged over two rows whose label stands in the second belong to that label."""
    for top, spans in cells.spans.items():
        below = top + 1
        if below >= len(cells) or not cells.counts[top]:
            continue
        merged = {at for first, last, end in spans if end == below for at in range(first, last + 1)}
        here = {int(at) for at in cells.filled[top].nonzero()[0]}
        there = {int(at) for at in cells.filled[below].nonzero()[0]}
        # One label over two rows is no figure that was parted from its label.
        if len(here) < 2 or not here <= merged or not there or there & merged:
            continue
        has_figures = any(isinstance(cells.values[top, at], int | float) for at in here)
        if min(there) > min(here) or not has_figures:
            continue
        for at in here:
            cells.values[below, at] = cells.values[top, at]
            cells.values[top, at] = None
            cells.filled[below, at], cells.filled[top, at] = True, False
        cells.counts[below] += len(here)
        cells.counts[top] = 0
