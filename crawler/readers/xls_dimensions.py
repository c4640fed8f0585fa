"""What an old workbook says of the size of its sheets, before it is opened.

The library makes room for as many cells as a sheet claims to have, and ends the process when there
is not that much memory.
"""

import struct
from collections.abc import Iterator
from typing import BinaryIO

from crawler.readers.content import Trouble
from crawler.readers.ole_chains import streams_without_loops
from crawler.readers.unreadable import Unreadable

_DIMENSIONS = 0x0200
_FORMS = {14: struct.Struct("<IIHH"), 10: struct.Struct("<HHHH")}
"""By the length of the record: first row, row after the last, and the same for columns."""
_MAX_CELLS = 65_536 * 256
"""Of any sheet in this format."""


def check_old_workbook(stream: BinaryIO) -> None:
    """Raises Unreadable for a container with loops, or sheets that claim to be endless."""
    for data in streams_without_loops(stream):
        heads = (struct.pack("<HH", _DIMENSIONS, length) for length in _FORMS)
        # Found among values these bytes mean nothing, so then the records are followed.
        if any(_claims(data, head) for head in heads) and any(
            _is_endless(data, at, length) for at, length in _records(data, _DIMENSIONS)
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


def _records(data: bytes, wanted: int) -> Iterator[tuple[int, int]]:
    """Where the bodies of the wanted records are, and their lengths."""
    at = 0
    while at + 4 <= len(data):
        number, length = struct.unpack_from("<HH", data, at)
        if number == wanted:
            yield at + 4, length
        at += 4 + length
