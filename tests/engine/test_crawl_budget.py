"""Where a run ends: its budget, the yield, the end of the site, or a word from outside."""

import pytest

from crawler.config.limits import Budget
from crawler.engine.budget import BudgetWatch
from crawler.state.stop import StopReason
from crawler.state.totals import Totals
from tests.engine.crawl_run import Clock, CrawlRun, crawl_all, site_config
from tests.engine.scripted_site import ScriptedSite, file, page, status
from tests.engine.scripted_strategy import ASK, ScriptedStrategy

NAMES = [f"/{number}" for number in range(6)]
SITE = {"/": page(*NAMES)} | {name: page() for name in NAMES}


def test_frontier_without_links_ends_the_crawl():
    run = crawl_all(ScriptedSite(SITE))
    assert run.stop_reason is StopReason.FRONTIER_EMPTY
    assert run.stop_reason.complete
    assert run.totals.pages == 7


@pytest.mark.parametrize("requests", [1, 2, 5])
def test_budget_of_requests_counts_all_that_the_server_sees(requests):
    answers = SITE | {"/0": [status(503), page()], "/1": file()}
    site = ScriptedSite(answers)
    run = crawl_all(site, ScriptedStrategy({"/2": ASK}), budget={"requests": requests})
    assert len(site.log) == requests
    assert run.stop_reason is StopReason.BUDGET_REQUESTS
    assert not run.stop_reason.complete


def test_budget_is_of_one_run_and_the_next_one_goes_on():
    site = ScriptedSite(SITE)
    config = site_config(budget={"requests": 3})
    run = CrawlRun(site, config=config).to_end()
    ends = [run.stop_reason]
    while not ends[-1].complete:
        run = CrawlRun(site, config=config, state=run.state).to_end()
        ends.append(run.stop_reason)
    assert ends == [StopReason.BUDGET_REQUESTS] * 2 + [StopReason.FRONTIER_EMPTY]
    assert site.asked == ["GET /", *[f"GET {name}" for name in NAMES]]
    assert run.totals.requests == 8


def test_run_in_slices_asks_what_one_long_run_asks():
    whole = ScriptedSite(SITE | {"/3": [status(503)] * 4 + [page("/x")]})
    crawl_all(whole)
    sliced = ScriptedSite(whole.answers)
    config = site_config(budget={"requests": 1})
    run = CrawlRun(sliced, config=config).to_end()
    while not run.stop_reason.complete:
        run = CrawlRun(sliced, config=config, state=run.state).to_end()
    assert sliced.requests == whole.requests


def test_budget_of_bytes_ends_the_run_after_the_answer_that_reaches_it():
    size = len(file("x" * 100).body)
    site = ScriptedSite({"/": page(*NAMES)} | {name: file("x" * 100) for name in NAMES})
    start = len(page(*NAMES).body)
    run = crawl_all(site, budget={"bytes": start + 2 * size})
    assert run.stop_reason is StopReason.BUDGET_BYTES
    assert run.targets == ["/0", "/1"]
    again = CrawlRun(site, config=site_config(budget={"bytes": 1}), state=run.state).to_end()
    assert again.targets == ["/0", "/1", "/2"]


def test_budget_of_minutes_ends_the_run():
    clock = Clock()
    run = CrawlRun(ScriptedSite(SITE), config=site_config(budget={"minutes": 1}), clock=clock)
    run.steps(2)
    clock.move(59)
    assert run.step() is not None
    clock.move(1)
    assert run.step() is None
    assert run.stop_reason is StopReason.BUDGET_MINUTES


def test_budget_of_minutes_begins_anew_with_every_run():
    clock = Clock()
    config = site_config(budget={"minutes": 1})
    first = CrawlRun(ScriptedSite(SITE), config=config, clock=clock)
    first.steps(2)
    clock.move(60)
    first.to_end()
    second = CrawlRun(first.site, config=config, state=first.state, clock=clock).to_end()
    assert second.stop_reason is StopReason.FRONTIER_EMPTY


