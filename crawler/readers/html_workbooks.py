"""Tables in HTML that are called workbooks: what Excel exports, and what portals save as .xls."""

import re
from typing import Any, BinaryIO

from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import Table, Trouble
from crawler.readers.encoding import HEAD, encoding_of
from crawler.readers.grid import Grid, Span
from crawler.readers.kinds import Kind
from crawler.readers.packing import size_of
from crawler.readers.ranking import has_figures, ranked
from crawler.readers.sheet_tables import tables_of_grid
from crawler.readers.unreadable import Unreadable

_MAX_BYTES = 100 * 1000**2
_MAX_SPAN = 1000
_OF_EXCEL = re.compile(
    r"urn:schemas-microsoft-com:office:excel|excel\.sheet|ProgId[^>]{0,40}Excel", re.IGNORECASE
)
_ROW = re.compile(r"<tr[\s>]", re.IGNORECASE)
_FORM = re.compile(r"<(?:form|input|script|iframe|nav)\b", re.IGNORECASE)
_NAMES = (".xls", ".xlsx", ".xlt")
_DECLARED = ("excel", "spreadsheet")
_NUMBER = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+\.\d+|-?(?:0|[1-9]\d{0,14})")


def is_html_workbook(text: str, name: str, declared: str) -> bool:
    """Whether a page is a workbook: exported by Excel, or called one and made of a table."""
    if len(_ROW.findall(text)) < 2:
        return False
    if _OF_EXCEL.search(text[:4096]):
        return True
    is_called = name.lower().rpartition("?")[0 if "?" in name else 2].endswith(_NAMES) or any(
        word in declared.lower() for word in _DECLARED
    )
    return is_called and _FORM.search(text) is None


def read_html_workbook(
    stream: BinaryIO, bounds: Bounds = DEFAULT_BOUNDS, *, raw: bool = False
) -> list[Table]:
    """The tables of such a page, the best first."""
    from lxml import etree, html

    size = size_of(stream)
    if size > min(_MAX_BYTES, bounds.memory // 10):
        raise Unreadable(Trouble.TOO_LARGE, f"a page of {size:,} bytes is not opened")
    data = stream.read()
    encoding = encoding_of([data[:HEAD]], "") or "utf-8"
    parser = html.HTMLParser(recover=True, no_network=True, huge_tree=False)
    try:
        document = html.document_fromstring(data.decode(encoding, "replace"), parser=parser)
    except (etree.ParserError, ValueError) as error:
        raise Unreadable(Trouble.CORRUPT, "the page cannot be read") from error
    tables: list[Table] = []
    for number, element in enumerate(_outer_tables(document), 1):
        name = _name(element) or f"table {number}"
        grid = _Grid(bounds)
        for row in element.iter("tr"):
            grid.add(row)
        tables += tables_of_grid(grid.grid(), name, Kind.XLS, bounds, raw=raw)
        if len(tables) >= bounds.tables:
            break
    data_tables = [table for table in tables if has_figures(table)]
    return ranked(data_tables or tables)[: bounds.tables]


def _outer_tables(document: Any) -> list[Any]:
    """Tables that hold no others: those around them lay out the page."""
    return [
        one for one in document.iter("table") if next(one.iterdescendants("table"), None) is None
    ]


def _name(table: Any) -> str:
    caption = table.find("caption")
    text = " ".join(caption.text_content().split()) if caption is not None else ""
    return text[:80]


class _Grid:
    """Cells of a table; those that span rows and columns are merged cells."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._rows: list[dict[int, Any]] = []
        self._taken: dict[int, set[int]] = {}
        self._merged: list[Span] = []
        self._bold: set[int] = set()
        self._cells = 0

    def add(self, row: Any) -> None:
        at = len(self._rows)
        if at >= self._bounds.rows or self._cells >= self._bounds.cells:
            return
        taken = self._taken.pop(at, set())
        cells: dict[int, Any] = {}
        place = 0
        kinds: list[str] = []
        for cell in row.iterchildren("td", "th"):
            while place in taken:
                place += 1
            wide, high = _span(cell, "colspan"), _span(cell, "rowspan")
            if place + wide > self._bounds.columns:
                break
            cells[place] = _value(" ".join(cell.text_content().split()))
            kinds.append(cell.tag)
            if wide > 1 or high > 1:
                self._merged.append(((at, place), (at + high - 1, place + wide - 1)))
            for below in range(at + 1, at + high):
                self._taken.setdefault(below, set()).update(range(place, place + wide))
            place += wide
        self._cells += len(cells)
        if kinds and set(kinds) == {"th"}:
            self._bold.add(at)
        self._rows.append(cells)

    def grid(self) -> Grid:
        width = max((max(row, default=-1) + 1 for row in self._rows), default=0)
        rows = [[row.get(place, "") for place in range(width)] for row in self._rows]
        return Grid(rows, len(rows), tuple(self._merged), frozenset(self._bold))


def _value(text: str) -> Any:
    """Numbers as Excel would show them; everything else stays a text."""
    if not text or not _NUMBER.fullmatch(text):
        return text
    plain = text.replace(",", "")
    return float(plain) if "." in plain else int(plain)


def _span(cell: Any, name: str) -> int:
    text = cell.get(name) or "1"
    return min(_MAX_SPAN, int(text)) if text.isascii() and text.isdigit() and text != "0" else 1
