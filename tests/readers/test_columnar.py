"""Parquet and Arrow: counted by their metadata, cut by rows, refused when they lie."""

import datetime
import decimal
import io
import struct
from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.columnar import read_columnar
from crawler.readers.content import Table, Trouble
from crawler.readers.kinds import Kind
from crawler.readers.unreadable import Unreadable

ROWS = 1000
PLAIN = pa.table({"region": [f"R{at % 7}" for at in range(ROWS)], "births": range(ROWS)})


def in_parquet(table: pa.Table, **options: object) -> bytes:
    target = io.BytesIO()
    parquet.write_table(table, target, **options)
    return target.getvalue()


def in_arrow(table: pa.Table) -> bytes:
    target = io.BytesIO()
    with pa.ipc.new_file(target, table.schema) as writer:
        writer.write_table(table, max_chunksize=100)
    return target.getvalue()


def read(data: bytes, kind: Kind, bounds: Bounds = DEFAULT_BOUNDS) -> Table:
    return read_columnar(io.BytesIO(data), kind, bounds).tables[0]


BOTH = [(in_parquet(PLAIN, row_group_size=150), Kind.PARQUET), (in_arrow(PLAIN), Kind.ARROW)]
IDS = ["parquet", "arrow"]


@pytest.mark.parametrize(("data", "kind"), BOTH, ids=IDS)
def test_table_is_read(data, kind):
    table = read(data, kind)
    assert (table.rows, table.cut, table.kind) == (ROWS, False, kind)
    assert table.frame["births"].tolist() == list(range(ROWS))


@pytest.mark.parametrize(("data", "kind"), BOTH, ids=IDS)
def test_rows_beyond_the_bounds_are_counted_only(data, kind):
    table = read(data, kind, replace(DEFAULT_BOUNDS, rows=220))
    assert (table.rows, table.cut) == (ROWS, True)
    assert table.frame["births"].tolist() == list(range(220))
    assert len(read(data, kind, replace(DEFAULT_BOUNDS, cells=100)).frame) == 50


@pytest.mark.parametrize(("data", "kind"), BOTH, ids=IDS)
def test_columns_are_bounded(data, kind):
    table = read(data, kind, replace(DEFAULT_BOUNDS, columns=1))
    assert list(table.frame.columns) == ["region"]
    assert table.cut


@pytest.mark.parametrize("write", [in_parquet, in_arrow])
def test_types_are_those_that_people_expect(write):
    day = datetime.date(2024, 2, 29)
    table = pa.table(
        {
            "day": [day, None],
            "amount": [decimal.Decimal("1.25"), None],
            "region": pa.array(["Nord", "Sud"]).dictionary_encode(),
        }
    )
    kind = Kind.PARQUET if write is in_parquet else Kind.ARROW
    frame = read(write(table), kind).frame
    assert str(frame["day"].dtype).startswith("datetime64")
    assert frame["amount"].tolist()[0] == 1.25
    assert frame["region"].tolist() == ["Nord", "Sud"]


def test_names_that_come_twice_are_told_apart():
    table = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    assert list(read(in_arrow(table), Kind.ARROW).frame.columns) == ["a", "a_2"]


def test_few_bytes_of_many_rows_are_cut_not_unpacked():
    column = pa.chunked_array([pa.array([7] * 10**6, pa.int64())] * 30)
    data = in_parquet(pa.table({"value": column}))
    assert len(data) < 10**6
    table = read(data, Kind.PARQUET, replace(DEFAULT_BOUNDS, rows=1000))
    assert (table.rows, len(table.frame)) == (30 * 10**6, 1000)


def trouble_of(data: bytes, kind: Kind) -> Trouble | None:
    try:
        read(data, kind)
    except Unreadable as error:
        return error.trouble
    return None


@pytest.mark.parametrize(("data", "kind"), BOTH, ids=IDS)
def test_truncated_file_is_told(data, kind):
    assert trouble_of(data[:-50], kind) is Trouble.TRUNCATED


def test_footer_that_is_larger_than_the_file_is_told():
    data = in_parquet(PLAIN)[:-8] + struct.pack("<I", 2**31) + b"PAR1"
    assert trouble_of(data, Kind.PARQUET) is Trouble.CORRUPT


def test_encrypted_file_is_told():
    assert (
        trouble_of(b"PARE" + in_parquet(PLAIN)[4:-4] + b"PARE", Kind.PARQUET) is Trouble.ENCRYPTED
    )


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(BOTH), st.integers(0, 10**6), st.integers(1, 255))
def test_changed_byte_gives_a_table_or_a_trouble(both, place, change):
    data, kind = both
    body = bytearray(data)
    body[place % len(body)] ^= change
    trouble_of(bytes(body), kind)
