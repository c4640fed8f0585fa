"""Texts that are too long, too wide or crooked cost no more than they may, and it is told."""

import io
import random

import pytest

from crawler.readers.bounds import Bounds
from crawler.readers.content import Table
from crawler.readers.delimited import read_delimited
from crawler.readers.loaded_text import load_text


def table_of(data: bytes, bounds: Bounds, **options: bool) -> Table:
    return read_delimited(io.BytesIO(data), bounds, **options).tables[0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252", "utf-8-sig"])
def test_rows_beyond_the_bounds_are_counted(encoding):
    text = "région,b\n" + "é,2\n" * 50_000 + "Source: Office\n"
    table = table_of(text.encode(encoding), Bounds(rows=100))
    assert len(table.frame) == 100
    assert table.rows == 50_000
    assert table.cut
    assert table.footnotes == ("Source: Office",)


def test_cells_bound_the_rows_of_wide_tables():
    data = b",".join(b"c%d" % place for place in range(50)) + b"\n"
    data += (b",".join([b"1"] * 50) + b"\n") * 100
    table = table_of(data, Bounds(cells=1000))
    assert table.frame.shape == (20, 50)
    assert (table.rows, table.cut) == (100, True)


def test_columns_beyond_the_bounds_are_cut():
    data = b"a,b,c,d\n" + b"1,2,3,4\n" * 10
    table = table_of(data, Bounds(columns=2))
    assert list(table.frame.columns) == ["a", "b"]
    assert (table.rows, table.cut) == (10, True)


def test_table_within_its_bounds_is_not_cut():
    table = table_of(b"a,b\n1,2\n3,4\n", Bounds(rows=2))
    assert (table.rows, table.cut) == (2, False)


@pytest.mark.slow
def test_very_wide_table_is_read_row_by_row():
    names = ",".join(f"c{place}" for place in range(6_000))
    row = ",".join(str(place) for place in range(6_000))
    data = f"{names}\n{row}\n{row}\n1,2\n{row},9\n".encode()
    table = table_of(data, Bounds())
    assert table.frame.shape == (4, 6_001)
    assert table.frame["c5999"].iloc[0] == 5_999
    assert table.widths == {2: 1, 6_000: 2, 6_001: 1}
    assert table.rows == 4


def test_value_of_many_megabytes_is_read():
    data = b'a,b\n1,"' + b"x" * 5_000_000 + b'"\n2,y\n'
    table = table_of(data, Bounds())
    assert table.frame["b"].str.len().tolist() == [5_000_000, 1]


def test_ragged_rows_are_filled_up_kept_and_counted():
    data = b"a,b,c\n" + b"1,2,3\n" * 50 + b"4,5\n" + b"1,2,3\n" * 50 + b"6,7,8,9\n1,2,3,\n"
    table = table_of(data, Bounds())
    assert table.rows == len(table.frame) == 103
    assert table.frame["column 4"].dropna().tolist() == [9]
    assert table.frame["a"].tolist()[50] == 4
    assert table.widths == {2: 1, 3: 100, 4: 2}


def test_mixed_delimiters_show_in_the_widths():
    lines = ["1;2;3" if number % 4 == 0 else "1,2,3" for number in range(100)]
    table = table_of(("a,b,c\n" + "\n".join(lines)).encode(), Bounds())
    assert table.widths == {1: 25, 3: 75}


def test_widths_are_sampled_over_the_whole_of_a_large_text():
    lines = ["1,2,3"] * 300_000 + ["1,2"] * 100_000
    widths = table_of(("a,b,c\n" + "\n".join(lines)).encode(), Bounds()).widths
    assert 0.15 < widths[2] / sum(widths.values()) < 0.3


def test_nothing_is_read_beyond_the_rows_when_only_those_are_wanted():
    class Counting(io.BytesIO):
        taken = 0

        def read(self, size: int | None = -1) -> bytes:
            data = super().read(size)
            self.taken += len(data)
            return data

    stream = Counting(b"a,b\n" + b"1,2\n" * 10_000_000)
    content = read_delimited(stream, Bounds(rows=20), whole=False)
    assert len(content.tables[0].frame) == 20
    assert stream.taken < 10_000_000


def test_line_of_nothing_but_delimiters_is_no_table():
    assert read_delimited(io.BytesIO(b"," * 1_000_000)).tables == ()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "cp1252"])
def test_lines_are_counted_wherever_the_text_is_cut(end, encoding):
    text = "".join(f"{number}{end}" for number in range(5000))
    pick = random.Random(1)
    for most in [0, 1, 4999, 5000, 6000, *(pick.randrange(5000) for _ in range(5))]:
        loaded = load_text(io.BytesIO(text.encode(encoding)), encoding, most)
        kept = min(most, 5000)
        assert loaded.data.decode().split() == [str(number) for number in range(kept)]
        assert loaded.lines_beyond == 5000 - kept
