"""What the status of a site is read from, while a crawl runs and after it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.engine.events import Event
from crawler.errors import StateUnreadable
from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.crawl.watch import Watch
from crawler.pipeline.report.site_view import SiteState
from crawler.pipeline.report.status import all_statuses, crawled_sites, site_status
from crawler.state.crawl_state import CrawlState
from crawler.state.lock import is_held, site_lock
from crawler.state.reports import open_for_reading


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path)


@pytest.fixture(scope="module")
def site() -> Iterator[SiteConfig]:
    with running_site(demo_site(pages=60)) as base:
        yield SiteConfig.model_validate(
            {
                "name": "demo",
                "start_url": f"{base}/",
                "allow_private_hosts": True,
                "politeness": {"delay": 0},
                "budget": {"requests": 30},
                "strategy": "bfs",
            }
        )


def test_a_running_crawl_is_read_without_disturbing_it(
    settings: Settings, site: SiteConfig
) -> None:
    undisturbed = acquire(site, Settings(home=settings.home / "alone"))
    states, requests = set(), []

    def look(_: Event) -> None:
        status = site_status(settings, "demo")
        states.add(status.state)
        requests.append(status.requests)

    summary = acquire(site, settings, watch=Watch(on_event=look))

    assert states == {SiteState.RUNNING}
    assert requests == sorted(requests)
    assert requests[-1] == 30
    assert (summary.pages, summary.bytes) == (undisturbed.pages, undisturbed.bytes)
    assert site_status(settings, "demo").state is SiteState.STOPPED


def test_a_crawl_that_ended_without_a_word_counts_as_interrupted(
    settings: Settings, site: SiteConfig
) -> None:
    def fail(_: Event) -> None:
        raise RuntimeError("pulled the plug")

    with pytest.raises(RuntimeError):
        acquire(site, settings, watch=Watch(on_event=fail))

    status = site_status(settings, "demo")
    assert (status.state, status.stop_reason) == (SiteState.INTERRUPTED, None)
    assert "run it again to continue" in status.sentence


def test_a_crawl_that_was_asked_to_stop_counts_as_interrupted(
    settings: Settings, site: SiteConfig
) -> None:
    acquire(site, settings, watch=Watch(stop_requested=lambda: True))

    status = site_status(settings, "demo")
    assert status.state is SiteState.INTERRUPTED
    assert status.stopped_at


def test_only_sites_with_a_state_were_crawled(settings: Settings) -> None:
    folder = settings.home / "state"
    folder.mkdir()
    for name in ("alpha.db", "alpha.previous.db", "alpha.lock", "Not a name.db"):
        (folder / name).touch()

    assert crawled_sites(settings) == ["alpha"]
    found = all_statuses(settings, ["beta"], {})
    assert [(each.site, each.state) for each in found] == [
        ("alpha", SiteState.NEVER_CRAWLED),
        ("beta", SiteState.NEVER_CRAWLED),
    ]


def test_a_lock_is_held_as_long_as_its_run(tmp_path: Path) -> None:
    lock = tmp_path / "demo.lock"
    assert not is_held(lock)
    assert not lock.exists()
    with site_lock(lock, "demo"):
        assert is_held(lock)
    assert not is_held(lock)
    with site_lock(lock, "demo"):
        pass


def test_reading_makes_no_state_where_there_is_none(tmp_path: Path) -> None:
    path = tmp_path / "demo.db"
    assert open_for_reading(path) is None
    assert not path.exists()

    path.touch()
    assert open_for_reading(path) is None
    assert path.stat().st_size == 0

    CrawlState(path).close()
    assert open_for_reading(path) is None


def test_a_state_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "demo.db"
    with closing(CrawlState(path)) as state:
        list(state.rows("PRAGMA user_version = 99"))

    with pytest.raises(StateUnreadable, match="schema version 99"):
        open_for_reading(path)
