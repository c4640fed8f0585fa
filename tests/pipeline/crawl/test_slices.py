"""A night's crawl in slices: one run, one budget, the same decisions as without a pause."""

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crawler.catalog.read.runs import PastRun, past_runs
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.errors import SiteBusy, SiteForbids, SiteUnavailable
from crawler.lab.server import running_site
from crawler.lab.sites.answer import Answer, answer
from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.site import SyntheticSite
from crawler.pipeline.crawl.slices import SliceResult, crawl_slice
from crawler.pipeline.crawl.watch import View, Watch
from crawler.pipeline.night.night import Night, NightKind
from crawler.pipeline.night.plan import plan
from crawler.pipeline.services import open_services
from crawler.state.lock import site_lock
from crawler.state.stop import StopReason
from tests.end_to_end.killed_crawl import requests_in, site_at

pytestmark = pytest.mark.slow

NO_TIME = 1e-9
"""Seconds of a slice that makes one request."""


def runs_of(settings: Settings) -> list[PastRun]:
    with open_services(settings) as services:
        return past_runs(services.database, "demo")


def planned(site: SiteConfig, settings: Settings, after: timedelta = timedelta()) -> Night:
    return plan(site, settings, datetime.now(UTC) + after)


def in_slices(site: SiteConfig, settings: Settings, night: Night) -> list[SliceResult]:
    results = [crawl_slice(site, settings, night, NO_TIME)]
    while not results[-1].done:
        results.append(crawl_slice(site, settings, night, NO_TIME))
    return results


class Died(BaseException):
    """Stands for the death of the process: nothing is saved after it."""


def dies_after(requests: int) -> Watch:
    seen: list[View] = []
    start: list[int] = []

    def began(view: View) -> None:
        seen.append(view)
        start.append(view.crawl.totals.requests)

    def tick() -> None:
        if seen and seen[0].crawl.totals.requests - start[0] >= requests:
            raise Died

    return Watch(on_start=began, on_tick=tick)


def test_slices_ask_for_what_one_stretch_would_have_asked(
    office: str, office_log: Path, settings: Settings, tmp_path: Path
) -> None:
    site = site_at(office, budget={"requests": 40})
    whole = Settings(home=tmp_path / "whole")
    crawl_slice(site, whole, planned(site, whole))
    stretch = requests_in(office_log)
    night = planned(site, settings)
    results = in_slices(site, settings, night)
    assert requests_in(office_log)[len(stretch) :] == stretch
    assert len(results) > len(stretch) - 2
    assert {result.summary.run_id for result in results} == {night.run_id}
    assert results[-1].summary.requests == len(stretch) == 40


def test_slices_are_one_run_of_the_catalog(office: str, settings: Settings) -> None:
    site = site_at(office, budget={"requests": 12})
    night = planned(site, settings)
    first = crawl_slice(site, settings, night, NO_TIME)
    (paused,) = runs_of(settings)
    assert not first.done
    assert (paused.stop_reason, paused.ended_at, paused.requests) == ("slice_ended", None, 1)
    in_slices(site, settings, night)
    (run,) = runs_of(settings)
    assert (run.id, run.stop_reason, run.requests) == (night.run_id, "budget_requests", 12)
    assert run.ended_at is not None


def test_budget_of_requests_is_that_of_all_slices(
    office: str, office_log: Path, settings: Settings
) -> None:
    site = site_at(office, budget={"requests": 9})
    results = in_slices(site, settings, planned(site, settings))
    assert results[-1].summary.stop_reason is StopReason.BUDGET_REQUESTS
    assert len(requests_in(office_log)) == results[-1].summary.requests == 9


def test_budget_of_minutes_is_that_of_all_slices(office: str, settings: Settings) -> None:
    site = site_at(office, budget={"minutes": 300})
    night = planned(site, settings)
    crawl_slice(site, settings, night, NO_TIME)
    state = sqlite3.connect(settings.state_path("demo"))
    with state:
        state.execute("UPDATE meta SET value = '300' WHERE key = 'run_minutes'")
    state.close()
    result = crawl_slice(site, settings, night, NO_TIME)
    assert (result.done, result.summary.stop_reason) == (True, StopReason.BUDGET_MINUTES)


def test_killed_slice_goes_on_with_what_is_left_of_the_budget(
    office: str, office_log: Path, settings: Settings
) -> None:
    site = site_at(office, budget={"requests": 20})
    night = planned(site, settings)
    with pytest.raises(Died):
        crawl_slice(site, settings, night, watch=dies_after(7))
    result = crawl_slice(site, settings, night)
    assert result.summary.run_id == night.run_id
    assert len(requests_in(office_log)) == result.summary.requests == 20
    assert len(runs_of(settings)) == 1


def test_run_that_is_over_tells_its_end_again(
    office: str, office_log: Path, settings: Settings
) -> None:
    site = site_at(office, budget={"requests": 9})
    night = planned(site, settings)
    first = crawl_slice(site, settings, night)
    again = crawl_slice(site, settings, night)
    assert again.summary.stop_reason is first.summary.stop_reason
    assert (again.done, again.summary.requests) == (True, first.summary.requests)
    assert len(requests_in(office_log)) == 9


