"""What an old workbook says of the size of its sheets, before it is opened.

The library makes room for as many cells as a sheet claims to have, and ends the process when there
is not that much memory. It also follows the chains of sectors of the OLE container, which old
workbooks are, until they end, and one that leads back into itself never does.
"""

import struct
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from crawler.readers.content import Trouble
from crawler.readers.packing import bytes_at, size_of
from crawler.readers.unreadable import Unreadable

_DIMENSIONS = 0x0200
_FORMS = {14: struct.Struct("<IIHH"), 10: struct.Struct("<HHHH")}
"""By the length of the record: first row, row after the last, and the same for columns."""
_MAX_CELLS = 65_536 * 256
"""Of any sheet in this format."""
_HEADER = 512
_MAX_REGULAR = 0xFFFFFFFA
_IN_HEADER = 109
"""Sectors of the table of sectors that the header names itself."""
_ENTRY = 128
_SECTOR_SHIFTS = (9, 12)


def check_old_workbook(stream: BinaryIO) -> None:
    """Raises Unreadable for a container with loops, or sheets that claim to be endless."""
    for data in _streams_without_loops(stream):
        heads = (struct.pack("<HH", _DIMENSIONS, length) for length in _FORMS)
        # Found among values these bytes mean nothing, so then the records are followed.
        if any(_claims(data, head) for head in heads) and any(
            number == _DIMENSIONS and _is_endless(data, at, length)
            for number, at, length in biff_records(data)
        ):
            raise Unreadable(Trouble.CORRUPT, "a sheet claims to be larger than any can be")


def _claims(data: bytes, head: bytes) -> bool:
    at = data.find(head)
    while at >= 0:
        if _is_endless(data, at + len(head), head[2]):
            return True
        at = data.find(head, at + 1)
    return False


def _is_endless(data: bytes, at: int, length: int) -> bool:
    form = _FORMS.get(length)
    if form is None or at + length > len(data):
        return False
    top, bottom, left, right = map(int, form.unpack_from(data, at))
    # The last may stand before the first, and the library subtracts them nevertheless.
    return max(top, bottom) * max(left, right, 1) > _MAX_CELLS


def biff_records(data: bytes, at: int = 0) -> Iterator[tuple[int, int, int]]:
    """Each record from a place on: its number, where its body begins, and the body's length."""
    while at + 4 <= len(data):
        number, length = struct.unpack_from("<HH", data, at)
        yield number, at + 4, length
        at += 4 + length


@dataclass(frozen=True, slots=True)
class _Container:
    data: BinaryIO
    sector: int
    count: int
    """Sectors that the file can hold."""

    def read(self, number: int) -> bytes:
        self.data.seek((number + 1) * self.sector)
        return self.data.read(self.sector)

    def numbers(self, sectors: Iterable[int]) -> "array[int]":
        numbers = array("I")
        for sector in sectors:
            piece = self.read(sector)
            numbers.frombytes(piece[: len(piece) // 4 * 4])
        return numbers


def _streams_without_loops(stream: BinaryIO) -> Iterator[bytes]:
    """The large streams of a container; raises Unreadable where a chain never ends.

    Nothing comes of what is no container, which the library says better.
    """
    size = size_of(stream)
    header = bytes_at(stream, 0, _HEADER)
    if len(header) < _HEADER:
        return
    (shift,) = struct.unpack_from("<H", header, 30)
    if shift not in _SECTOR_SHIFTS:
        return
    sector = 1 << shift
    container = _Container(stream, sector, max(0, -(-size // sector) - 1))
    directory_start, small_start, more_start = (
        struct.unpack_from("<I", header, at)[0] for at in (48, 60, 68)
    )
    table = container.numbers(_sectors_of_table(container, header, more_start))
    seen = array("I", bytes(4 * len(table)))
    directory = _chain(table, directory_start, seen, 1)
    small_table = container.numbers(_chain(table, small_start, seen, 2))
    small_seen = array("I", bytes(4 * len(small_table)))
    for walk, start in enumerate(_starts(container, directory), start=3):
        _chain(small_table, start, small_seen, walk)
        yield b"".join(map(container.read, _chain(table, start, seen, walk)))
    stream.seek(0)


def _sectors_of_table(container: _Container, header: bytes, more: int) -> list[int]:
    sectors = list(struct.unpack_from(f"<{_IN_HEADER}I", header, 76))
    visited: set[int] = set()
    while more < min(_MAX_REGULAR, container.count):
        if more in visited:
            raise _loop()
        visited.add(more)
        numbers = container.numbers([more])
        if not numbers:
            break
        sectors += numbers[:-1]
        more = numbers[-1]
    return [number for number in dict.fromkeys(sectors) if number < container.count]


def _chain(table: Sequence[int], start: int, seen: "array[int]", walk: int) -> list[int]:
    """The sectors from a start to the end of their chain, or to where another walk was."""
    chain: list[int] = []
    while start < min(_MAX_REGULAR, len(table)):
        if seen[start] == walk:
            raise _loop()
        if seen[start]:
            break
        seen[start] = walk
        chain.append(start)
        start = table[start]
    return chain


def _starts(container: _Container, directory: list[int]) -> "Iterable[int]":
    """Where the streams of the directory begin."""
    for number in directory:
        entries = container.read(number)
        for at in range(0, len(entries) - _ENTRY + 1, _ENTRY):
            if entries[at + 66]:
                yield struct.unpack_from("<I", entries, at + 116)[0]


def _loop() -> Unreadable:
    return Unreadable(Trouble.CORRUPT, "a chain of its sectors leads back into itself")
