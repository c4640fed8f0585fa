"""Archives that unpack to more than they may, or lie about it."""

import bz2
import gzip
import io
import lzma
import struct
import zipfile
from collections.abc import Callable

from crawler.lab.sites.files.csv_files import archive
from crawler.readers.bounds import DEFAULT_BOUNDS
from crawler.readers.kinds import Kind
from crawler.validation.outcome import Judgement
from tests.validation.corpus import codes
from tests.validation.corpus.archive_files import CSV, seven_zip
from tests.validation.corpus.deflated import Deflated, zeros
from tests.validation.corpus.figures import births
from tests.validation.corpus.specimen import Expected, Specimen

MEGABYTE = b"1,2,3,4\n" * 125_000


def one_member(content: Deflated, told: int) -> bytes:
    """A ZIP archive of one member that says it is so large."""
    name, size = b"births.csv", len(content.raw)
    sums = (content.crc, size, told, len(name), 0)
    local = struct.pack("<4sHHHHHIIIHH", b"PK\x03\x04", 20, 0, 8, 0, 33, *sums)
    central = struct.pack(
        "<4sHHHHHHIIIHHHHHII", b"PK\x01\x02", 20, 20, 0, 8, 0, 33, *sums, 0, 0, 0, 0, 0
    )
    start, length = len(local) + len(name) + size, len(central) + len(name)
    tail = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 1, 1, length, start, 0)
    return local + name + content.raw + central + name + tail


def flat() -> bytes:
    """300 MB of zeros."""
    content = zeros(300)
    return one_member(content, content.size)


def lying_sizes() -> bytes:
    """300 MB that the directory says are 100 bytes."""
    return one_member(zeros(300), 100)


def nested() -> bytes:
    """Sixteen times sixteen times sixteen bombs."""
    body = flat()
    for _ in range(3):
        # The names differ, so that nobody can call it one file.
        body = archive({f"{number}.zip": body for number in range(16)})
    return body


def deep() -> bytes:
    """A table in eight archives, each inside the next."""
    body = archive({"births.csv": CSV})
    for level in range(8):
        body = archive({f"level{level}.zip": body})
    return body


def overlapping() -> bytes:
    """A thousand members that are all the same 10 MB."""
    packed = archive({"a.csv": bytes(10_000_000)})
    start = packed.index(b"PK\x01\x02")
    entry = bytearray(packed[start : packed.index(b"PK\x05\x06")])
    name_at = 46
    entries = bytearray()
    for number in range(900):
        entry[name_at] = 97 + number % 26
        entries += entry
    tail = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 900, 900, len(entries), start, 0)
    return packed[:start] + bytes(entries) + tail


def many_members() -> bytes:
    """20,000 members of a few bytes."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for number in range(20_000):
            file.writestr(f"{number}.csv", b"a,b\n1,2\n")
    return target.getvalue()


def gzip_bomb() -> bytes:
    """400 MB of zeros."""
    content = zeros(400)
    head = b"\x1f\x8b\x08\0\0\0\0\0\x02\xff"
    return head + content.raw + struct.pack("<II", content.crc, content.size)


def gzip_twice() -> bytes:
    """The same, packed once more, so that it begins with 1 KB."""
    return gzip.compress(gzip_bomb(), 9, mtime=0)


def gzip_members() -> bytes:
    """A gzip file of many streams, each a megabyte of one line."""
    return gzip.compress(MEGABYTE, 9, mtime=0) * 400


def bzip2_bomb() -> bytes:
    """300 MB of zeros, in streams of ten."""
    return bz2.compress(bytes(10_000_000)) * 30


def xz_bomb() -> bytes:
    """300 MB of zeros, in streams of ten."""
    return lzma.compress(bytes(10_000_000), preset=1) * 30


def seven_zip_bomb() -> bytes:
    """40 MB of zeros."""
    return seven_zip({"births.csv": bytes(40_000_000)})


def bomb(
    name: str, make: Callable[[], bytes], kind: Kind = Kind.ZIP, reason: str = codes.BOMB
) -> Specimen:
    """An archive that is refused."""
    suffix = {Kind.GZIP: "csv.gz", Kind.BZIP2: "csv.bz2", Kind.XZ: "csv.xz"}.get(kind, kind.value)
    return Specimen(
        name,
        make,
        kind,
        Judgement.BROKEN,
        file_name=f"births.{suffix}",
        declared="application/octet-stream",
        reasons=(reason,),
        tables=(),
    )


SPECIMENS = (
    bomb("zip-bomb", flat),
    bomb("zip-bomb-nested", nested, reason=f"{codes.BOMB}|{codes.TOO_DEEP}"),
    bomb("zip-bomb-overlapping", overlapping),
    bomb("zip-bomb-lying-sizes", lying_sizes, reason=f"{codes.BOMB}|{codes.CORRUPT}"),
    bomb("zip-eight-deep", deep, reason=f"{codes.BOMB}|{codes.TOO_DEEP}"),
    bomb("gzip-bomb", gzip_bomb, Kind.GZIP),
    bomb("gzip-bomb-packed-twice", gzip_twice, Kind.GZIP),
    bomb("gzip-bomb-of-many-streams", gzip_members, Kind.GZIP),
    bomb("bzip2-bomb", bzip2_bomb, Kind.BZIP2),
    bomb("xz-bomb", xz_bomb, Kind.XZ),
    bomb("7z-bomb", seven_zip_bomb, Kind.SEVEN_ZIP),
    Specimen(
        "zip-well-packed",
        lambda: archive({"births.csv": CSV, "constant.csv": b"a,b\n" + b"1,2\n" * 100_000}),
        Kind.ZIP,
        Judgement.VALID,
        file_name="births.zip",
        tables=(births("births.csv"), Expected(rows=100_000, names=("a", "b"))),
    ),
    Specimen(
        "zip-twenty-thousand-members",
        many_members,
        Kind.ZIP,
        Judgement.VALID,
        file_name="births.zip",
        tables=(Expected(rows=1, names=("a", "b")),) * DEFAULT_BOUNDS.tables,
    ),
)
