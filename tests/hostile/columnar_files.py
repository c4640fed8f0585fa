"""Hostile Parquet and Arrow files: lying footers, huge rows out of few bytes, deep types."""

import io
import random
import struct

import numpy as np
import pyarrow as pa

from tests.hostile.specimen import (
    BROKEN,
    CORRUPT,
    MEMORY,
    TOO_DEEP,
    TRUNCATED,
    VALID,
    of_kind,
)
from tests.validation.corpus.columnar_files import arrow_file, feather, parquet, table

columnar, arrow = of_kind("parquet"), of_kind("arrow")


def repeated(rows: int, text: str) -> bytes:
    """One text in so many rows, which a dictionary packs to nothing."""
    return parquet(pa.table({"value": pa.array([text]).take(pa.array(np.zeros(rows, np.int64)))}))


def deep(levels: int) -> bytes:
    kind: pa.DataType = pa.int64()
    value: object = 1
    for _ in range(levels):
        kind, value = pa.list_(kind), [value]
    return parquet(pa.table({"value": pa.array([value], kind)}))


def wide(columns: int) -> bytes:
    return parquet(pa.table({f"c{n}": pa.array([n]) for n in range(columns)}))


def noise(body: bytes, start: int, length: int) -> bytes:
    return body[:start] + random.Random(7).randbytes(length) + body[start + length :]


def stream_of(batches: int) -> bytes:
    target = io.BytesIO()
    schema = pa.schema([("value", pa.int64())])
    with pa.ipc.new_file(target, schema) as writer:
        for _ in range(batches):
            writer.write_batch(pa.record_batch([pa.array([1])], schema=schema))
    return target.getvalue()


SPECIMENS = (
    columnar(
        "footer-of-two-gigabytes",
        lambda: parquet()[:-8] + struct.pack("<I", 2_000_000_000) + b"PAR1",
        BROKEN,
        CORRUPT,
    ),
    columnar(
        "footer-of-nothing", lambda: b"PAR1" + struct.pack("<I", 0) + b"PAR1", BROKEN, CORRUPT
    ),
    columnar(
        "footer-of-noise", lambda: noise(parquet(), len(parquet()) - 300, 280), BROKEN, CORRUPT
    ),
    columnar("pages-of-noise", lambda: noise(parquet(), 10, 200), BROKEN, CORRUPT),
    columnar(
        "text-of-a-megabyte-in-1000-rows",
        lambda: repeated(1_000, "a" * 1_000_000),
        BROKEN,
        MEMORY,
    ),
    columnar(
        "one-value-in-two-million-rows",
        lambda: repeated(2_000_000, "a"),
        f"{VALID}|suspect",
        "numeric-share",
    ),
    columnar("lists-90-deep", lambda: deep(90), BROKEN, TOO_DEEP),
    columnar("five-thousand-columns", lambda: wide(5_000), f"{VALID}|suspect", "not-empty"),
    columnar("first-half", lambda: parquet()[:800], BROKEN, TRUNCATED),
    columnar(
        "equal-names",
        lambda: parquet(pa.Table.from_arrays([pa.array([1, 2])] * 300, names=["a"] * 300)),
        VALID,
    ),
    columnar(
        "name-with-a-null-character",
        lambda: parquet(table().rename_columns(["a\0b", "\x1b[2J", "c" * 100_000, ""])),
        VALID,
    ),
    arrow(
        "noise",
        lambda: noise(arrow_file(), 200, 300),
        BROKEN,
        CORRUPT,
    ),
    arrow("half", lambda: arrow_file()[:600], BROKEN, TRUNCATED),
    arrow(
        "footer-of-ones",
        lambda: arrow_file()[:-10] + b"\xff\xff\xff\x7f" + b"ARROW1",
        BROKEN,
        CORRUPT,
    ),
    arrow("ten-thousand-batches", lambda: stream_of(10_000), VALID),
    of_kind("feather")("noise", lambda: noise(feather(), 400, 300), BROKEN, CORRUPT),
)
