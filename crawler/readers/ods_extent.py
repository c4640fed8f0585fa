"""How large the sheets of an OpenDocument workbook become in memory, before it is opened.

A cell may say that it comes a million times, its row as well, and the library holds each of them.
"""

import re
import zipfile
from typing import BinaryIO, cast

from crawler.readers.bounds import Bounds
from crawler.readers.sheet_extent import largest_sheet, refuse_large
from crawler.readers.xml_events import local_name, read_events

_CONTENT = "content.xml"
_CELLS = ("table-cell", "covered-table-cell")
_EMPTY_AT_THE_END = re.compile(rb"(?:<table:(?:covered-)?table-cell[^<>]*+/>\s*+)++\Z")


def check_repetitions(archive: zipfile.ZipFile, bounds: Bounds) -> None:
    """Raises Unreadable when the cells, each as often as it says, are too many or too long."""
    if _CONTENT not in archive.namelist():
        return
    if _is_plainly_small(archive.read(_CONTENT), largest_sheet(bounds)[0]):
        return
    sheets = _Sheets(bounds)
    with archive.open(_CONTENT) as content:
        read_events(cast("BinaryIO", content), bounds, sheets.start, sheets.end, sheets.say)


def _is_plainly_small(content: bytes, max_cells: int) -> bool:
    """Whether a quick look shows that nothing is repeated but empty cells at the edges.

    Parsing takes longer than reading does; an office writes what this understands.
    """
    for name in (b"table-row", b"table-cell"):
        usual = content.count(b"<table:" + name) + content.count(b"</table:" + name)
        usual += content.count(b"table:covered-" + name)
        if content.count(name) != usual:
            return False
    width, rows, is_after_gap = 0, content.split(b"</table:table-row>"), False
    for row in rows:
        cells = _without_empty_cells_at_the_end(row) if b"repeated" in row else row
        is_after_gap &= b"</table:table>" not in cells
        count = cells.count(b"table-cell")
        own = cells[cells.rfind(b"<table:table-row") :]
        if count and (is_after_gap or b"-repeated" in own):
            return False
        is_after_gap |= b"rows-repeated" in own
        width = max(width, count)
    return width * len(rows) <= max_cells


def _without_empty_cells_at_the_end(row: bytes) -> bytes:
    match = _EMPTY_AT_THE_END.search(row)
    if match is None or b"value" in match[0] or b"formula" in match[0]:
        return row
    return row[: match.start()]


class _Sheets:
    """Follows the cells of each sheet: how far they reach, and how much text they repeat."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._text = 0
        self._width = self._height = self._row = 0
        self._start_sheet()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        name = local_name(name)
        if name == "table":
            self._start_sheet()
        elif name == "table-row":
            self._rows = _number(attributes, "number-rows-repeated")
            self._place = self._filled = self._text_of_row = 0
        elif name in _CELLS:
            self._columns = _number(attributes, "number-columns-repeated")
            self._length = 0
            self._has_value = any(local_name(key) == "value-type" for key in attributes)

    def end(self, name: str) -> None:
        name = local_name(name)
        if name in _CELLS:
            self._place += self._columns
            if self._has_value or self._length:
                self._filled = self._place
                self._text_of_row += self._columns * self._length
            self._columns = 0
        elif name == "table-row":
            self._row += self._rows
            if self._filled:
                self._width, self._height = max(self._width, self._filled), self._row
                self._text += self._rows * self._text_of_row
                refuse_large(self._width * self._height, self._text, self._bounds)

    def say(self, text: str) -> None:
        if self._columns:
            self._length += len(text.strip())

    def _start_sheet(self) -> None:
        self._width = self._height = self._row = 0
        self._rows = 1
        self._place = self._columns = self._filled = 0
        self._length = self._text_of_row = 0
        self._has_value = False


def _number(attributes: dict[str, str], wanted: str) -> int:
    """How often a row or cell comes; digits beyond a dozen are as good as endless."""
    for key, value in attributes.items():
        if local_name(key) == wanted and value.strip().isdecimal():
            return int(value.strip()[:12])
    return 1
