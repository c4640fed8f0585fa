"""A run whose process was killed is the same run when it resumes: counted once, ended once."""

from collections.abc import Callable

import pytest
from sqlalchemy import text

from crawler.config.revisit import RevisitConfig
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.crawl.keeping import Keeper
from crawler.pipeline.crawl.revisit import revisit
from crawler.pipeline.services import open_services
from crawler.state.crawl_state import CrawlState
from crawler.state.stop import StopReason
from tests.pipeline.crawl.page_server import csv, html, serving
from tests.pipeline.crawl.test_step_watch import site_of

PAGES = {
    "/": html("<a href=/births.csv>Births</a> <a href=/deaths.csv>Deaths</a>"),
    "/births.csv": csv("year,births\n2024,17\n"),
    "/deaths.csv": csv("year,deaths\n2024,18\n"),
}


EVERYTHING = RevisitConfig(pages=1.0, files=1.0)


class Died(BaseException):
    """Stands for the death of the process: nothing is saved after it."""


def rows(settings: Settings, query: str) -> list[tuple[object, ...]]:
    with open_services(settings) as services, services.database.reading() as session:
        return [tuple(row) for row in session.connection().execute(text(query))]


def test_death_between_catalog_and_state_counts_no_sighting_and_no_run_twice(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    flush, steps = CrawlState.flush, 0

    def dies_at_the_fourth_step(state: CrawlState) -> None:
        nonlocal steps
        steps += bool(state._uncommitted)
        if steps == 4:
            steps += 1
            state._uncommitted = 0  # the transaction ends with the connection
            raise Died
        flush(state)

    with serving(PAGES) as (address, asked):
        with monkeypatch.context() as patched:
            patched.setattr(CrawlState, "flush", dies_at_the_fourth_step)
            with pytest.raises(Died):
                acquire(site_of(address), settings, min_free_bytes=0)
        assert len(rows(settings, "SELECT id FROM resource")) == 2
        summary = acquire(site_of(address), settings, min_free_bytes=0)
        assert asked.count("/births.csv") + asked.count("/deaths.csv") == 3
    assert summary.stop_reason is StopReason.FRONTIER_EMPTY
    assert rows(settings, "SELECT versions, sightings FROM resource") == [(1, 1), (1, 1)]
    assert rows(settings, "SELECT stop_reason, requests FROM crawl_run") == [("frontier_empty", 4)]


def first_crawl(site: SiteConfig, settings: Settings) -> None:
    acquire(site, settings, min_free_bytes=0)


def second_night(site: SiteConfig, settings: Settings) -> None:
    revisit(site, settings, config=EVERYTHING)


@pytest.mark.parametrize("work", [first_crawl, second_night])
@pytest.mark.parametrize(
    ("owner", "method"), [(Keeper, "end"), (CrawlState, "set_run")], ids=["catalog", "state"]
)
def test_death_at_the_end_of_a_run_leaves_no_open_run_and_repeats_no_request(
    work: Callable[[SiteConfig, Settings], None],
    owner: type,
    method: str,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    original = getattr(owner, method)

    def dies(*arguments: object, **options: object) -> None:
        # The first call of set_run starts the run; the process dies when it is to be ended.
        if method == "end" or arguments[1].stop_reason is not None:  # type: ignore[attr-defined]
            raise Died
        original(*arguments, **options)

    with serving(PAGES) as (address, asked):
        site = site_of(address)
        if work is second_night:
            first_crawl(site, settings)
        runs = 1 + (work is second_night)
        with monkeypatch.context() as patched:
            patched.setattr(owner, method, dies)
            with pytest.raises(Died):
                work(site, settings)
        before = list(asked)
        work(site, settings)
        assert asked == before
    ended = rows(settings, "SELECT count(*), count(ended_at), sum(requests) FROM crawl_run")
    assert ended == [(runs, runs, len(before))]
