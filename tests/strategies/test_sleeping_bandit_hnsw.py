"""SB-CLASSIFIER with the paper's own index: after restarts it decides as if it had lived on."""

import random
from pathlib import Path

import pytest

from crawler.config.strategy import ActionIndex, SleepingBanditConfig
from crawler.lab.sites.demo import demo_site
from crawler.learning.hnsw_actions import OPERATIONS_PER_SNAPSHOT
from crawler.state.crawl_state import CrawlState
from crawler.strategies.interface import Candidate
from crawler.strategies.make import make_strategy
from tests.engine.crawl_run import site_config
from tests.engine.resumed_crawl import LoggedDemo, at_random, crawl_with, never
from tests.strategies.saved_crawl import SavedCrawl, candidate
from tests.strategies.test_sleeping_bandit_resume import Script, Twins

LISTS = ["ul.datasets", "ol.news", "table.figures tr td", "div.archive p", "section.press div"]
BASE = "http://127.0.0.1:8350/"


def unique_path(number: int, rng: random.Random) -> str:
    """A tag path with ids of its own, as content management systems make them."""
    return f"html body div#node-{number} {rng.choice(LISTS)} li#item-{number % 97} a"


def last_snapshot(path: Path) -> tuple[int, list[int]]:
    """The number of the last snapshot, and those of the operations since then."""
    state = CrawlState(path)
    snapshot = state.index_snapshot()
    operations = [row.number for row in state.index_operations()]
    state.close()
    return (snapshot.number if snapshot is not None else 0), operations


def crawl_unique_paths(twins: Twins, links: int, *, restarts: int) -> None:
    """Pages of many links with paths of their own; the process dies at random steps."""
    rng = random.Random(links)
    known: list[Candidate] = []
    dying = set(rng.sample(range(links // 25), restarts))
    for step in range(links // 25):
        first = len(known) + 1
        page = [candidate(first + i, unique_path(first + i, rng)) for i in range(25)]
        known += page
        twins.found(page)
        twins.both(lambda strategy, new=page: strategy.queue(new))
        selection = twins.both(lambda strategy, t=step + 1: strategy.next_link(t))
        assert selection is not None
        twins.fetched(selection.link)
        reward = rng.randrange(4)
        twins.both(lambda strategy, s=selection, r=reward: strategy.reward(s.action, r))
        for link in rng.sample(known, 3):
            twins.both(lambda strategy, again=link: strategy.adopt(again))
        if step in dying:
            twins.restart()
    twins.restart()
    twins.saved.close()


@pytest.mark.slow
def test_strategy_reloaded_now_and_then_decides_as_the_living_one_over_many_snapshots(
    tmp_path: Path,
) -> None:
    path = tmp_path / "state.sqlite"
    twins = Twins(path, m=6, w=8, theta=0.9, index=ActionIndex.HNSW)
    crawl_unique_paths(twins, 3000, restarts=25)
    number, operations = last_snapshot(path)
    assert number >= 3 * OPERATIONS_PER_SNAPSHOT
    assert number % OPERATIONS_PER_SNAPSHOT == 0
    assert operations == list(range(number + 1, number + 1 + len(operations)))
    assert len(operations) < OPERATIONS_PER_SNAPSHOT


@pytest.mark.slow
def test_strategy_with_the_vectors_of_the_paper_decides_as_the_living_one(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    twins = Twins(path, m=12, w=15, theta=0.9, index=ActionIndex.HNSW)
    crawl_unique_paths(twins, 700, restarts=4)
    assert last_snapshot(path)[0] == OPERATIONS_PER_SNAPSHOT


def test_strategy_reloaded_after_every_step_decides_as_the_living_one(tmp_path: Path) -> None:
    twins = Twins(tmp_path / "state.sqlite", index=ActionIndex.HNSW)
    script = Script(twins, seed=5)
    script.run(40)
    script.drain()
    twins.saved.close()


def test_crawl_that_has_found_no_link_yet_is_brought_back(tmp_path: Path) -> None:
    config = SleepingBanditConfig(index=ActionIndex.HNSW)
    saved = SavedCrawl(tmp_path / "state.sqlite")
    saved.commit(make_strategy(config, seed=1))
    restored = make_strategy(config, seed=1)
    saved.load_into(restored)
    assert restored.next_link(1) is None
    saved.close()


@pytest.mark.parametrize(("index", "logged"), [("exact", 0), ("hnsw", 2)])
def test_site_file_tells_the_index_and_only_hnsw_is_logged(
    tmp_path: Path, index: str, logged: int
) -> None:
    path = tmp_path / "state.sqlite"
    strategy = make_strategy(SleepingBanditConfig(index=index), seed=1)
    links = [candidate(1, "html body ul li a"), candidate(2, "html body table tr td p a")]
    strategy.queue(links)
    saved = SavedCrawl(path)
    saved.commit(strategy, links)
    saved.close()
    assert last_snapshot(path) == (0, list(range(1, logged + 1)))


def test_crawl_that_dies_again_and_again_does_what_the_uninterrupted_one_does(
    tmp_path: Path,
) -> None:
    config = site_config(
        start_url=BASE,
        name="demo",
        allow_private_hosts=True,
        strategy={"name": "sb", "index": "hnsw", "theta": 0.95},
    )
    living, dying = (
        crawl_with(deaths, config, LoggedDemo(demo_site(60, base=BASE, unique_ids=True)), path)
        for deaths, path in [
            (never, tmp_path / "living.sqlite"),
            (at_random(3, share=0.2), tmp_path / "dying.sqlite"),
        ]
    )
    assert dying.deaths > 20
    assert dying.requests == living.requests
    assert dying.tables == living.tables
    assert dying.stop_reason is living.stop_reason
    assert len(living.tables["index_operation"]) > 30
