"""Rates pooled over pages alike, by hand and against simulated pages."""

from dataclasses import replace

import numpy as np
import pytest

from crawler.revisit.calendars import Posterior
from crawler.revisit.evidence import evidence_of
from crawler.revisit.features import FIRST_CRAWL_DAYS
from crawler.revisit.page_columns import PageColumns
from crawler.revisit.rates import CELL_SHAPE, FIRST_BATCH, cells_of, rates_of
from tests.revisit.histories import day, page
from tests.revisit.test_evidence import dated


def rates(pages: list, now: float):
    columns = PageColumns.of(pages, now)
    return rates_of(columns, evidence_of(columns))


def test_rate_is_a_plus_x_over_b_plus_t() -> None:
    seen = Posterior(np.array([[0.3 + 2.0]]), np.array([[15.0 + 8.0]]), np.ones((1, 1)))
    assert seen.rate(0.0)[0, 0] == pytest.approx(2.3 / 23)
    assert seen.rate(1.0)[0, 0] == pytest.approx((2.3 + np.sqrt(2.3)) / 23)


def test_first_crawl_counts_as_a_year() -> None:
    prior = rates([page(listed=10)], day(0)).prior
    assert prior[0] == pytest.approx(10 / (FIRST_CRAWL_DAYS * FIRST_BATCH))


def test_revisits_correct_what_the_first_crawl_promised() -> None:
    promised = 10 / (FIRST_CRAWL_DAYS * FIRST_BATCH)
    # A short while ago, so that hardly anything is forgotten: one event in two days.
    prior = rates([page([(1, 1), (2, 0)], listed=10)], day(2)).prior[0]
    expected = promised
    for _ in range(3):
        expected *= (CELL_SHAPE + 1) / (CELL_SHAPE + 2 * expected)
    assert prior == pytest.approx(expected, rel=0.02)


def test_quiet_visits_lower_the_rate_of_pages_alike() -> None:
    quiet = [page([(night, 0) for night in range(1, 40)], page_id=at, listed=5) for at in range(5)]
    unseen = page(page_id=9, listed=5)
    other = page(page_id=10, template="news", listed=5)
    prior = rates([*quiet, unseen, other], day(40)).prior
    assert prior[5] < 0.6 * prior[6]


def test_pooled_rate_is_that_of_a_simulated_process() -> None:
    rng = np.random.default_rng(4)
    nights = range(1, 61)
    pages = [
        page([(night, int(rng.random() < 0.1)) for night in nights], page_id=at, listed=2)
        for at in range(100)
    ]
    assert rates(pages, day(60)).prior.mean() == pytest.approx(0.1, rel=0.1)


def test_batch_is_drawn_to_what_the_page_had() -> None:
    pages = [page([(1, 9), (2, 9), (3, 9)]), page([(1, 1), (2, 1), (3, 1)])]
    batch = rates(pages, day(4)).batch
    assert 5 < batch[0] < 9
    assert 1 < batch[1] < 4


def test_targets_per_date_are_a_first_guess_of_the_batch() -> None:
    few = replace(dated(-30, -20, -10, -5), targets_listed=2)
    assert rates([few, page(listed=12)], day(0)).batch[0] < 1.0


def test_dates_of_a_list_of_pages_say_nothing_about_the_targets_behind_them() -> None:
    assert rates([dated(-30, -20, -10, -5), page(listed=12)], day(0)).batch[0] == FIRST_BATCH


def test_sheets_of_a_list_are_told_apart_by_their_depth() -> None:
    pages = [replace(page(page_id=depth), depth=depth) for depth in (1, 2, 3, 4, 5, 9, 40)]
    cells = cells_of(PageColumns.of(pages, day(1)))
    assert len(set(cells.tolist())) == 5


def test_cells_tell_templates_sizes_and_fresh_pages_apart() -> None:
    pages = [
        page(listed=5),
        page(listed=7),
        page(listed=100),
        page(listed=5, template="news"),
        page(listed=5, first=9),
    ]
    cells = cells_of(PageColumns.of(pages, day(10)))
    assert cells[0] == cells[1]
    assert len(set(cells.tolist())) == 4
