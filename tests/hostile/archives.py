"""Hostile archives: bombs, lies, loops, names, damage."""

import bz2
import gzip
import io
import lzma
import random
import struct
import tarfile
import zipfile
import zlib

from crawler.lab.sites.files.csv_files import archive
from tests.hostile.specimen import (
    BOMB,
    BROKEN,
    CORRUPT,
    DOCUMENT,
    ENCRYPTED,
    NOT_A_DATASET,
    TOO_DEEP,
    TRUNCATED,
    UNSUPPORTED,
    VALID,
    of_kind,
)
from tests.hostile.texts import TABLE
from tests.validation.corpus import bombs
from tests.validation.corpus.archive_files import seven_zip

zipped, gz = of_kind("zip"), of_kind("csv.gz")
NESTED = f"{BOMB}|{TOO_DEEP}"


def with_names(*names: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for name in names:
            file.writestr(zipfile.ZipInfo(name), TABLE)
    return target.getvalue()


def changed(offset: int, value: bytes, entry: bytes = b"PK\x01\x02") -> bytes:
    """An archive whose directory says something else at an offset of an entry."""
    packed = bytearray(archive({"births.csv": TABLE}))
    start = packed.rindex(entry) + offset
    packed[start : start + len(value)] = value
    return bytes(packed)


def damaged_member() -> bytes:
    """A member whose packed bytes were overwritten; the directory is whole."""
    packed = bytearray(archive({"births.csv": TABLE}))
    packed[100:400] = random.Random(4).randbytes(300)
    return bytes(packed)


def same_name(times: int) -> bytes:
    import warnings

    target = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(target, "w") as file:
        warnings.simplefilter("ignore")
        for _ in range(times):
            file.writestr("births.csv", TABLE)
    return target.getvalue()


def zip_of(body: bytes, method: int) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as file:
        file.writestr("births.csv", body)
    return target.getvalue()


def itself() -> bytes:
    """A gzip file that holds a zip that holds a gzip, ten times."""
    body = TABLE
    for level in range(10):
        body = archive({f"{level}.csv.gz": gzip.compress(body, mtime=0)})
    return body


def symlink() -> bytes:
    """A member that is a link to a file of this machine."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        info = zipfile.ZipInfo("link.csv")
        info.create_system, info.external_attr = 3, 0o120777 << 16
        file.writestr(info, "/etc/passwd")
        file.writestr("births.csv", TABLE)
    return target.getvalue()


def tar_of_devices() -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as file:
        for name, kind in (("a", tarfile.CHRTYPE), ("b", tarfile.FIFOTYPE), ("c", tarfile.SYMTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            file.addfile(info)
    return target.getvalue()


def gzip_header_without_end() -> bytes:
    """A file name in the header of five megabytes."""
    return (
        b"\x1f\x8b\x08\x08\0\0\0\0\x02\xff" + b"n" * 5_000_000 + b"\0" + gzip.compress(TABLE)[10:]
    )


def wrong_sum() -> bytes:
    return gzip.compress(TABLE, mtime=0)[:-8] + b"\1\2\3\4" + struct.pack("<I", len(TABLE))


BAD_NAMES = (
    "../../../tmp/x.csv",
    "/etc/x.csv",
    "C:\\x.csv",
    "a\0b.csv",
    "n" * 60_000 + ".csv",
    "\u202ecsv.exe",
    "con.csv",
    "-rf.csv",
    "a/" * 2000 + "x.csv",
    "\x1b[2J.csv",
)

SPECIMENS = (
    zipped("bomb", bombs.flat, BROKEN, BOMB),
    zipped("bomb-lying-sizes", bombs.lying_sizes, BROKEN, BOMB),
    zipped("bomb-nested", bombs.nested, BROKEN, BOMB),
    zipped("bomb-overlapping", bombs.overlapping, BROKEN, BOMB),
    zipped("bomb-in-bzip2", lambda: zip_of(bytes(60_000_000), zipfile.ZIP_BZIP2), BROKEN, BOMB),
    zipped("bomb-in-lzma", lambda: zip_of(bytes(60_000_000), zipfile.ZIP_LZMA), BROKEN, BOMB),
    zipped("eight-deep", bombs.deep, BROKEN, TOO_DEEP),
    zipped("gzip-in-zip-ten-deep", itself, BROKEN, TOO_DEEP),
    zipped("twenty-thousand-members", bombs.many_members, VALID),
    zipped("one-name-300-times", lambda: same_name(300), VALID),
    *(
        zipped(
            f"name-{number}",
            lambda name=name: with_names(name, "births.csv"),
            f"{VALID}|suspect",
            "unread-parts",
        )
        for number, name in enumerate(BAD_NAMES)
    ),
    zipped("link-to-this-machine", symlink, VALID),
    zipped("damaged-member", damaged_member, BROKEN, CORRUPT),
    zipped("wrong-sum", lambda: changed(16, b"\1\2\3\4"), BROKEN, CORRUPT),
    zipped("method-99", lambda: changed(10, b"\x63\0"), BROKEN, UNSUPPORTED),
    zipped("flag-of-a-password", lambda: changed(8, b"\1\0"), BROKEN, ENCRYPTED),
    zipped("place-behind-the-end", lambda: changed(42, b"\xff\xff\xff\x7f"), BROKEN, CORRUPT),
    zipped(
        "size-of-four-gigabytes",
        lambda: changed(24, b"\xfe\xff\xff\xff"),
        BROKEN,
        BOMB,
    ),
    zipped(
        "directory-before-the-start",
        lambda: changed(16, b"\xff\xff\xff\x00", b"PK\x05\x06"),
        BROKEN,
        CORRUPT,
    ),
    zipped(
        "directory-of-65535",
        lambda: changed(8, b"\xff\xff\xff\xff", b"PK\x05\x06"),
        VALID,
    ),
    zipped("half", lambda: archive({"births.csv": TABLE})[:900], BROKEN, TRUNCATED),
    zipped("head-only", lambda: b"PK\x03\x04" + bytes(26), BROKEN, TRUNCATED),
    zipped(
        "end-only",
        lambda: b"PK\x05\x06" + bytes(18),
        DOCUMENT,
        "no-table",
    ),
    gz("bomb", bombs.gzip_bomb, BROKEN, BOMB),
    gz("bomb-packed-twice", bombs.gzip_twice, BROKEN, BOMB),
    gz("bomb-of-many-streams", bombs.gzip_members, BROKEN, BOMB),
    gz(
        "ten-times-packed",
        lambda: __import__("functools").reduce(
            lambda body, _: gzip.compress(body, mtime=0), range(10), TABLE
        ),
        BROKEN,
        TOO_DEEP,
    ),
    gz("header-without-end", gzip_header_without_end, VALID),
    gz("wrong-sum", wrong_sum, BROKEN, CORRUPT),
    gz(
        "noise-behind",
        lambda: gzip.compress(TABLE, mtime=0) + random.Random(5).randbytes(1000),
        BROKEN,
        CORRUPT,
    ),
    gz("half", lambda: gzip.compress(TABLE, mtime=0)[:500], BROKEN, TRUNCATED),
    gz(
        "tar-of-devices",
        tar_of_devices,
        DOCUMENT,
        "no-table",
    ),
    of_kind("csv.bz2")("bomb", bombs.bzip2_bomb, BROKEN, BOMB),
    of_kind("csv.bz2")("half", lambda: bz2.compress(TABLE)[:500], BROKEN, TRUNCATED),
    of_kind("csv.xz")("bomb", bombs.xz_bomb, BROKEN, BOMB),
    of_kind("csv.xz")(
        "dictionary-of-gigabytes",
        lambda: (
            lzma.compress(TABLE, lzma.FORMAT_ALONE)[:1] + b"\xff\xff\xff\xff" + bytes(8) + TABLE
        ),
        NOT_A_DATASET,
        "unknown-kind",
    ),
    of_kind("7z")("bomb", bombs.seven_zip_bomb, BROKEN, BOMB),
    of_kind("7z")("half", lambda: seven_zip({"births.csv": TABLE})[:200], BROKEN, TRUNCATED),
    of_kind("7z")(
        "noise-in-the-header",
        lambda: seven_zip({"births.csv": TABLE})[:40] + random.Random(6).randbytes(500),
        BROKEN,
        TRUNCATED,
    ),
    of_kind("csv.zz")(
        "bare-deflate",
        lambda: zlib.compress(TABLE),
        NOT_A_DATASET,
        "unknown-kind",
    ),
)
