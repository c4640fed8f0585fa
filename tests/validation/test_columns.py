"""A column's type, range and role are told from its values and its name."""

from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from crawler.validation.columns import DescribedColumn, describe_column
from crawler.validation.outcome import ColumnRole, ColumnType


def described(values: object, name: str = "x", position: int = 3) -> DescribedColumn:
    return describe_column(pd.Series(values), name, position)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2, 3], ColumnType.INTEGER),
        ([1.0, 2.0, None], ColumnType.INTEGER),
        ([1.5, 2.0], ColumnType.NUMBER),
        ([True, False], ColumnType.BOOLEAN),
        (["a", "b"], ColumnType.TEXT),
        (["1", "2.5"], ColumnType.NUMBER),
        (["01001", "01002"], ColumnType.TEXT),
        (["1", "2", "confidential"], ColumnType.MIXED),
        ([1, "a", None], ColumnType.MIXED),
        ([None, None], ColumnType.EMPTY),
        ([], ColumnType.EMPTY),
        (["", " "], ColumnType.EMPTY),
        (["2020-01-31", "2020-02-29"], ColumnType.DATE),
        (["2020-Q1", "2020-Q2"], ColumnType.TEXT),
        (pd.to_datetime(["2020-01-31", None]), ColumnType.DATE),
        ([date(2020, 1, 31)], ColumnType.DATE),
        ([Decimal("1.25"), Decimal(3)], ColumnType.NUMBER),
        ([[1, 2], {"a": 1}], ColumnType.TEXT),
        (pd.Categorical(["a", "b"]), ColumnType.TEXT),
        (pd.array([1, None], dtype="Int64"), ColumnType.INTEGER),
        (pd.array([True, None], dtype="boolean"), ColumnType.BOOLEAN),
        ([b"a", b"b"], ColumnType.TEXT),
    ],
)
def test_the_values_tell_the_type(values: object, expected: ColumnType) -> None:
    assert described(values).profile.type is expected


@pytest.mark.parametrize(
    ("values", "least", "most"),
    [
        ([3, 1, 2], "1", "3"),
        ([0.5, -2.25, None], "-2.25", "0.5"),
        ([2**60, 1], "1", str(2**60)),
        (["b", "a"], "", ""),
        (["10", "9"], "9", "10"),
        (pd.to_datetime(["2020-01-31", "2019-05-01"]), "2019-05-01", "2020-01-31"),
        ([np.inf, 1.5], "1.5", "inf"),
    ],
)
def test_numbers_and_dates_have_a_range(values: object, least: str, most: str) -> None:
    profile = described(values).profile

    assert (profile.least, profile.most) == (least, most)


def test_periods_written_as_text_have_a_range_in_time() -> None:
    profile = described(["2021-Q1", "2019-Q4", "2020-Q2"], "TIME_PERIOD").profile

    assert (profile.role, profile.least, profile.most) == (ColumnRole.TIME, "2019-Q4", "2021-Q1")


@pytest.mark.parametrize(
    ("name", "position", "values", "role"),
    [
        ("year", 3, [2001, 2002], ColumnRole.TIME),
        ("Month", 3, ["January", "May"], ColumnRole.TIME),
        ("month", 3, [1, 12], ColumnRole.TIME),
        ("", 0, [2001, 2002, 2003], ColumnRole.TIME),
        ("births", 3, [2001, 2002, 2003], ColumnRole.MEASURE),
        ("time", 3, [12.5, 13.5], ColumnRole.MEASURE),
        ("when", 3, ["2020-01", "2020-02"], ColumnRole.TIME),
        ("code", 3, ["1011", "1012"], ColumnRole.MEASURE),
        ("country", 3, ["FR", "DE"], ColumnRole.GEOGRAPHY),
        ("value", 3, [1.5], ColumnRole.MEASURE),
        ("value", 3, ["1", "2", ":"], ColumnRole.MEASURE),
        ("label", 3, ["a", "b"], ColumnRole.OTHER),
    ],
)
def test_name_and_values_tell_what_a_column_stands_for(
    name: str, position: int, values: object, role: ColumnRole
) -> None:
    assert described(values, name, position).profile.role is role


def test_nulls_are_counted_in_the_whole_column() -> None:
    values = [None] * 30_000 + ["x"] * 10_000

    assert described(values).profile.nulls == 0.75


def test_a_column_that_is_nearly_empty_is_not_taken_for_empty() -> None:
    values: list[float | None] = [None] * 50_001
    values[7] = 2.5

    assert described(values).profile.type is ColumnType.NUMBER


def test_promised_dates_that_are_none_are_counted() -> None:
    assert described(["2020-01-01", "soon", "later", "x"], "date").dates_share == 0.25
    assert described([43831, 43832], "date").dates_share == 0.0
    assert described(["2020", "2021", "Total"], "year").dates_share == pytest.approx(0.6667)


def test_a_name_that_may_mean_something_else_promises_nothing() -> None:
    assert described([1, 2, 3], "year").dates_share is None
    assert described([12.5, 60.25], "time").dates_share is None
    assert described([1, 2, 12], "month").dates_share is None


def test_the_years_of_a_year_column_are_told_as_they_stand() -> None:
    assert described([2001, 2002, 2003, 20004], "year").years == (2001, 20004)
    assert described(["2001-05-01", "2003-05-01"], "date").years == (2001, 2003)
    assert described([202001, 202112], "period").years == (2020, 2021)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([2**62, None], pa.timestamp("s")),
        pa.array([Decimal("1.5"), None], pa.decimal128(10, 2)),
        pa.array([[1], None], pa.list_(pa.int64())),
        pa.array([{"a": 1}], pa.struct([("a", pa.int64())])),
        pa.array([1, None], pa.duration("s")),
        pa.array([b"\xff\x00", None], pa.binary()),
        pa.array([1, None], pa.time32("s")),
        pa.array([None, None], pa.null()),
    ],
    ids=lambda column: str(column.type),
)
def test_no_type_of_a_columnar_file_is_too_odd(column: pa.Array) -> None:
    series = pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([column])))

    found = describe_column(series, "x", 0)

    assert found.profile.nulls == pytest.approx(column.null_count / len(column))


def test_a_hostile_name_becomes_one_plain_line() -> None:
    name = described([1], "a\n\u202eb\x00" + "x" * 10_000).profile.name

    assert name.startswith("a bxxx")
    assert len(name) == 200
