"""Calendars: their factors, and which one a page follows."""

from collections.abc import Sequence
from datetime import date

import numpy as np
import pytest

from crawler.revisit.calendars import COUNT, Calendars, base_prior, factors
from crawler.revisit.evidence import evidence_of
from crawler.revisit.page_columns import PageColumns
from crawler.revisit.page_history import PageHistory
from crawler.revisit.rates import rates_of
from crawler.revisit.urgency import backlog_table
from tests.revisit.histories import day, page
from tests.revisit.test_evidence import dated

CHANCE, DAILY, WORKDAYS, MONDAYS, FIRST_OF_MONTH = 0, 1, 2, 3, 10


def chances_of(pages: Sequence[PageHistory], now: float) -> np.ndarray:
    columns = PageColumns.of(pages, now)
    evidence = evidence_of(columns)
    calendars = Calendars(columns, rates_of(columns, evidence), evidence)
    return calendars.posterior(np.arange(len(pages))).chances


def expected(pages: Sequence[PageHistory], now: float) -> np.ndarray:
    columns = PageColumns.of(pages, now)
    evidence = evidence_of(columns)
    calendars = Calendars(columns, rates_of(columns, evidence), evidence)
    return calendars.expect([backlog_table(now)], 0.0)[0].mean


def test_every_calendar_has_the_mean_one() -> None:
    start = (date(2020, 1, 1) - date(1970, 1, 1)).days
    table = factors(np.arange(start, start + 4 * 365 + 1))
    first_of_quarter = FIRST_OF_MONTH + 31
    in_every_month = [
        *range(FIRST_OF_MONTH + 28),
        *(first_of_quarter + month * 31 + at for month in range(3) for at in range(28)),
    ]
    assert table.shape[0] == COUNT
    assert table[in_every_month].mean(axis=1) == pytest.approx(1.0, abs=0.05)


def test_factors_of_single_days() -> None:
    monday = (date(2026, 1, 5) - date(1970, 1, 1)).days
    table = factors(np.array([monday, monday + 5]))
    assert table[[CHANCE, DAILY]].tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert table[WORKDAYS, 0] > 1.3 > table[WORKDAYS, 1]
    assert table[MONDAYS, 0] > 6 > 1 > table[MONDAYS, 1]
    assert table[FIRST_OF_MONTH + 4, 0] > 20
    quarter = FIRST_OF_MONTH + 31 + 4
    assert table[quarter, 0] > 60


def test_prior_adds_up_to_one() -> None:
    assert base_prior().sum() == pytest.approx(1.0)


def test_page_with_news_on_mondays_is_seen_to_publish_on_mondays() -> None:
    visits = [(night, 2 if night % 7 == 0 else 0) for night in range(1, 36)]
    chances = chances_of([page(visits)], day(35))
    assert chances[0].argmax() == MONDAYS
    busy = expected([page(visits)], day(42))[0]
    assert busy > 0.5
    assert expected([page([*visits, (35.5, 0)])], day(36.5))[0] < 0.2 * busy


def test_dates_alone_show_the_day_of_the_month() -> None:
    fifths = [0 - 31, 0 - 61, 0 - 92, 0 - 122]  # 5 December, November, October, September
    chances = chances_of([dated(*fifths)], day(1))
    assert chances[0].argmax() == FIRST_OF_MONTH + 4


def test_pages_of_one_template_share_what_is_likely() -> None:
    mondays = [(night, 1 if night % 7 == 0 else 0) for night in range(1, 30)]
    once = [(night, 1 if night == 28 else 0) for night in range(22, 30)]
    alone = chances_of([page(once)], day(29))[0, MONDAYS]
    others = [page(mondays, page_id=number) for number in range(2, 8)]
    together = chances_of([page(once), *others], day(29))[0, MONDAYS]
    assert together > alone


def test_list_whose_dates_stop_has_ended() -> None:
    running = dated(*range(-77, 0, 7))
    stopped = dated(*range(-177, -100, 7))
    rates = expected([running, stopped], day(7))
    assert rates[1] < 0.1 * rates[0]


def test_nothing_breaks_when_nothing_is_known_or_the_clock_jumps() -> None:
    pages = [page(listed=3), page([(1, 1), (5000, 0), (3, 2)]), dated(-5000), dated(-1, 0)]
    for now in (day(0), day(4), day(6000), day(-500)):
        rates = expected(pages, now)
        assert np.isfinite(rates).all()
        assert (rates >= 0).all()
