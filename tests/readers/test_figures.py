"""Columns of text that hold numbers, as countries write them, become numbers."""

import math

import pyarrow as pa
import pytest

from crawler.readers.figures import column_of, frame_of


def values_of(texts: list[str | None], decimal: str = ".") -> list[object]:
    found = column_of(pa.chunked_array([pa.array(texts, pa.string())]), decimal)
    values = found.to_pandas().tolist()
    return [None if isinstance(one, float) and math.isnan(one) else one for one in values]


@pytest.mark.parametrize(
    ("texts", "decimal", "values"),
    [
        (["1", "2"], ".", [1, 2]),
        (["1.5", "-2"], ".", [1.5, -2.0]),
        ([" 1 ", "2"], ".", [1, 2]),
        (["1e3", "2.5E-1"], ".", [1000.0, 0.25]),
        (["1,234", "5,678,901"], ".", [1234, 5678901]),
        (["1 234", "12 345 678"], ".", [1234, 12345678]),
        (["1\u00a0234,5", "12\u202f345,6"], ",", [1234.5, 12345.6]),
        (["1'234.5", "12’345.6"], ".", [1234.5, 12345.6]),
        (["1.234,50", "2"], ",", [1234.5, 2.0]),
        (["1,5", ",5"], ",", [1.5, 0.5]),
        (["−5", "△21", "▲3"], ".", [-5, -21, -3]),
        (["1", "", None, "2"], ".", [1.0, None, None, 2.0]),
    ],
)
def test_numbers_are_read_as_they_are_written(texts, decimal, values):
    assert values_of(texts, decimal) == values


@pytest.mark.parametrize("mark", [":", "..", "…", "-", "n/a", "x", "NA", "*", "."])
def test_marks_among_numbers_are_gaps(mark):
    assert values_of(["1.5", mark, "2.5"]) == [1.5, None, 2.5]


def test_marks_among_texts_are_gaps_where_they_say_nothing_else():
    assert values_of(["NA", "x", "..", "FR"]) == ["NA", "x", None, "FR"]


@pytest.mark.parametrize(
    "texts",
    [
        ["01", "02"],
        ["10", "01"],
        ["2020,5", "2021,51"],
        ["01.02.2024", "03.04.2024"],
        ["12345678901234567890123", "1"],
        ["1,23,4", "5"],
        ["1.2.3", "4"],
        ["2020-01", "2020-02"],
        ["1", "a"],
    ],
)
def test_codes_dates_and_words_stay_texts(texts):
    assert values_of(texts) == texts


def test_code_far_down_keeps_a_column_text():
    texts: list[str | None] = [str(number) for number in range(10, 5000)]
    assert values_of([*texts, "007"])[-1] == "007"
    assert values_of([*texts, "word"])[0] == "10"


def test_mark_far_down_is_a_gap_all_the_same():
    texts: list[str | None] = [str(number) for number in range(10, 5000)]
    found = values_of([*texts, ":", *texts])
    assert found[len(texts)] is None
    assert found[0] == 10.0


def test_truth_is_read():
    assert values_of(["true", "False", None]) == [True, False, None]


def test_blanks_around_texts_are_taken_away():
    assert values_of(["a ", "\u00a0b", " "]) == ["a", "b", None]


def test_empty_column_is_numbers_without_any():
    assert values_of([None, "", " "]) == [None, None, None]


def test_columns_of_one_name_are_kept_apart():
    column = pa.chunked_array([pa.array(["1", "2"])])
    frame = frame_of(pa.Table.from_arrays([column, column], names=["a", "a"]))
    assert frame.shape == (2, 2)
    assert list(frame.columns) == ["a", "a"]
