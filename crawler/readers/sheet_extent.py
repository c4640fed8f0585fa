"""How large the sheets of a workbook become in memory, found out before it is opened.

The library holds a sheet with all its gaps, and the text of a cell once for each cell that refers
to it: a few hundred bytes can ask for any amount of memory. Sheets as offices write them are
measured by two searches; one that is written otherwise, or seems too large, is parsed.
"""

import re
import zipfile
from dataclasses import dataclass, field
from typing import IO
from xml.parsers import expat

from crawler.readers.bounds import Bounds
from crawler.readers.content import Trouble
from crawler.readers.unreadable import Unreadable
from crawler.readers.xml_events import local_name

_PIECE = 4 * 1024**2
_MAX_CELLS = 200_000_000
_GAPS = 3
"""The library holds empty cells in less room than we do."""
_PREFIXED_CELL = re.compile(rb":c[\s/>]")
_USUAL_START = b'<c r="'
_AFTER_A_NAME = tuple(b" \t\r\n/>")
_MAX_REFERENCE = len(_USUAL_START) + 3 + 7 + 1
_TEXT_END = b"</si>"


@dataclass(slots=True)
class _Measured:
    """What a quick look, or the parser, found in a part."""

    width: int = 0
    height: int = 0
    cells: int = 0
    is_usual: bool = True
    longest_text: int = 0
    """Bytes of the longest text that cells may share; known to the quick look only."""
    text: int = 0
    """Characters of all cells that refer to a shared text; known to the parser only."""


def largest_sheet(bounds: Bounds) -> tuple[int, int]:
    """Cells that a sheet may have, gaps among them, and characters of all its shared texts."""
    return min(_GAPS * bounds.cells, _MAX_CELLS), bounds.memory // 4


def refuse_large(cells: int, text: int, bounds: Bounds) -> None:
    """Raises Unreadable for a sheet with more cells, or characters of shared texts, than it may."""
    max_cells, max_text = largest_sheet(bounds)
    if cells > max_cells:
        raise Unreadable(Trouble.TOO_LARGE, f"a sheet of {cells:,} cells is not opened")
    if text > max_text:
        told = f"a sheet that repeats its texts to {text:,} characters is not opened"
        raise Unreadable(Trouble.TOO_LARGE, told)


def check_sheets(archive: zipfile.ZipFile, bounds: Bounds) -> None:
    """Raises Unreadable when a part would take more memory as a sheet than it may."""
    max_cells, max_text = largest_sheet(bounds)
    # A sheet may have any name, so every part is looked at.
    parts = [(info, _quick_look(archive, info)) for info in archive.infolist()]
    longest = max((part.longest_text for _, part in parts), default=0)
    lengths: list[int] | None = None
    for info, part in parts:
        if (
            part.is_usual
            and part.width * part.height <= max_cells
            and part.cells * longest <= max_text
        ):
            continue
        if lengths is None and part.cells * longest > max_text:
            lengths = _lengths_of_texts(archive)
        exact = _parsed(archive, info, lengths or [])
        refuse_large(exact.width * exact.height, exact.text, bounds)


