"""Parquet without a library: one row group, plain pages, the footer in Thrift's compact form."""

import struct

from crawler.lab.sites.files.figures import Cube

MAGIC = b"PAR1"
DOUBLE, BYTE_ARRAY = 5, 6
"""Physical types, by their numbers in parquet.thrift."""

_I32, _I64, _BINARY, _LIST, _STRUCT = 5, 6, 8, 9, 12


def parquet(cube: Cube) -> bytes:
    """Three columns: period, region and value; one row per period and region."""
    width = len(cube.regions)
    periods = [period.encode() for period in cube.periods for _ in range(width)]
    regions = [name.encode() for _, name in cube.regions] * len(cube.periods)
    values = [value for row in cube.values for value in row]
    out = bytearray(MAGIC)
    chunks = []
    for name, kind, body in (
        ("period", BYTE_ARRAY, _texts(periods)),
        ("region", BYTE_ARRAY, _texts(regions)),
        ("value", DOUBLE, struct.pack(f"<{len(values)}d", *values)),
    ):
        offset = len(out)
        out += _page_header(len(values), len(body)) + body
        chunks.append(_column_chunk(name, kind, len(values), offset, len(out) - offset))
    footer = _footer(chunks, len(values), len(out) - len(MAGIC), cube.title)
    return bytes(out) + footer + struct.pack("<I", len(footer)) + MAGIC


def _texts(texts: list[bytes]) -> bytes:
    return b"".join(struct.pack("<I", len(text)) + text for text in texts)


def _page_header(values: int, size: int) -> bytes:
    # Plain encoding (0); no levels, since every field is required, declared as RLE (3).
    data = _struct((1, _I32, values), (2, _I32, 0), (3, _I32, 3), (4, _I32, 3))
    return _struct((1, _I32, 0), (2, _I32, size), (3, _I32, size), (5, _STRUCT, data))


def _column_chunk(name: str, kind: int, values: int, offset: int, size: int) -> bytes:
    metadata = _struct(
        (1, _I32, kind),
        (2, _LIST, _list(_I32, [_zigzag(0)])),
        (3, _LIST, _list(_BINARY, [_text(name)])),
        (4, _I32, 0),
        (5, _I64, values),
        (6, _I64, size),
        (7, _I64, size),
        (9, _I64, offset),
    )
    return _struct((2, _I64, offset), (3, _STRUCT, metadata))


def _footer(chunks: list[bytes], rows: int, size: int, title: str) -> bytes:
    root = _struct((4, _BINARY, _text("table")), (5, _I32, 3))
    texts = [
        _struct((1, _I32, BYTE_ARRAY), (3, _I32, 0), (4, _BINARY, _text(name)), (6, _I32, 0))
        for name in ("period", "region")
    ]
    value = _struct((1, _I32, DOUBLE), (3, _I32, 0), (4, _BINARY, _text("value")))
    group = _struct((1, _LIST, _list(_STRUCT, chunks)), (2, _I64, size), (3, _I64, rows))
    note = _struct((1, _BINARY, _text("title")), (2, _BINARY, _text(title)))
    return _struct(
        (1, _I32, 1),
        (2, _LIST, _list(_STRUCT, [root, *texts, value])),
        (3, _I64, rows),
        (4, _LIST, _list(_STRUCT, [group])),
        (5, _LIST, _list(_STRUCT, [note])),
        (6, _BINARY, _text("Office of Statistics of Norvenia")),
    )


def _struct(*fields: tuple[int, int, int | bytes]) -> bytes:
    """A compact struct; field numbers rise by at most 15, so that each head is one byte."""
    out = bytearray()
    last = 0
    for number, kind, value in fields:
        out.append((number - last) << 4 | kind)
        out += _zigzag(value) if isinstance(value, int) else value
        last = number
    return bytes(out) + b"\x00"


def _list(kind: int, items: list[bytes]) -> bytes:
    """A compact list of at most 14 items that are encoded already."""
    return bytes([len(items) << 4 | kind]) + b"".join(items)


def _text(text: str) -> bytes:
    encoded = text.encode()
    return _varint(len(encoded)) + encoded


def _zigzag(value: int) -> bytes:
    return _varint(value << 1)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
