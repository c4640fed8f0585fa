"""Merged cells of OpenDocument spreadsheets, which the library that reads the cells leaves out."""

import zipfile
from typing import BinaryIO

from crawler.readers.bounds import Bounds
from crawler.readers.grid import Span
from crawler.readers.unreadable import Unreadable
from crawler.readers.xml_events import Enough, local_name, read_events
from crawler.readers.zip_files import open_zip

_CONTENT = "content.xml"
_MAX_ROW = 5_000
"""Merged cells further down are rare, and the sheets that have them large."""
_MAX_SPANS = 20_000
_CELLS = ("table-cell", "covered-table-cell")


def spans_of_ods(stream: BinaryIO, bounds: Bounds) -> dict[str, list[Span]]:
    """The merged cells of each sheet, counted from its first cell; none where it has none."""
    sheets = _Sheets()
    stream.seek(0)
    try:
        with open_zip(stream) as archive, archive.open(_CONTENT) as content:
            if b"-spanned" not in archive.read(_CONTENT):
                return {}
            read_events(content, bounds, sheets.start, sheets.end)  # type: ignore[arg-type]
    except (Unreadable, KeyError, zipfile.BadZipFile, OSError):
        # The cells say what is wrong with the file; where they merge is only a help.
        return {}
    return sheets.spans


class _Sheets:
    def __init__(self) -> None:
        self.spans: dict[str, list[Span]] = {}
        self._sheet = ""
        self._row = self._place = 0
        self._repeated = 1
        self._found = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        name = local_name(name)
        if name == "table":
            own = {local_name(key): value for key, value in attributes.items()}
            self._sheet, self._row = own.get("name", ""), 0
        elif name == "table-row":
            self._place = 0
            self._repeated = _whole(attributes.get("table:number-rows-repeated", "1"))
        elif name in _CELLS and self._row < _MAX_ROW:
            high = _whole(attributes.get("table:number-rows-spanned", "1"))
            wide = _whole(attributes.get("table:number-columns-spanned", "1"))
            if high > 1 or wide > 1:
                last = (self._row + high - 1, self._place + wide - 1)
                self.spans.setdefault(self._sheet, []).append(((self._row, self._place), last))
                self._found += 1
                if self._found > _MAX_SPANS:
                    raise Enough
            self._place += _whole(attributes.get("table:number-columns-repeated", "1"))

    def end(self, name: str) -> None:
        if local_name(name) == "table-row":
            self._row += self._repeated


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 1
