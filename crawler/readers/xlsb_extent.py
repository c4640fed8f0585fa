"""How large the sheets of a binary workbook (xlsb) become in memory, before it is opened.

As with its XML relative, the library holds a sheet with all its gaps, and a shared text once for
each cell that refers to it. A sheet is a sequence of records: number, length and body ([MS-XLSB]).
"""

import struct
import zipfile
from collections.abc import Iterator
from typing import IO

from crawler.readers.bounds import Bounds
from crawler.readers.sheet_extent import refuse_large

_PIECE = 4 * 1024**2
_AHEAD = 18
"""Bytes of a record that are looked at: 6 of number and length at most, and 12 of its body."""
_NUMBER = struct.Struct("<I").unpack_from
_ROW, _SHARED_TEXT, _TEXT_ITEM, _SHEET_DATA = 0, 7, 19, 145
_CELLS = frozenset(range(2, 12))
"""Records of cells with a value; 1 is an empty one, which takes no room."""
_MAX_ROW = 1_048_576
_FOLDERS = frozenset({"worksheets", "chartsheets", "dialogsheets"})
"""Below `xl`: the library opens sheets nowhere else."""
_TEXTS = "xl/sharedstrings.bin"


def check_binary_sheets(archive: zipfile.ZipFile, bounds: Bounds) -> None:
    """Raises Unreadable when a sheet would take more memory than it may."""
    lengths: list[int] = []
    for info in archive.infolist():
        if info.filename.lower() == _TEXTS:
            with archive.open(info) as file:
                lengths = [
                    _NUMBER(data, at + 1)[0]
                    for data, number, at in _records(file)
                    if number == _TEXT_ITEM
                ]
    for info in archive.infolist():
        if not _FOLDERS.isdisjoint(info.filename.lower().split("/")[1:2]):
            with archive.open(info) as file:
                cells, text = _measured(file, lengths)
            refuse_large(cells, text, bounds)


def _measured(file: IO[bytes], lengths: list[int]) -> tuple[int, int]:
    """How many cells the sheet has, gaps among them, and characters of all its shared texts.

    They count from the record on that begins the cells.

    Other parts of the folder are XML, in which no record of that number can be found.
    """
    row, last_row, last_column, text = 0, -1, -1, 0
    has_begun = False
    # A million cells are a million turns of this loop: names are local and nothing is called twice.
    for data, number, at in _records(file):
        if number == _ROW:
            (row,) = _NUMBER(data, at)
        elif number in _CELLS and has_begun and row <= _MAX_ROW:
            (column,) = _NUMBER(data, at)
            if column > last_column:
                last_column = column
            if row > last_row:
                last_row = row
            if number == _SHARED_TEXT:
                (place,) = _NUMBER(data, at + 8)
                text += lengths[place] if place < len(lengths) else 0
        elif number == _SHEET_DATA:
            has_begun = True
    return (last_column + 1) * (last_row + 1), text


def _records(file: IO[bytes]) -> Iterator[tuple[bytes, int, int]]:
    """Each record: some data, the number of the record, and where its body begins in the data."""
    data, at = b"", 0
    is_over = False
    while True:
        while at + _AHEAD >= len(data) and not is_over:
            piece = file.read(_PIECE)
            # At the end, what is missing of a record reads as zeros.
            is_over = not piece
            data, at = data[at:] + (piece or bytes(_AHEAD)), max(0, at - len(data))
        end = len(data) - _AHEAD
        while at < end:
            number, length = data[at], data[at + 1]
            at += 2
            if number > 127 or length > 127:
                number, length, at = _long_head(data, at - 2)
            yield data, number, at
            at += length
        if is_over:
            return


def _long_head(data: bytes, at: int) -> tuple[int, int, int]:
    """Number and length of a record where one of them has several bytes, and where its body is."""
    number = data[at]
    at += 1
    if number > 127:
        number = number & 127 | (data[at] & 127) << 7
        at += 1
    length = 0
    for shift in range(0, 28, 7):
        byte = data[at]
        at += 1
        length |= (byte & 127) << shift
        if byte < 128:
            break
    return number, length, at
