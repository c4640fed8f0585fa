"""Worksheets of Excel 2 to 4: streams of records that are no container yet (BIFF2 to BIFF4)."""

import struct
from typing import Any, BinaryIO

from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import Table, Trouble
from crawler.readers.grid import Grid
from crawler.readers.kinds import Kind
from crawler.readers.sheet_tables import tables_of_grid
from crawler.readers.unreadable import Unreadable
from crawler.readers.xls_dimensions import biff_records

BEGINNINGS = {b"\x09\x00\x04\x00": 2, b"\x09\x02\x06\x00": 3, b"\x09\x04\x06\x00": 4}
"""The first record of such a stream, and the version it is of."""
_MAX_BYTES = 50 * 1000**2
_END = 0x0A
_CODEPAGE = 0x42
_FILE_PASS = 0x2F
_INTEGER, _NUMBER, _LABEL, _FORMULA, _STRING = 0x02, 0x03, 0x04, 0x06, 0x07
_RK = 0x7E
_MAX_ROW, _MAX_COLUMN = 65_535, 255
_PAGES = {367: "ascii", 1200: "utf-16-le", 10000: "mac-roman", 32768: "mac-roman", 32769: "cp1252"}


def read_biff_stream(
    stream: BinaryIO, bounds: Bounds = DEFAULT_BOUNDS, *, raw: bool = False
) -> list[Table]:
    """The table of such a worksheet."""
    stream.seek(0)
    data = stream.read(_MAX_BYTES)
    version = BEGINNINGS[data[:4]]
    cells, is_complete = _cells(data, version)
    if not is_complete:
        raise Unreadable(Trouble.TRUNCATED, "it ends before its end")
    if not cells:
        return []
    height = max(row for row, _ in cells) + 1
    width = max(place for _, place in cells) + 1
    if height * width > bounds.cells:
        raise Unreadable(Trouble.TOO_LARGE, f"a sheet of {height * width:,} cells is not opened")
    rows = [[cells.get((row, place), "") for place in range(width)] for row in range(height)]
    return tables_of_grid(Grid(rows, height), "", Kind.XLS, bounds, raw=raw)


def _cells(data: bytes, version: int) -> tuple[dict[tuple[int, int], Any], bool]:
    cells: dict[tuple[int, int], Any] = {}
    page = "cp1252"
    last: tuple[int, int] | None = None
    for number, at, length in biff_records(data):
        kind, body = number & 0xFF, data[at : at + length]
        if len(body) < length:
            break
        if kind == _END and not number & 0xFF00:
            return cells, True
        if number == _FILE_PASS:
            raise Unreadable(Trouble.ENCRYPTED, "it is protected with a password")
        if number == _CODEPAGE and len(body) >= 2:
            page = _PAGES.get(struct.unpack_from("<H", body)[0], page)
            continue
        if kind == _STRING and last is not None:
            cells[last] = _text(body, version, page)
            last = None
            continue
        if kind not in (_INTEGER, _NUMBER, _LABEL, _FORMULA, _RK) or len(body) < 8:
            continue
        row, place = struct.unpack_from("<HH", body)
        if row > _MAX_ROW or place > _MAX_COLUMN:
            continue
        value = _value(kind, body[7 if version == 2 else 6 :], version, page)
        last = (row, place) if kind == _FORMULA else None
        if value is not None:
            cells[row, place] = value
    return cells, False


def _value(kind: int, body: bytes, version: int, page: str) -> Any:
    if kind == _LABEL:
        return _text(body, version, page)
    if kind == _INTEGER and version == 2 and len(body) >= 2:
        return struct.unpack_from("<H", body)[0]
    if kind == _RK and len(body) >= 4:
        return _rk(struct.unpack_from("<I", body)[0])
    if kind in (_NUMBER, _FORMULA) and len(body) >= 8:
        if kind == _FORMULA and body[6:8] == b"\xff\xff":
            return None
        return struct.unpack_from("<d", body)[0]
    return None


def _text(body: bytes, version: int, page: str) -> str:
    """A length of one byte in the first version, of two bytes later."""
    if version == 2:
        return body[1 : 1 + body[0]].decode(page, "replace") if body else ""
    if len(body) < 2:
        return ""
    (length,) = struct.unpack_from("<H", body)
    return body[2 : 2 + length].decode(page, "replace")


def _rk(packed: int) -> float:
    """A number in four bytes: whole or decimal, perhaps times a hundred."""
    if packed & 2:
        whole = packed >> 2
        number = float(whole - (1 << 30) if whole & (1 << 29) else whole)
    else:
        number = struct.unpack("<d", struct.pack("<Q", (packed & ~3) << 32))[0]
    return number / 100 if packed & 1 else number
