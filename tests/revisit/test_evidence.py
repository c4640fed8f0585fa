"""What visits and dates say about when pages publish."""

from dataclasses import replace

import numpy as np
import pytest

from crawler.revisit.evidence import (
    BIRTH_WEIGHT,
    DATED_EVENTS,
    FORGET_DAYS,
    MAX_SPAN_DAYS,
    evidence_of,
)
from crawler.revisit.observe import PageSeen, observe_page
from crawler.revisit.page_columns import PageColumns
from crawler.revisit.page_history import PageHistory
from crawler.revisit.visit_log import Outcome
from tests.revisit.histories import day, page

TODAY = 20_458
"""Day 0 of these histories."""


def dated(*days: int, first: float = 0) -> PageHistory:
    seen = PageSeen(day(first), Outcome.NEW, [1], dates=[TODAY + number for number in days])
    return observe_page(PageHistory(1, "list", day(first)), seen)


def at(evidence_day: int, now: int) -> int:
    """Days since day 0 of a day of the evidence."""
    return evidence_day - (MAX_SPAN_DAYS - 1) + now


def test_visit_covers_the_days_since_the_visit_before() -> None:
    evidence = evidence_of(PageColumns.of([page([(2, 0), (5, 3)])], day(6)))
    spans = list(zip(evidence.span_begin.tolist(), evidence.span_end.tolist(), strict=True))
    assert [(at(begin, 6), at(end, 6)) for begin, end in spans] == [(1, 3), (3, 6)]
    assert at(int(evidence.event_begin[0]), 6) == 3
    assert evidence.event_weight[0] == pytest.approx(np.exp(-1 / FORGET_DAYS))


def test_new_pages_without_targets_are_publications_too() -> None:
    history = observe_page(page(), PageSeen(day(1), Outcome.CHANGED, [1], new_links=1))
    assert len(evidence_of(PageColumns.of([history], day(2))).event_row) == 1


def test_dates_are_events_before_the_first_visit() -> None:
    evidence = evidence_of(PageColumns.of([dated(-21, -14, -7)], day(3)))
    assert [at(int(begin), 3) for begin in evidence.event_begin] == [-21, -14, -7]
    assert (at(int(evidence.span_begin[0]), 3), at(int(evidence.span_end[0]), 3)) == (-20, 1)


def test_dates_after_the_first_visit_are_told_by_visits() -> None:
    assert len(evidence_of(PageColumns.of([dated(-7, 5, 900)], day(10))).event_row) == 1


def test_many_dates_count_as_a_few_visits() -> None:
    evidence = evidence_of(PageColumns.of([dated(*range(-12, 0))], day(0)))
    assert len(evidence.event_row) == 12
    assert evidence.event_weight.sum() <= DATED_EVENTS
    assert evidence.span_weight[0] == pytest.approx(DATED_EVENTS / 12)


def test_day_on_which_a_page_came_counts_less_than_news_on_it() -> None:
    pages = [page(), dated(20, first=20)]
    evidence = evidence_of(PageColumns.of(pages, day(20)))
    assert evidence.event_row.tolist() == [1]
    assert evidence.event_weight[0] == pytest.approx(BIRTH_WEIGHT, rel=0.01)


def test_old_dates_and_jumping_clocks_stay_within_the_span() -> None:
    pages = [dated(-9000, -8000), page([(1, 1), (9000, 1)]), replace(page([(3, 1)]))]
    for now in (day(4), day(9001), day(40_000), day(-3000)):
        evidence = evidence_of(PageColumns.of(pages, now))
        for column in (evidence.span_begin, evidence.span_end):
            assert column.min() >= 0
            assert column.max() <= MAX_SPAN_DAYS
        assert (evidence.span_end >= evidence.span_begin).all()
        assert (evidence.event_begin >= 0).all()
        assert np.isfinite(evidence.event_weight).all()
