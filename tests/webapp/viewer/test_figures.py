"""Figures of columns, series of tables, and where they are drawn."""

import pandas as pd
import pytest

from crawler.webapp.viewer.charts import draw_bars, draw_line, figure
from crawler.webapp.viewer.column_figures import figures_of
from crawler.webapp.viewer.series import Point, Series, series_of

TABLE = pd.DataFrame(
    {
        "region": ["Bayern", "Hessen", "Bayern", "Hessen"],
        "year": [2023, 2023, 2024, 2024],
        "births": [10, 20, 11, 21],
    }
)


def test_numbers_are_spread_over_ten_ranges():
    found = figures_of("births", pd.Series([1.0, 2.0, None, 11.0]))
    assert (found.filled, found.missing, found.distinct) == (3, 1, 3)
    assert (found.least, found.most) == ("1", "11")
    assert [share.rows for share in found.shares] == [1, 1, 0, 0, 0, 0, 0, 0, 0, 1]


def test_texts_are_counted_by_value():
    found = figures_of("region", pd.Series(["a", "b", "a", None]))
    assert [(share.label, share.rows) for share in found.shares] == [("a", 2), ("b", 1)]
    assert figures_of("empty", pd.Series([None, None], dtype=object)).shares == ()


def test_measure_is_added_up_over_time_and_over_places():
    drawable = series_of(TABLE)
    assert drawable.over_time == Series(
        "Sum of births by year", (Point("2023", 30.0), Point("2024", 32.0))
    )
    assert drawable.over_places == Series(
        "Sum of births by region", (Point("Hessen", 41.0), Point("Bayern", 21.0))
    )


def test_decimals_are_averaged_and_a_single_point_is_not_drawn():
    drawable = series_of(TABLE.assign(births=[0.5, 1.5, 1.0, 2.0]))
    assert drawable.over_time is not None
    assert drawable.over_time.title == "Mean of births by year"
    assert series_of(TABLE.iloc[:1]).over_time is None


def test_line_starts_at_zero_and_ends_at_the_right():
    chart = draw_line(Series("births", (Point("2023", 30.0), Point("2024", 32.0))))
    assert chart is not None
    first, last = chart.line.split()
    assert first.startswith(f"{chart.left}.0,")
    assert last.startswith(f"{chart.right}.0,")
    assert chart.up[0].label == "0"
    assert chart.rows == (("2023", "30"), ("2024", "32"))
    assert draw_line(None) is None


def test_bars_below_zero_end_where_those_above_begin():
    chart = draw_bars(Series("balance", (Point("a", 10.0), Point("b", -5.0))))
    assert chart is not None
    up, down = chart.bars
    assert down.left + down.width == up.left
    assert figure(1234.5) == "1,234"
    assert figure(0.125) == "0.125"


@pytest.mark.parametrize(
    ("values", "least", "most"),
    [
        ([1995, 2025], "1995", "2025"),
        ([500_000, 1_490_000], "500,000", "1,490,000"),
        ([12_345, 67_890], "12,345", "67,890"),
        ([0.25, 1.5], "0.25", "1.5"),
        ([1, 2 * 10**12], "1", "2e+12"),
    ],
)
def test_numbers_are_written_as_people_read_them(values, least, most):
    found = figures_of("any", pd.Series(values))
    assert (found.least, found.most) == (least, most)
