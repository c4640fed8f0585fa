"""Exact resume: whenever the process dies, the crawl does what it would have done.

The same requests in the same order, the lost ones repeated as they were, and in the end every
table of the state file equal bit for bit.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crawler.config.site import SiteConfig
from crawler.config.strategy import EarlyStopping
from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.variants import variant_site
from crawler.state.stop import StopReason
from tests.engine.crawl_run import site_config
from tests.engine.nasty_site import NastySite, nasty_config
from tests.engine.resumed_crawl import (
    Death,
    Deaths,
    LoggedDemo,
    Outcome,
    at_random,
    crawl_with,
    never,
)
from tests.engine.scripted_site import HOME, ScriptedSite, page

pytestmark = pytest.mark.slow

STRATEGIES = ["tallyho", "sb", "anthelion", "acebot", "bfs", "dfs", "random", "roach"]
A_FEW = settings(
    deadline=None,
    max_examples=8,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def assert_same(interrupted: Outcome, whole: Outcome) -> None:
    assert interrupted.requests == whole.requests
    assert interrupted.stop_reason is whole.stop_reason
    for name, rows in whole.tables.items():
        assert interrupted.tables[name] == rows, name


def demo_config(strategy: str, **parameters: float) -> SiteConfig:
    return site_config(
        start_url="http://127.0.0.1:8350/",
        allow_private_hosts=True,
        strategy={"name": strategy} | parameters,
        seed=7,
    )


def demo(*, unique_ids: bool = False) -> LoggedDemo:
    return LoggedDemo(demo_site(pages=60, seed=3, unique_ids=unique_ids))


@pytest.mark.slow
@pytest.mark.parametrize("unique_ids", [False, True], ids=["plain", "unique_ids"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_crawl_of_the_demo_site_that_dies_in_every_step(tmp_path, strategy, unique_ids):
    config = demo_config(strategy)
    whole = crawl_with(never, config, demo(unique_ids=unique_ids), tmp_path / "whole.db")
    assert whole.stop_reason is StopReason.FRONTIER_EMPTY
    assert len(whole.tables["target"]) > 20
    dying = at_random(seed=11, share=1.0)
    died = crawl_with(dying, config, demo(unique_ids=unique_ids), tmp_path / "died.db")
    assert died.deaths > len(whole.requests) / 2
    assert_same(died, whole)


@pytest.mark.parametrize("strategy", ["tallyho", "sb"])
def test_crawl_that_leaves_endless_parts_ends_at_the_same_request(tmp_path, strategy):
    site = variant_site("endless", 60, 3)
    stopping = {"start_url": site.start_url, "early_stopping": EarlyStopping()}
    config = demo_config(strategy).model_copy(update=stopping)
    whole = crawl_with(never, config, LoggedDemo(site), tmp_path / "whole.db")
    assert whole.stop_reason is StopReason.YIELD_EXHAUSTED
    assert len(whole.tables["target"]) == site.targets()
    dying = at_random(seed=11, share=0.3)
    assert_same(crawl_with(dying, config, LoggedDemo(site), tmp_path / "died.db"), whole)


@pytest.mark.slow
@pytest.mark.parametrize("death", Death)
def test_crawl_that_dies_in_the_same_moment_of_every_step(tmp_path, death):
    config = demo_config("sb", b=3, theta=0.95)
    whole = crawl_with(never, config, demo(), tmp_path / "whole.db")
    assert_same(crawl_with(lambda _: [death], config, demo(), tmp_path / "died.db"), whole)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_crawl_that_commits_in_groups_repeats_the_open_group(tmp_path, strategy):
    config = demo_config(strategy)
    whole = crawl_with(never, config, demo(), tmp_path / "whole.db")
    # In one step of five, so that groups of three are sometimes finished.
    died = crawl_with(
        at_random(seed=5, share=0.2), config, demo(), tmp_path / "died.db", steps_per_commit=3
    )
    assert died.deaths > 10
    assert_same(died, whole)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES)
@A_FEW
@given(site=st.integers(0, 10**6), dying=st.integers(0, 10**6), share=st.sampled_from([0.2, 1.0]))
def test_crawl_of_a_nasty_site_that_dies_anywhere(strategy, site, dying, share):
    _compare_on_nasty_site(strategy, site, at_random(dying, share))


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(A_FEW, max_examples=25)
@given(site=st.integers(0, 10**6), dying=st.integers(0, 10**6), share=st.floats(0.02, 1.0))
def test_crawl_of_very_many_nasty_sites_that_dies_anywhere(strategy, site, dying, share):
    _compare_on_nasty_site(strategy, site, at_random(dying, share))


def _compare_on_nasty_site(strategy: str, seed: int, deaths: Deaths) -> None:
    nasty, config = NastySite(seed), nasty_config(strategy, seed)
    with TemporaryDirectory() as folder:
        whole = crawl_with(never, config, nasty.served(), Path(folder) / "whole.db")
        died = crawl_with(deaths, config, nasty.served(), Path(folder) / "died.db")
        assert_same(died, whole)


def test_nasty_sites_are_as_nasty_as_they_claim(tmp_path):
    reasons: set[str] = set()
    outcomes: set[str] = set()
    methods: set[str] = set()
    for seed in range(12):
        site, config = NastySite(seed).served(), nasty_config("sb", seed)
        whole = crawl_with(never, config, site, tmp_path / f"{seed}.db")
        reasons |= {row[11] for row in whole.tables["link"]}
        outcomes |= {row[4] for row in whole.tables["step"]}
        methods |= {row[2] for row in whole.tables["step"]}
    assert methods == {"GET", "HEAD"}
    assert reasons >= {"dead", "server_error", "no_answer", "robots", "robots_unavailable"}
    assert reasons >= {"redirect_known", "parameter_trap", "off_site", "media", "other_type"}
    assert outcomes >= {"retry", "deferred", "redirect", "target", "page", "head_refused"}
    assert outcomes >= {"head_nothing", "head_html", "head_target", "robots"}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_crawl_with_several_start_pages_that_dies_in_every_step(tmp_path, strategy):
    names = [f"/{number}" for number in range(12)]
    answers = {"/": page(*names[:4]), "/b": page(*names[4:8]), "/c": page(*names[8:])}
    config = site_config(start_also=[f"{HOME}/b", f"{HOME}/c"], strategy=strategy)
    whole = crawl_with(never, config, ScriptedSite(answers), tmp_path / "whole.db")
    dying = at_random(seed=2, share=1.0)
    assert_same(crawl_with(dying, config, ScriptedSite(answers), tmp_path / "died.db"), whole)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["tallyho", "sb", "anthelion", "acebot", "random"])
def test_larger_crawl_of_unique_ids_that_dies_often(tmp_path, strategy):
    config = demo_config(strategy)
    site = demo_site(pages=300, seed=4, unique_ids=True)
    whole = crawl_with(never, config, LoggedDemo(site), tmp_path / "whole.db")
    dying = at_random(seed=9, share=0.2)
    assert_same(crawl_with(dying, config, LoggedDemo(site), tmp_path / "died.db"), whole)
