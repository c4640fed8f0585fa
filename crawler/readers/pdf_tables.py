"""Tables on a page of a PDF: cells between ruled lines, or figures in columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from crawler.readers.bounds import Bounds
from crawler.readers.cells import is_value
from crawler.readers.content import Table
from crawler.readers.grid import Grid
from crawler.readers.kinds import Kind
from crawler.readers.ledger import Confidence
from crawler.readers.pdf_columns import Columns, find_by_columns
from crawler.readers.sheet_tables import tables_of_grid

if TYPE_CHECKING:
    from pdfplumber.page import Page

_MIN_ROWS = 3
_MIN_COLUMNS = 2
_FILLED = 0.5
_NUMERIC = 0.2
_MAX_RULES = 3000
"""Lines on a page; maps and diagrams have more, and their crossings are no cells."""


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table of a page, and where its columns stand if it may go on on the next one."""

    table: Table
    columns: Columns | None = None
    ruled: int = 0
    """Columns between lines; 0 for a table without lines."""


def tables_of_page(
    page: "Page", bounds: Bounds, before: FoundTable | None = None
) -> Iterator[FoundTable]:
    """The tables of one page, from top to bottom; `before` is the last one of the page before."""
    known = before.columns if before else None
    ruled = list(_ruled(page, before.ruled if before else 0))
    if ruled:
        for number, rows in enumerate(ruled, start=1):
            name = _name(page, number, len(ruled))
            for table in tables_of_grid(Grid(rows, len(rows)), name, Kind.PDF, bounds):
                is_more = before is not None and before.ruled == len(rows[0]) and number == 1
                if table.rows >= _MIN_ROWS - 1 or is_more:
                    yield FoundTable(table, ruled=len(rows[0]))
        return
    found = list(find_by_columns(page, known))
    for number, one in enumerate(found, start=1):
        continues = known is not None and one.columns is known
        if not continues and not _is_table(one.grid.rows):
            continue
        for table in tables_of_grid(one.grid, _name(page, number, len(found)), Kind.PDF, bounds):
            if table.rows >= _MIN_ROWS - 1 or continues:
                guessed = replace(table, confidence=Confidence.GUESSED)
                yield FoundTable(guessed, one.columns)


def _name(page: "Page", number: int, tables: int) -> str:
    return f"page {page.page_number}" + (f", table {number}" if tables > 1 else "")


def _ruled(page: "Page", width: int) -> Iterator[list[list[str]]]:
    if len(page.edges) > _MAX_RULES:
        return
    for number, found in enumerate(page.find_tables()):
        rows = [[_clean(cell) for cell in row] for row in found.extract()]
        is_more = number == 0 and width > 1 and bool(rows) and len(rows[0]) == width
        if is_more or _is_table(rows):
            yield rows


def _is_table(rows: Sequence[Sequence[str]]) -> bool:
    """Strict: boxes around paragraphs, and forms, are drawn with the same lines."""
    width = max(map(len, rows), default=0)
    if len(rows) < _MIN_ROWS or width < _MIN_COLUMNS:
        return False
    cells = [cell for row in rows for cell in row]
    filled = [cell for cell in cells if cell]
    if len(filled) < _FILLED * len(cells):
        return False
    return sum(1 for cell in filled if is_value(cell)) >= _NUMERIC * len(filled)


def _clean(cell: Any) -> str:
    return " ".join(str(cell).split()) if cell else ""
