"""Rows that pass filters, in the order that is wanted."""

import pandas as pd
import pytest

from crawler.webapp.viewer.selection import NoSuchColumn, select_rows
from crawler.webapp.viewer.view import Comparison, Filter, View, read_filter

FRAME = pd.DataFrame(
    {"region": ["Ost", "Nord", None, "Süd"], "year": [2020, 2019, 2021, 2020], "-x": [1, 2, 3, 4]}
)


def regions(*filters: str, sort: str = "") -> list[object]:
    view = View(sort=sort, filters=tuple(map(read_filter, filters)))
    chosen = select_rows(FRAME, view).region
    return [None if one is None or one != one else one for one in chosen]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (["year=2020"], ["Ost", "Süd"]),
        (["year>=2,020"], ["Ost", None, "Süd"]),
        (["year!=2020"], ["Nord", None]),
        (["year<2020"], ["Nord"]),
        (["region~S"], ["Ost", "Süd"]),
        (["region=Nord", "year=2019"], ["Nord"]),
        (["region="], [None]),
        (["region>O"], ["Ost", "Süd"]),
        (["year=never"], []),
    ],
)
def test_filters_compare_numbers_as_numbers_and_texts_as_texts(filters, expected):
    assert regions(*filters) == expected


def test_empty_cells_come_last_in_both_orders():
    assert regions(sort="region") == ["Nord", "Ost", "Süd", None]
    assert regions(sort="-region") == ["Süd", "Ost", "Nord", None]
    assert regions(sort="-year") == [None, "Ost", "Süd", "Nord"]
    assert regions(sort="-x") == ["Ost", "Nord", None, "Süd"]


def test_column_that_is_not_there_is_named():
    with pytest.raises(NoSuchColumn, match="no column 'births'"):
        regions("births>1")
    with pytest.raises(NoSuchColumn, match="no column 'births'"):
        regions(sort="-births")


def test_filter_is_read_as_people_write_it():
    assert read_filter("a >= 3") == Filter("a", Comparison.AT_LEAST, "3")
    assert read_filter("a b~x=y") == Filter("a b", Comparison.CONTAINS, "x=y")
    assert str(read_filter("year>=2019")) == "year>=2019"
    with pytest.raises(ValueError, match="is no filter"):
        read_filter("year")