def _quick_look(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> _Measured:
    part = _Measured()
    texts = _LongestText()
    with archive.open(info) as file:
        tail = b""
        while piece := file.read(_PIECE):
            texts.add(piece)
            data = tail + piece
            # What begins with the last tag may be cut, and is looked at with the next piece.
            end = data.rfind(b"<") if len(piece) == _PIECE else len(data)
            if end <= 0 and tail:
                part.is_usual = False
                end = len(data)
            _look_at_cells(data[:end], part)
            tail = data[end:]
        _look_at_cells(tail, part)
    part.longest_text = texts.longest if texts.are_there else 0
    return part


def _look_at_cells(data: bytes, part: _Measured) -> None:
    """Takes note of the cells of a piece, all at once: there may be millions of them."""
    import numpy as np

    if b":c" in data and _PREFIXED_CELL.search(data):
        part.is_usual = False
    signs = np.frombuffer(data + bytes(_MAX_REFERENCE + 2), np.uint8)
    tags = np.flatnonzero(signs == ord("<"))
    tags = tags[signs[tags + 1] == ord("c")]
    cells = tags[np.isin(signs[tags + 2], _AFTER_A_NAME)]
    part.cells += len(cells)
    for at, sign in enumerate(_USUAL_START):
        is_usual = signs[cells + at] == sign
        part.is_usual &= bool(is_usual.all())
        cells = cells[is_usual]
    at = cells + len(_USUAL_START)
    column = np.zeros(len(at), np.int64)
    row = np.zeros(len(at), np.int64)
    for _ in range(3):
        sign = signs[at].astype(np.int64)
        is_letter = (sign >= ord("A")) & (sign <= ord("Z"))
        column = np.where(is_letter, 26 * column + sign - 64, column)
        at = at + is_letter
    for _ in range(7):
        sign = signs[at].astype(np.int64)
        is_digit = (sign >= ord("0")) & (sign <= ord("9"))
        row = np.where(is_digit, 10 * row + sign - 48, row)
        at = at + is_digit
    part.is_usual &= bool((signs[at] == ord('"')).all())
    part.width = max(part.width, int(column.max(initial=0)))
    part.height = max(part.height, int(row.max(initial=0)))


@dataclass(slots=True)
class _LongestText:
    """The bytes of the longest shared text, in a part that comes in pieces."""

    longest: int = 0
    are_there: bool = False
    _current: int = 0

    def add(self, piece: bytes) -> None:
        if _TEXT_END not in piece:
            self._current += len(piece)
            self.longest = max(self.longest, self._current)
            return
        texts = piece.split(_TEXT_END)
        self.are_there = True
        self.longest = max(self.longest, self._current + len(texts[0]), *map(len, texts[1:]))
        self._current = len(texts[-1])


@dataclass(slots=True)
class _SheetParser:
    """Follows cells as the library does: by their reference, or by their place."""

    lengths: list[int]
    measured: _Measured = field(default_factory=_Measured)
    has_started: bool = False
    _row: int = 0
    _column: int = 0
    _is_shared: bool = False
    _index: list[str] | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.has_started = True
        name = local_name(name)
        if name == "row":
            number = attributes.get("r", "")
            self._row = int(number) if number.isdecimal() else self._row + 1
            self._column = 0
        elif name == "c":
            self._place(attributes.get("r", ""))
            self._is_shared = attributes.get("t") == "s"
        elif name in ("v", "t", "f"):
            # Only a cell that holds something takes room.
            self.measured.width = max(self.measured.width, self._column)
            self.measured.height = max(self.measured.height, self._row)
            self._index = [] if name == "v" and self._is_shared else None

    def end(self, name: str) -> None:
        if local_name(name) == "v" and self._index is not None:
            number = "".join(self._index).strip()
            if number.isdecimal() and len(number) < 10 and int(number) < len(self.lengths):
                self.measured.text += self.lengths[int(number)]
            self._index = None

    def say(self, text: str) -> None:
        if self._index is not None:
            self._index.append(text)

    def _place(self, reference: str) -> None:
        match = re.fullmatch(r"([A-Z]{1,3})(\d{1,7})", reference)
        if match is None:
            self._column += 1
            return
        self._column = column_number(match[1].encode())
        self._row = int(match[2])


def _parsed(archive: zipfile.ZipFile, info: zipfile.ZipInfo, lengths: list[int]) -> _Measured:
    sheet = _SheetParser(lengths)
    with archive.open(info) as file:
        _parse(file, sheet)
    return sheet.measured


@dataclass(slots=True)
class _TextsParser:
    lengths: list[int] = field(default_factory=list)
    has_started: bool = False
    _length: int = 0

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        self.has_started = True
        if local_name(name) == "si":
            self._length = 0

    def end(self, name: str) -> None:
        if local_name(name) == "si":
            self.lengths.append(self._length)

    def say(self, text: str) -> None:
        self._length += len(text)


def _lengths_of_texts(archive: zipfile.ZipFile) -> list[int]:
    """The characters of each shared text, of the part that has the most."""
    best: list[int] = []
    for info in archive.infolist():
        texts = _TextsParser()
        with archive.open(info) as file:
            _parse(file, texts)
        best = max(best, texts.lengths, key=sum)
    return best


def _parse(file: IO[bytes], handler: _SheetParser | _TextsParser) -> None:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = handler.start
    parser.EndElementHandler = handler.end
    parser.CharacterDataHandler = handler.say
    try:
        while piece := file.read(_PIECE):
            parser.Parse(piece)
    except expat.ExpatError as error:
        # A picture is no XML from its first byte on. What is no XML later cannot be measured.
        if handler.has_started:
            told = f"a part of it is no XML: {expat.ErrorString(error.code)}"
            raise Unreadable(Trouble.CORRUPT, told) from error


def column_number(letters: bytes) -> int:
    """The number of a column from its letters: 1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number
