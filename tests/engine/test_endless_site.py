"""Calendars, facets, twins and session ids: they cost little, and what is behind them is found."""

import pytest

from tests.engine.crawl_run import crawl_all
from tests.engine.endless_site import FAR, NEAR, endless_site, targets


@pytest.mark.parametrize("strategy", ["tallyho", "bfs"])
@pytest.mark.slow
def test_file_behind_any_endless_part_is_found_by_a_crawl_to_the_end(strategy):
    site = endless_site()
    run = crawl_all(site, strategy=strategy)
    assert run.totals.targets == targets(NEAR | FAR)


@pytest.mark.parametrize("seed", range(5))
def test_early_stopping_leaves_endless_parts_and_no_file_that_is_near(seed):
    site = endless_site()
    run = crawl_all(site, strategy="tallyho", early_stopping={}, seed=seed)
    assert run.totals.targets >= targets(NEAR)
    assert run.stop_reason.value == "yield_exhausted"
    assert run.totals.requests < 700
