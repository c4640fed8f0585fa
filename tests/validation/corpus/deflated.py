"""Much of the same, packed by hand: one block again and again, so that making it is quick."""

import zlib
from dataclasses import dataclass

MEGABYTE = bytes(1_000_000)


@dataclass(frozen=True, slots=True)
class Deflated:
    """A deflate stream and the sums that go with it."""

    raw: bytes
    size: int
    crc: int
    adler: int


def zeros(megabytes: int, block: bytes = MEGABYTE) -> Deflated:
    """So many megabytes of zeros."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    crc, adler = 0, 1
    for _ in range(megabytes):
        crc = zlib.crc32(block, crc)
        adler = zlib.adler32(block, adler)
    return Deflated(packed * megabytes + packer.flush(), len(block) * megabytes, crc, adler)
