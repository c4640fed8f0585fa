"""The frontier: links by action, with slots that survive a restart."""

import random

from crawler.state.records import LinkStatus, LinkUpdate
from crawler.strategies.frontier import Frontier


def in_frontier(link: int, action: int, slot: int) -> LinkUpdate:
    return LinkUpdate(link, LinkStatus.FRONTIER, action, slot)


def test_links_get_the_next_slot_of_their_action() -> None:
    frontier = Frontier()
    for link, action in [(10, 0), (11, 2), (12, 0), (13, 2)]:
        frontier.add(link, action)
    assert [frontier.count(action) for action in range(4)] == [2, 0, 2, 0]
    assert frontier.take_updates() == [
        in_frontier(10, 0, 0),
        in_frontier(11, 2, 0),
        in_frontier(12, 0, 1),
        in_frontier(13, 2, 1),
    ]


def test_taking_a_link_moves_the_last_of_its_action_to_its_slot() -> None:
    frontier = Frontier()
    for link in (10, 11, 12, 13):
        frontier.add(link, 0)
    frontier.take_updates()
    assert frontier.take(0, 1) == 11
    assert frontier.take_updates() == [in_frontier(13, 0, 1)]
    assert frontier.count(0) == 3
    assert [frontier.take(0, 0) for _ in range(3)] == [10, 12, 13]


def test_taking_the_last_link_moves_nothing() -> None:
    frontier = Frontier()
    frontier.add(10, 0)
    frontier.add(11, 0)
    frontier.take_updates()
    assert frontier.take(0, 1) == 11
    assert frontier.take(0, 0) == 10
    assert frontier.take_updates() == []
    assert frontier.count(0) == 0


def test_updates_are_told_once() -> None:
    frontier = Frontier()
    frontier.add(10, 0)
    assert frontier.take_updates() == [in_frontier(10, 0, 0)]
    assert frontier.take_updates() == []


def test_taking_from_one_action_leaves_the_others() -> None:
    frontier = Frontier()
    for link in range(6):
        frontier.add(link, link % 2)
    frontier.take(0, 0)
    assert [frontier.count(0), frontier.count(1)] == [2, 3]
    assert [frontier.take(1, 0) for _ in range(3)] == [1, 5, 3]


def test_frontier_reloaded_from_its_updates_has_every_link_at_its_slot() -> None:
    rng = random.Random(11)
    living = Frontier()
    placed: dict[int, tuple[int, int]] = {}
    for link in range(600):
        living.add(link, rng.randrange(5))
        action = rng.randrange(5)
        taken = None
        if rng.random() < 0.4 and living.count(action):
            taken = living.take(action, rng.randrange(living.count(action)))
        for update in living.take_updates():
            placed[update.id] = (update.action, update.slot)
        if taken is not None:
            del placed[taken]
    saved = sorted((action, slot, link) for link, (action, slot) in placed.items())
    reloaded = Frontier()
    reloaded.load((link, action) for action, _, link in saved)
    assert reloaded.take_updates() == []
    for action in range(5):
        assert reloaded.count(action) == living.count(action)
        while living.count(action):
            slot = rng.randrange(living.count(action))
            assert reloaded.take(action, slot) == living.take(action, slot)
    assert reloaded.take_updates() == living.take_updates()
