"""Hostile files of Excel 97: loops in the container, lying records, far cells."""

import random
import struct
from collections.abc import Callable

from tests.hostile.specimen import (
    BROKEN,
    CORRUPT,
    DOCUMENT,
    MEMORY,
    TOO_LARGE,
    TRUNCATED,
    VALID,
    of_kind,
)
from tests.readers.test_xlsb_extent import figure, row, shared, texts_of, with_cells
from tests.validation.corpus.old_workbooks import xls, xls_book, xlsb

old = of_kind("xls")
SECTOR = 512
FAT_AT = 76
DIMENSIONS, ROW, NUMBER, LABEL, BOUND_SHEET, SST = 0x200, 0x208, 0x203, 0x204, 0x85, 0xFC


def patched(at: int, value: bytes) -> bytes:
    body = bytearray(xls())
    body[at : at + len(value)] = value
    return bytes(body)


def with_fat(change: Callable[[list[int]], None]) -> bytes:
    """The table that says which sector follows which, changed."""
    body = bytearray(xls())
    sector = struct.unpack_from("<I", body, FAT_AT)[0]
    at = (sector + 1) * SECTOR
    entries = list(struct.unpack_from("<128I", body, at))
    change(entries)
    struct.pack_into("<128I", body, at, *entries)
    return bytes(body)


def chain_to_itself(entries: list[int]) -> None:
    for place in range(len(entries)):
        if entries[place] < 0xFFFFFFF0:
            entries[place] = place


def chain_to_the_start(entries: list[int]) -> None:
    for place in range(len(entries)):
        if entries[place] < 0xFFFFFFFA:
            entries[place] = 0


def chain_two(entries: list[int]) -> None:
    entries[0], entries[1] = 1, 0


def chain_behind_the_end(entries: list[int]) -> None:
    entries[0] = 0x7FFFFFFF


def with_records(change: Callable[[int, bytes], bytes], extra: bytes = b"") -> bytes:
    """The stream of records, each changed; `extra` before the last one."""
    import io

    from xlwt.CompoundDoc import XlsDoc

    stream, at, made = xls_book().get_biff_data(), 0, bytearray()
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        record = change(kind, stream[at + 4 : at + 4 + length])
        made += struct.pack("<HH", kind, len(record)) + record
        at += 4 + length
    made[-4:] = extra + made[-4:]
    target = io.BytesIO()
    XlsDoc().save(target, bytes(made))
    return target.getvalue()


def only(kind: int, change: Callable[[bytes], bytes]) -> bytes:
    return with_records(lambda one, record: change(record) if one == kind else record)


def record(kind: int, body: bytes) -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def number(row: int, column: int) -> bytes:
    return record(NUMBER, struct.pack("<HHHd", row, column, 0, 1.0))


def same(_kind: int, body: bytes) -> bytes:
    return body


BY_ITS_SIZE = f"{MEMORY}|{TOO_LARGE}|{CORRUPT}"
"""Refused for what it says of its size, or stopped at the bound of its reader."""

SPECIMENS = (
    old("sectors-follow-themselves", lambda: with_fat(chain_to_itself), BROKEN, CORRUPT),
    old("sectors-follow-the-first", lambda: with_fat(chain_to_the_start), BROKEN, CORRUPT),
    old("two-sectors-in-a-circle", lambda: with_fat(chain_two), BROKEN, CORRUPT),
    old("sector-behind-the-end", lambda: with_fat(chain_behind_the_end), BROKEN, CORRUPT),
    old(
        "four-billion-tables-of-sectors",
        lambda: patched(44, b"\xff\xff\xff\xff"),
        BROKEN,
        BY_ITS_SIZE,
    ),
    old(
        "list-of-tables-is-the-header",
        lambda: patched(68, b"\0\0\0\0\xff\xff\xff\x7f"),
        BROKEN,
        CORRUPT,
    ),
    old("directory-behind-the-end", lambda: patched(48, b"\xff\xff\xff\x0f"), BROKEN, CORRUPT),
    old("directory-in-the-table", lambda: patched(48, xls()[76:80]), BROKEN, CORRUPT),
    old("sector-of-two-to-the-255th", lambda: patched(30, b"\xff\0"), BROKEN, CORRUPT),
    old("sector-of-one-byte", lambda: patched(30, b"\0\0"), BROKEN, CORRUPT),
    old(
        "mini-sector-of-two-to-the-255th",
        lambda: patched(32, b"\xff\0"),
        BROKEN,
        CORRUPT,
    ),
    old("header-of-ones", lambda: xls()[:8] + b"\xff" * 504 + xls()[512:], BROKEN, CORRUPT),
    old(
        "noise-behind-the-header",
        lambda: xls()[:512] + random.Random(8).randbytes(8192),
        BROKEN,
        CORRUPT,
    ),
    old(
        "dimensions-of-all",
        lambda: only(DIMENSIONS, lambda _: struct.pack("<IIHHH", 0, 0xFFFFFFFF, 0, 0xFFFF, 0)),
        BROKEN,
        BY_ITS_SIZE,
    ),
    old(
        "dimensions-backwards",
        lambda: only(DIMENSIONS, lambda _: struct.pack("<IIHHH", 9, 0, 9, 0, 0)),
        VALID,
    ),
    old(
        "far-cells",
        lambda: with_records(same, number(65535, 255)),
        BROKEN,
        BY_ITS_SIZE,
    ),
    old(
        "far-cells-behind-the-edge",
        lambda: with_records(same, number(65535, 65535)),
        BROKEN,
        BY_ITS_SIZE,
    ),
    old(
        "cell-hundred-thousand-times",
        lambda: with_records(same, number(40, 0) * 100_000),
        VALID,
    ),
    old(
        "sheet-at-the-start",
        lambda: only(BOUND_SHEET, lambda body: struct.pack("<I", 0) + body[4:]),
        DOCUMENT,
        "no-table",
    ),
    old(
        "sheet-behind-the-end",
        lambda: only(BOUND_SHEET, lambda body: struct.pack("<I", 0xFFFFFFFF) + body[4:]),
        BROKEN,
        CORRUPT,
    ),
    old(
        "texts-four-billion",
        lambda: only(SST, lambda body: b"\xff" * 8 + body[8:]),
        VALID,
    ),
    old(
        "text-longer-than-its-record",
        lambda: with_records(same, record(LABEL, struct.pack("<HHHH", 40, 0, 0, 0xFFFF) + b"\0ab")),
        VALID,
    ),
    old(
        "texts-of-nothing",
        lambda: only(SST, lambda _: b""),
        BROKEN,
        CORRUPT,
    ),
    of_kind("xlsb")(
        "noise",
        lambda: xlsb()[:400] + random.Random(9).randbytes(600) + xlsb()[1000:],
        BROKEN,
        CORRUPT,
    ),
    of_kind("xlsb")("half", lambda: xlsb()[:700], BROKEN, TRUNCATED),
    of_kind("xlsb")(
        "cell-in-the-last-corner",
        lambda: with_cells(row(1_048_575) + figure(16_383)),
        BROKEN,
        TOO_LARGE,
    ),
    of_kind("xlsb")(
        "column-beyond-any",
        lambda: with_cells(row(9) + figure(2**32 - 1)),
        BROKEN,
        TOO_LARGE,
    ),
    of_kind("xlsb")(
        "texts-of-many-cells",
        lambda: with_cells(
            b"".join(row(at) + shared(0, 0) for at in range(20, 2020)),
            texts=texts_of("x" * 1_000_000),
        ),
        BROKEN,
        TOO_LARGE,
    ),
)
