"""Histories as columns: ages and who may be asked, also after a clock jumped."""

from dataclasses import replace

import numpy as np

from crawler.revisit.observe import PageSeen, observe_page, observe_page_failure
from crawler.revisit.page_columns import PageColumns
from crawler.revisit.page_history import PageHistory
from crawler.revisit.visit_log import MAX_GAP_DAYS, Outcome
from tests.revisit.histories import day, page


def test_visits_of_all_pages_stand_one_after_the_other() -> None:
    columns = PageColumns.of([page([(1, 2)]), page(), page([(1, 0), (2, 5)])], day(3))
    assert columns.log_start.tolist() == [0, 2, 3, 6]
    assert columns.log_row.tolist() == [0, 0, 1, 2, 2, 2]
    assert columns.log["targets"].tolist() == [0, 2, 0, 0, 0, 5]
    assert columns.age.tolist() == [2.0, 3.0, 1.0]


def test_no_pages_make_empty_columns() -> None:
    columns = PageColumns.of([], day(0))
    assert len(columns) == 0
    assert columns.alive_count == 0


def test_age_after_a_clock_that_jumped() -> None:
    ahead = PageColumns.of([page([(1, 0)])], day(10_000))
    assert ahead.age.tolist() == [MAX_GAP_DAYS]
    back = PageColumns.of([page([(5000, 0)])], day(2))
    assert back.is_stamp_odd.tolist() == [True]
    assert back.age.tolist() == [1.0]
    never = PageColumns.of([PageHistory(1, "list", day(0))], day(2))
    assert never.is_stamp_odd.tolist() == [True]


def test_page_that_does_not_answer_is_left_alone_for_longer_and_longer() -> None:
    failed = observe_page_failure(page(), day(1))
    assert PageColumns.of([failed], day(1.2)).can_ask.tolist() == [False]
    assert PageColumns.of([failed], day(2)).can_ask.tolist() == [True]
    failed = observe_page_failure(observe_page_failure(failed, day(2)), day(3))
    assert PageColumns.of([failed], day(5)).can_ask.tolist() == [False]
    assert PageColumns.of([failed], day(7)).can_ask.tolist() == [True]
    # The last try lies in the future: the clock was set back.
    assert PageColumns.of([failed], day(0)).can_ask.tolist() == [True]


def test_page_that_is_gone_is_not_asked_and_not_counted() -> None:
    gone = page()
    for at in (1, 2):
        gone = observe_page(gone, PageSeen(day(at), Outcome.GONE))
    columns = PageColumns.of([gone, page()], day(3))
    assert columns.can_ask.tolist() == [False, True]
    assert columns.alive_count == 1


def test_pages_that_appeared_after_the_first_crawl_are_fresh_for_a_while() -> None:
    pages = [page(), page(first=29), page(first=20), page(first=0.2)]
    assert PageColumns.of(pages, day(30)).freshness.tolist() == [0, 6, 3, 0]
    assert not PageColumns.of([replace(pages[1])], day(30)).freshness.any()
    assert np.isfinite(PageColumns.of(pages, day(10)).age).all()
