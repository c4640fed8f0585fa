"""DOM-OFF (paper 000, Section IV-C): a breadth-first sample, then groups in a fixed order."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.lab.oracles.dom_offline import DomOffline
from crawler.pages.mime import UrlClass
from crawler.strategies.interface import Candidate, Placement, Selection
from tests.strategies.saved_crawl import SavedCrawl

RICH = "html body ul.data li a"
POOR = "html body footer#foot p span a"
OTHER = "html body table.t tr td a"


def oracle(url: str) -> UrlClass:
    return UrlClass.TARGET if url.endswith(".csv") else UrlClass.HTML


def make(sample: int) -> DomOffline:
    return DomOffline(oracle, n=2, theta=0.75, m=10, w=12, max_actions=50, sample=sample)


def links(numbers: range, path: str, ending: str = "") -> list[Candidate]:
    return [Candidate(n, f"https://stat.example/{n}{ending}", 1, path) for n in numbers]


def follow(strategy: DomOffline) -> Selection:
    selection = strategy.next_link(t=1)
    assert selection is not None
    return selection


def page(strategy: DomOffline, selection: Selection, found: list[Candidate]) -> None:
    """The engine's calls for a page with these new links."""
    if found:
        assert strategy.place(found) == [Placement.QUEUE] * len(found)
        strategy.queue(found)
    strategy.reward(selection.action, 0)


def sampled(strategy: DomOffline) -> None:
    """Two pages of each of two groups: those of RICH have two targets each."""
    strategy.queue(links(range(1, 11), POOR))
    strategy.queue(links(range(11, 21), RICH))
    for _ in range(10):
        page(strategy, follow(strategy), [])
    for number in (100, 200):
        page(strategy, follow(strategy), links(range(number, number + 2), OTHER, ".csv"))


@pytest.fixture
def saved(tmp_path: Path) -> Iterator[SavedCrawl]:
    crawl = SavedCrawl(tmp_path / "state.sqlite")
    yield crawl
    crawl.close()


def test_sample_is_crawled_breadth_first_whatever_the_groups_give():
    strategy = make(sample=20)
    strategy.queue([*links(range(1, 4), POOR), *links(range(4, 6), RICH)])
    followed = []
    for _ in range(5):
        selection = follow(strategy)
        followed.append(selection.link)
        page(strategy, selection, links(range(90, 95), OTHER, ".csv") if len(followed) == 4 else [])
    assert followed == [1, 2, 3, 4, 5]
    assert follow(strategy).link == 90


def test_groups_with_the_higher_mean_benefit_go_first_after_the_sample():
    strategy = make(sample=12)
    sampled(strategy)
    rest = [follow(strategy).link for _ in range(8)]
    assert rest == list(range(13, 21))
    # Two groups without benefit are left: the one that was seen first goes first.
    assert follow(strategy).link == 100


def test_benefit_is_a_mean_over_the_followed_links_of_a_group():
    strategy = make(sample=5)
    strategy.queue(links(range(1, 5), POOR))
    strategy.queue(links(range(5, 6), RICH))
    strategy.queue(links(range(6, 9), POOR))
    for found in ([], [], [], links(range(100, 102), OTHER, ".csv")):
        page(strategy, follow(strategy), found)
    page(strategy, follow(strategy), links(range(200, 201), OTHER, ".csv"))
    # POOR gave 2 targets with 4 links, RICH gave 1 with 1: RICH is better, though it gave less.
    strategy.queue(links(range(300, 301), RICH))
    assert follow(strategy).link == 300
    assert follow(strategy).link == 6


def test_link_that_is_a_target_itself_is_worth_one():
    strategy = make(sample=2)
    strategy.queue(links(range(1, 2), POOR) + links(range(2, 3), RICH, ".csv"))
    page(strategy, follow(strategy), [])
    strategy.reward(follow(strategy).action, 1)
    strategy.queue(links(range(10, 11), POOR) + links(range(11, 12), RICH))
    assert follow(strategy).link == 11


def test_last_page_of_the_sample_still_counts():
    strategy = make(sample=2)
    strategy.queue(links(range(1, 2), POOR) + links(range(2, 3), RICH))
    page(strategy, follow(strategy), [])
    page(strategy, follow(strategy), links(range(50, 53), OTHER, ".csv"))
    strategy.queue(links(range(60, 61), POOR) + links(range(61, 62), RICH))
    assert follow(strategy).link == 61


def test_nothing_is_learned_after_the_sample():
    strategy = make(sample=12)
    sampled(strategy)
    strategy.queue(links(range(30, 40), POOR))
    for _ in range(8):
        page(strategy, follow(strategy), [])
    for _ in range(2):
        selection = follow(strategy)
        page(strategy, selection, links(range(500, 509), "html body main div.new a", ".csv"))
        strategy.reward(selection.action, 50)
    strategy.queue(links(range(40, 41), RICH))
    assert follow(strategy).link == 40


def test_group_that_appears_after_the_sample_has_benefit_zero_for_ever():
    strategy = make(sample=12)
    sampled(strategy)
    fresh = "html body main#m section article h2 a"
    strategy.queue(links(range(700, 703), fresh))
    taken = [follow(strategy) for _ in range(8)]
    assert [selection.link for selection in taken] == list(range(13, 21))
    left = []
    while (selection := strategy.next_link(1)) is not None:
        strategy.reward(selection.action, 9)
        left.append(selection.link)
    assert left == [100, 101, 200, 201, 700, 701, 702]


def test_benefit_of_the_start_page_goes_to_nobody():
    strategy = make(sample=2)
    start = links(range(1, 2), POOR) + links(range(2, 3), RICH) + links(range(3, 9), OTHER, ".csv")
    strategy.place(start)
    strategy.queue(start)
    page(strategy, follow(strategy), [])
    page(strategy, follow(strategy), links(range(50, 51), OTHER, ".csv"))
    strategy.queue(links(range(60, 61), POOR) + links(range(61, 62), RICH))
    assert follow(strategy).link == 61


@pytest.mark.parametrize("seed", range(3))
def test_strategy_reloaded_after_every_step_chooses_as_the_living_one(
    saved: SavedCrawl, seed: int
) -> None:
    rng = random.Random(seed)
    living, reloaded = make(sample=25), make(sample=25)
    next_id = 1
    for _ in range(60):
        path = rng.choice([RICH, POOR, OTHER, f"html body div#d{rng.randrange(5)} p a"])
        ending = rng.choice(["", ".csv"])
        found = links(range(next_id, next_id + rng.randrange(4)), path, ending)
        next_id += len(found)
        selection = living.next_link(1)
        assert reloaded.next_link(1) == selection
        for strategy in (living, reloaded):
            if found:
                strategy.place(found)
                strategy.queue(found)
            if selection:
                strategy.reward(selection.action, 0)
        saved.commit(reloaded, found, [selection.link] if selection else [])
        reloaded = make(sample=25)
        saved.load_into(reloaded)
    rest = [living.next_link(1) for _ in range(next_id)]
    assert [reloaded.next_link(1) for _ in range(next_id)] == rest
    assert rest[0] is not None
    assert rest[-1] is None
