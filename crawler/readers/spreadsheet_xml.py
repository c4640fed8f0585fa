"""Workbooks as Excel wrote them in XML before xlsx, which offices still publish under .xls."""

from typing import Any, BinaryIO

from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import Content, Table
from crawler.readers.grid import Grid
from crawler.readers.kinds import Kind
from crawler.readers.sheet_tables import tables_of_grid
from crawler.readers.xml_events import local_name, read_events

NAMESPACE = "urn:schemas-microsoft-com:office:spreadsheet"


def read_spreadsheet_xml(stream: BinaryIO, bounds: Bounds = DEFAULT_BOUNDS) -> Content:
    """A table for each sheet that holds one."""
    workbook = _Workbook(bounds)
    read_events(stream, bounds, workbook.start, workbook.end, workbook.say)
    return Content(Kind.XML, tuple(workbook.tables[: bounds.tables]))


class _Workbook:
    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._sheet = ""
        self._rows: list[list[Any]] = []
        self._height = 0
        self._cells = 0
        self._row: list[Any] | None = None
        self._place = 0
        self._kind = ""
        self._text: list[str] | None = None
        self.tables: list[Table] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        name = local_name(name)
        own = {local_name(key): value for key, value in attributes.items()}
        if name == "Worksheet":
            self._sheet, self._rows, self._height, self._cells = own.get("Name", ""), [], 0, 0
        elif name == "Row":
            self._row = []
            self._place = 0
            self._height += 1
        elif name == "Cell" and self._row is not None:
            # Empty cells are left out, and the next one says where it stands.
            index = _whole(own.get("Index", ""))
            self._place = index - 1 if index else self._place
        elif name == "Data":
            self._kind, self._text = own.get("Type", ""), []

    def say(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def end(self, name: str) -> None:
        name = local_name(name)
        if name == "Data" and self._text is not None:
            self._put("".join(self._text).strip())
            self._text = None
        elif name == "Cell":
            self._place += 1
        elif name == "Row" and self._row is not None:
            self._cells += len(self._row)
            if self._height <= self._bounds.rows and self._cells <= self._bounds.cells:
                self._rows.append(self._row)
            self._row = None
        elif name == "Worksheet":
            self._finish()

    def _put(self, text: str) -> None:
        if self._row is None or self._place >= self._bounds.columns:
            return
        self._row.extend([""] * (self._place - len(self._row)))
        if len(self._row) == self._place:
            self._row.append(_number(text) if self._kind == "Number" else text)

    def _finish(self) -> None:
        width = max((len(row) for row in self._rows), default=0)
        if not width or width * len(self._rows) > 2 * self._bounds.cells:
            return
        even = [row + [""] * (width - len(row)) for row in self._rows]
        grid = Grid(even, self._height)
        self.tables += tables_of_grid(grid, self._sheet, Kind.XML, self._bounds)


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 0


def _number(text: str) -> Any:
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() and abs(number) < 2**53 else number
