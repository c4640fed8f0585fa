"""Dates and periods are read in the ways that statistics offices write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.readers.periods import Period, is_period, parse_period


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2020", Period(2020)),
        ("2020.0", Period(2020)),
        ("2020p", Period(2020)),
        ("2020 (e)", Period(2020)),
        ("2019/20", Period(2019)),
        ("2019-2020", Period(2019)),
        ("FY2020", Period(2020)),
        ("2020-Q3", Period(2020, 7)),
        ("2020Q4", Period(2020, 10)),
        ("T1 2020", Period(2020)),
        ("2020S2", Period(2020, 7)),
        ("2020M03", Period(2020, 3)),
        ("2020-03", Period(2020, 3)),
        ("202012", Period(2020, 12)),
        ("20201231", Period(2020, 12, 31)),
        ("2020-02-28T10:00:00Z", Period(2020, 2, 28)),
        ("31.12.2020", Period(2020, 12, 31)),
        ("12/31/20", Period(2020, 12, 31)),
        ("3/2020", Period(2020, 3)),
        ("Jan-99", Period(1999, 1)),
        ("mars 2020", Period(2020, 3)),
        ("12 März 2020", Period(2020, 3, 12)),
        ("March 12, 2020", Period(2020, 3, 12)),
        ("1 de enero de 2020", Period(2020)),
        ("2020年3月", Period(2020, 3)),
        ("令和2年", Period(2020)),
        ("平成元年度", Period(1989)),
        ("2020-01-01/P1M", Period(2020)),
    ],
)
def test_a_period_begins_on_its_first_day(text: str, expected: Period) -> None:
    assert parse_period(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "Total", "3", "99999", "2020-13-01", "2020-02-30", "2020-Q5", "2020M13", "202013"),
        *("n.a.", "Births 2020", "12.5", "0201", "2020" * 40),
    ],
)
def test_what_is_no_period_is_none(text: str) -> None:
    assert not is_period(text)


def test_only_what_has_a_month_is_called_dated() -> None:
    dated = {text: parse_period(text) for text in ("2020", "2020-Q1", "2020-01", "1.1.2020")}

    assert [text for text, period in dated.items() if period and period.dated] == [
        "2020-01",
        "1.1.2020",
    ]


@given(st.text(max_size=80))
def test_no_text_breaks_it(text: str) -> None:
    found = parse_period(text)

    assert found is None or 1000 <= found.year <= 9999