def test_new_night_of_an_unfinished_site_has_a_budget_of_its_own(
    office: str, office_log: Path, settings: Settings
) -> None:
    site = site_at(office, budget={"requests": 9})
    first = planned(site, settings)
    crawl_slice(site, settings, first)
    second = planned(site, settings)
    assert second.kind is NightKind.REVISIT
    result = crawl_slice(site, settings, second)
    assert result.summary.run_id == second.run_id != first.run_id
    assert (result.summary.requests, result.summary.resumed) == (9, True)
    assert len(requests_in(office_log)) == 18


def test_complete_site_is_crawled_afresh_once_however_often_it_dies(
    office: str, office_log: Path, settings: Settings
) -> None:
    site = site_at(office, revisit={"full_every_days": 7})
    crawl_slice(site, settings, planned(site, settings))
    whole = requests_in(office_log)
    night = planned(site, settings, after=timedelta(days=8))
    assert night.kind is NightKind.AGAIN
    for _ in range(3):
        with pytest.raises(Died):
            crawl_slice(site, settings, night, watch=dies_after(10))
    result = crawl_slice(site, settings, night)
    # It begins with what the site taught before, so the order is another one.
    assert sorted(requests_in(office_log)[len(whole) :]) == sorted(whole)
    assert (result.summary.requests, result.summary.complete) == (len(whole), True)
    assert [run.new_versions for run in runs_of(settings)] == [0, result.summary.targets]


def test_site_with_another_start_page_begins_again_and_keeps_its_files(
    office: str, settings: Settings
) -> None:
    crawl_slice(site_at(office), settings, planned(site_at(office), settings))
    (before,) = runs_of(settings)
    moved = site_at(office, start_url=f"{office}/en/")
    night = planned(moved, settings)
    assert night.kind is NightKind.AGAIN
    assert "now starts at" in night.reason
    crawl_slice(moved, settings, night)
    assert before.id in {run.id for run in runs_of(settings)}


def test_changed_strategy_counts_from_the_next_beginning_on(
    office: str, settings: Settings
) -> None:
    site = site_at(office, strategy="bfs", budget={"requests": 9})
    crawl_slice(site, settings, planned(site, settings))
    changed = site_at(office, strategy="dfs", seed=8, revisit={"full_every_days": 7})
    result = crawl_slice(changed, settings, planned(changed, settings))
    assert (result.summary.strategy, result.summary.complete) == ("bfs", True)
    again = planned(changed, settings, after=timedelta(days=8))
    assert crawl_slice(changed, settings, again).summary.strategy == "dfs"


def test_site_that_another_worker_holds_is_busy(office: str, settings: Settings) -> None:
    site = site_at(office)
    night = planned(site, settings)
    path = settings.state_path("demo").with_suffix(".lock")
    with site_lock(path, "demo"), pytest.raises(SiteBusy):
        crawl_slice(site, settings, night)


class Robots:
    """The demo site, with a robots.txt of the test's choice."""

    def __init__(self, robots: Callable[[], Answer], site: SyntheticSite | None = None) -> None:
        self._robots = robots
        self._site = site or demo_site(20)

    def at(self, base: str) -> "Robots":
        return Robots(self._robots, self._site.at(base))

    def respond(self, path_and_query: str) -> Answer:
        if path_and_query == "/robots.txt":
            return self._robots()
        return self._site.respond(path_and_query)


def test_site_that_forbids_is_not_worth_another_try(settings: Settings) -> None:
    no = answer(b"User-agent: *\nDisallow: /\n", "text/plain")
    with running_site(Robots(lambda: no)) as base:
        site = site_at(base)
        with pytest.raises(SiteForbids, match="forbids") as told:
            crawl_slice(site, settings, planned(site, settings))
    assert not told.value.retryable


def test_site_that_is_away_goes_on_in_the_same_run_when_it_is_back(settings: Settings) -> None:
    answers = [answer(b"", "text/plain", status=503)]
    fine = answer(b"", "text/plain")
    with running_site(Robots(lambda: answers[0] if answers else fine)) as base:
        site = site_at(base, politeness={"delay": 0.0, "retries": 0})
        night = planned(site, settings)
        with pytest.raises(SiteUnavailable) as told:
            crawl_slice(site, settings, night)
        assert told.value.retryable
        answers.clear()
        result = crawl_slice(site, settings, night)
    assert (result.summary.complete, result.summary.run_id) == (True, night.run_id)
    (run,) = runs_of(settings)
    assert run.stop_reason == "frontier_empty"


def test_state_file_is_opened_once(
    office: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = site_at(office, budget={"requests": 9})
    crawl_slice(site, settings, planned(site, settings))
    opened: list[Path] = []
    connect = sqlite3.connect

    def counting(path: Path, *args: object, **more: object) -> sqlite3.Connection:
        opened.append(path)
        return connect(path, *args, **more)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr("crawler.state.crawl_state.sqlite3.connect", counting)
    crawl_slice(site, settings, planned(site, settings), NO_TIME)
    assert opened.count(settings.state_path("demo")) == 1
