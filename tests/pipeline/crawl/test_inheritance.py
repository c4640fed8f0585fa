"""A site that is crawled again: what was learned of it is known from the start."""

import time
from contextlib import closing
from pathlib import Path

import pytest

from crawler.config.site import SiteConfig
from crawler.engine.crawl import Crawl
from crawler.lab.replay import Replayed, replay
from crawler.lab.sites.kinds import KINDS
from crawler.lab.sites.site import SyntheticSite
from crawler.pipeline.crawl.identity import identity_of
from crawler.pipeline.crawl.inheritance import inherit
from crawler.state.crawl_state import CrawlState
from crawler.strategies.make import make_strategy

pytestmark = pytest.mark.slow

SITE = SyntheticSite(KINDS["in"], 400, 1)


def config(**more: object) -> SiteConfig:
    values = {"name": "office", "start_url": SITE.start_url, "allow_private_hosts": True}
    budget = {"requests": 10**6, "minutes": 10.0**5}
    return SiteConfig.model_validate(values | {"early_stopping": False, "budget": budget} | more)


def crawled(state: CrawlState, site: SiteConfig) -> Replayed:
    crawl = Crawl(
        site,
        make_strategy(site.strategy, 1),
        state,
        agent="Tallyho",
        wall_clock=time.time,
        monotonic=time.monotonic,
    )
    return replay(crawl, state, SITE.respond)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("before") / "office.previous.db"
    with closing(CrawlState(path, steps_per_commit=100)) as state:
        state.set_identity(identity_of(config()))
        crawled(state, config())
    return path


def test_second_crawl_needs_fewer_requests(before: Path, tmp_path: Path) -> None:
    with closing(CrawlState(tmp_path / "first.db", steps_per_commit=100)) as state:
        first = crawled(state, config())
    with closing(CrawlState(tmp_path / "second.db", steps_per_commit=100)) as state:
        inherit(state, config(), before)
        assert not state.progress()
        second = crawled(state, config())
        assert all(row.reward <= second.targets for row in state.actions())
    assert second.targets == first.targets
    until = [one.requests_until(0.9, first.targets) or 0 for one in (first, second)]
    assert until[1] < 0.8 * until[0]


@pytest.mark.parametrize(
    "other", [{"start_url": "http://127.0.0.1:8351/other"}, {"strategy": "sb"}, {"name": "bureau"}]
)
def test_nothing_is_taken_over_for_another_site_or_strategy(
    before: Path, tmp_path: Path, other: dict[str, str]
) -> None:
    with closing(CrawlState(tmp_path / "new.db")) as state:
        inherit(state, config(**other), before)
        assert not list(state.weights())
        assert not list(state.actions())


def test_file_that_cannot_be_read_is_no_obstacle(tmp_path: Path) -> None:
    broken = tmp_path / "office.previous.db"
    broken.write_bytes(b"no database" * 100)
    with closing(CrawlState(tmp_path / "new.db")) as state:
        inherit(state, config(), broken)
        inherit(state, config(), tmp_path / "absent.db")
        assert not list(state.weights())
