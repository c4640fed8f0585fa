"""Tables on a page of a PDF: cells between ruled lines, or figures in columns."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from crawler.readers.bounds import Bounds
from crawler.readers.cells import is_value
from crawler.readers.content import Table
from crawler.readers.grid import Grid
from crawler.readers.kinds import Kind
from crawler.readers.pdf_columns import aligned_rows
from crawler.readers.sheet_tables import tables_of_grid

if TYPE_CHECKING:
    from pdfplumber.page import Page

_LEAST_ROWS = 3
_LEAST_COLUMNS = 2
_FILLED = 0.5
_NUMERIC = 0.2
_MOST_RULES = 3000
"""Lines on a page; maps and diagrams have more, and their crossings are no cells."""


def tables_of_page(page: "Page", bounds: Bounds) -> Iterator[Table]:
    """The tables of one page, from top to bottom."""
    grids = list(_ruled(page))
    if not grids:
        grids = [rows for rows in aligned_rows(page) if _is_table(rows)]
    for number, rows in enumerate(grids, start=1):
        name = f"page {page.page_number}" + (f", table {number}" if len(grids) > 1 else "")
        for table in tables_of_grid(Grid(rows, len(rows)), name, Kind.PDF, bounds):
            if table.rows >= _LEAST_ROWS - 1:
                yield table


def _ruled(page: "Page") -> Iterator[list[list[str]]]:
    if len(page.edges) > _MOST_RULES:
        return
    for found in page.find_tables():
        rows = [[_clean(cell) for cell in row] for row in found.extract()]
        if _is_table(rows):
            yield rows


def _is_table(rows: Sequence[Sequence[str]]) -> bool:
    """Strict: boxes around paragraphs, and forms, are drawn with the same lines."""
    width = max(map(len, rows), default=0)
    if len(rows) < _LEAST_ROWS or width < _LEAST_COLUMNS:
        return False
    cells = [cell for row in rows for cell in row]
    filled = [cell for cell in cells if cell]
    if len(filled) < _FILLED * len(cells):
        return False
    return sum(1 for cell in filled if is_value(cell)) >= _NUMERIC * len(filled)


def _clean(cell: Any) -> str:
    return " ".join(str(cell).split()) if cell else ""
