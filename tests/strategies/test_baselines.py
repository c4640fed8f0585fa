"""The baselines of Section IV-C (paper 000): bfs, dfs and random."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from crawler.pages.mime import UrlClass
from crawler.state.crawl_state import CrawlState
from crawler.state.records import Changes, LinkRow, LinkStatus, LinkUpdate
from crawler.strategies.baselines import BreadthFirst, DepthFirst, RandomChoice
from crawler.strategies.interface import NO_ACTION, Candidate, Placement, Strategy
from tests.strategies.saved_crawl import SavedCrawl, candidate

MAKERS: dict[str, Callable[[], Strategy]] = {
    "bfs": BreadthFirst,
    "dfs": DepthFirst,
    "random": lambda: RandomChoice(5),
}

every_baseline = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())


@pytest.fixture
def saved(tmp_path: Path) -> Iterator[SavedCrawl]:
    crawl = SavedCrawl(tmp_path / "state.sqlite")
    yield crawl
    crawl.close()


def fill(strategy: Strategy, *numbers: int) -> None:
    strategy.queue([candidate(number) for number in numbers])


def take(strategy: Strategy, count: int) -> list[int | None]:
    chosen = [strategy.next_link(t=10) for _ in range(count)]
    return [selection.link if selection else None for selection in chosen]


def test_bfs_takes_the_link_that_was_found_first() -> None:
    strategy = BreadthFirst()
    fill(strategy, 1, 2, 3)
    assert take(strategy, 2) == [1, 2]
    fill(strategy, 4, 5)
    assert take(strategy, 4) == [3, 4, 5, None]


def test_bfs_comes_back_in_the_order_in_which_links_were_queued(saved: SavedCrawl) -> None:
    strategy = BreadthFirst()
    fill(strategy, 5, 2)
    saved.commit(strategy, [candidate(number) for number in range(1, 6)])
    resumed = BreadthFirst()
    saved.load_into(resumed)
    fill(resumed, 1)
    saved.commit(resumed)
    again = BreadthFirst()
    saved.load_into(again)
    assert take(again, 4) == [5, 2, 1, None]


def test_bfs_of_an_earlier_version_goes_by_the_numbers_of_links(tmp_path: Path) -> None:
    links = [LinkRow(number, number, "") for number in (1, 2, 3)]
    updates = [LinkUpdate(number, LinkStatus.FRONTIER, 0) for number in (3, 2)]
    with closing(CrawlState(tmp_path / "state.sqlite")) as state:
        state.commit(Changes(links=links, updates=updates))
        strategy = BreadthFirst()
        strategy.load(state, {})
    fill(strategy, 1)
    assert take(strategy, 4) == [2, 3, 1, None]


def test_dfs_takes_the_link_that_was_found_last() -> None:
    strategy = DepthFirst()
    fill(strategy, 1, 2, 3)
    assert take(strategy, 2) == [3, 2]
    fill(strategy, 4, 5)
    assert take(strategy, 4) == [5, 4, 1, None]


def test_random_takes_every_link_once() -> None:
    strategy = RandomChoice(1)
    fill(strategy, *range(1, 51))
    taken = take(strategy, 51)
    assert taken.pop() is None
    assert taken != list(range(1, 51))
    assert sorted(number for number in taken if number is not None) == list(range(1, 51))


def test_random_draws_uniformly() -> None:
    strategy = RandomChoice(2)
    counts: Counter[tuple[int, int | None]] = Counter()
    for _ in range(3_000):
        fill(strategy, *range(1, 7))
        counts.update(enumerate(take(strategy, 6)))
    for position in range(6):
        found = [counts[position, number] for number in range(1, 7)]
        # Chi-square with 5 degrees of freedom is over 20.5 in one case of a thousand.
        assert sum((count - 500) ** 2 / 500 for count in found) < 20.5


def test_random_is_the_same_for_the_same_seed() -> None:
    orders = []
    for seed in (3, 3, 4):
        strategy = RandomChoice(seed)
        fill(strategy, *range(1, 31))
        orders.append(take(strategy, 30))
    assert orders[0] == orders[1]
    assert orders[0] != orders[2]


@every_baseline
def test_baseline_queues_every_link_whatever_it_was_told(make: Callable[[], Strategy]) -> None:
    strategy = make()
    opinion = strategy.opinion
    for number in range(30):
        file = Candidate(0, f"https://stat.example/{number}.csv", 1, "html a")
        strategy.learn(file, UrlClass.TARGET)
        strategy.head_refused()
        strategy.reward(NO_ACTION, 3)
    links = [candidate(n, url=f"https://stat.example/{n}.csv") for n in range(1, 4)]
    assert strategy.place(links) == [Placement.QUEUE] * 3
    assert strategy.place([]) == []
    assert strategy.opinion == opinion


@every_baseline
def test_baseline_has_no_actions(make: Callable[[], Strategy]) -> None:
    strategy = make()
    assert strategy.adopt(candidate(9)) == NO_ACTION
    assert strategy.next_link(1) is None
    fill(strategy, 1)
    selection = strategy.next_link(1)
    assert selection is not None
    assert selection.action == NO_ACTION
    assert strategy.next_link(2) is None


@every_baseline
def test_baseline_reloaded_after_every_step_chooses_as_the_living_one(
    make: Callable[[], Strategy], saved: SavedCrawl
) -> None:
    rng = random.Random(8)
    living, reloaded = make(), make()
    next_id = 1
    for _ in range(60):
        found = [candidate(next_id + i) for i in range(rng.randrange(4))]
        next_id += len(found)
        for strategy in (living, reloaded):
            strategy.queue(found)
        selection = living.next_link(1)
        assert reloaded.next_link(1) == selection
        saved.commit(reloaded, found, [selection.link] if selection else [])
        reloaded = make()
        saved.load_into(reloaded)
    rest = take(living, next_id)
    assert take(reloaded, next_id) == rest
    assert rest[0] is not None
    assert rest[-1] is None