def test_pause_that_would_outlast_the_budget_ends_the_run_now():
    site = ScriptedSite(SITE | {"/0": [status(429, retry_after="300"), page()]})
    config = site_config(budget={"minutes": 4})
    run = CrawlRun(site, config=config).to_end()
    assert run.stop_reason is StopReason.BUDGET_MINUTES
    assert site.asked == ["GET /", "GET /0"]
    longer = CrawlRun(site, config=site_config(), state=run.state).to_end()
    assert site.asked[2] == "GET /0"
    assert longer.totals.pages == 7


def test_robots_that_ask_for_a_longer_pause_than_the_budget_end_the_run_too():
    site = ScriptedSite(SITE | {"/robots.txt": status(503, retry_after="300")})
    run = crawl_all(site, budget={"minutes": 4})
    assert run.stop_reason is StopReason.BUDGET_MINUTES
    assert len(site.log) == 1


def test_early_stopping_ends_a_crawl_that_finds_nothing_more():
    stopping = {"half_life": 1, "floor": 0.3, "patience": 3}
    site = ScriptedSite(SITE)
    run = crawl_all(site, early_stopping=stopping)
    # The yield starts at one and halves: 0.5, then 0.25, 0.125, 0.0625 under the floor.
    assert len(site.log) == 4
    assert run.stop_reason is StopReason.YIELD_EXHAUSTED
    assert run.stop_reason.complete


def test_targets_hold_early_stopping_off():
    stopping = {"half_life": 1, "floor": 0.3, "patience": 3}
    site = ScriptedSite({"/": page(*NAMES)} | {name: file(name) for name in NAMES})
    run = crawl_all(site, early_stopping=stopping)
    assert run.stop_reason is StopReason.FRONTIER_EMPTY
    assert len(run.targets) == 6


def test_early_stopping_goes_on_where_it_was_after_a_restart():
    config = site_config(early_stopping={"half_life": 1, "floor": 0.3, "patience": 3})
    first = CrawlRun(ScriptedSite(SITE), config=config)
    first.steps(3)
    second = CrawlRun(first.site, config=config, state=first.state).to_end()
    assert second.stop_reason is StopReason.YIELD_EXHAUSTED
    assert len(first.site.log) == 4


def test_switched_off_early_stopping_never_ends_a_crawl():
    run = crawl_all(ScriptedSite(SITE), early_stopping=False)
    assert run.stop_reason is StopReason.FRONTIER_EMPTY


def test_crawl_stopped_from_outside_goes_on_with_the_request_it_did_not_make():
    site = ScriptedSite(SITE)
    first = CrawlRun(site)
    first.steps(3)
    unmade = first.crawl.next_request()
    first.crawl.stop(StopReason.INTERRUPTED)
    first.state.commit(first.crawl.take_changes())
    assert first.crawl.next_request() is None
    assert first.stop_reason is StopReason.INTERRUPTED
    second = CrawlRun(site, state=first.state)
    assert second.crawl.next_request() == unmade
    assert second.to_end().totals.pages == 7


def test_first_reason_to_stop_is_the_one_that_is_told():
    run = crawl_all(ScriptedSite(SITE), budget={"requests": 2})
    run.crawl.stop(StopReason.DISK_FULL, "too late")
    assert run.stop_reason is StopReason.BUDGET_REQUESTS


def test_watch_counts_from_where_the_run_began():
    now = 100.0
    watch = BudgetWatch(Budget(requests=10, bytes=1000, minutes=2), Totals(requests=5), lambda: now)
    assert watch.over(Totals(requests=14), 0.0) is None
    assert watch.over(Totals(requests=15), 0.0) is StopReason.BUDGET_REQUESTS
    assert watch.over(Totals(requests=5, received=1000), 0.0) is StopReason.BUDGET_BYTES
    assert watch.over(Totals(requests=5), 119.0) is None
    assert watch.over(Totals(requests=5), 120.0) is StopReason.BUDGET_MINUTES
    now = 190.0
    assert watch.minutes == 1.5
    assert watch.over(Totals(requests=5), 30.0) is StopReason.BUDGET_MINUTES
