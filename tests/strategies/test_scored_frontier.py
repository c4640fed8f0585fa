"""The frontier of `tallyho`: the best of all its links, found without looking at every one."""

import random

import numpy as np
import numpy.typing as npt

from crawler.learning.link_features import MAX_FEATURES, Row
from crawler.strategies.scored_frontier import ScoredFrontier

# More than two blocks of links, so that links wander from one block to another.
LINKS = 2500


def row_of(link: int) -> Row:
    return np.full(MAX_FEATURES, link, dtype=np.uint16)


def test_best_link_is_the_one_a_walk_over_all_would_find() -> None:
    chance = random.Random(3)
    frontier, slots = ScoredFrontier(), list[tuple[int, float]]()
    link = 0
    while link < LINKS or slots:
        if link < LINKS and (not slots or chance.random() < 0.8):
            score = chance.randrange(40) / 8  # many are equal
            frontier.add(link, link % 7, row_of(link), score)
            slots.append((link, score))
            link += 1
            continue
        best = max(range(len(slots)), key=lambda slot: (slots[slot][1], -slot))
        assert frontier.best() == best
        slot = best if chance.random() < 0.7 else chance.randrange(len(slots))
        taken, action, row = frontier.take(slot)
        assert (taken, action) == (slots[slot][0], slots[slot][0] % 7)
        assert (row == taken).all()
        last = slots.pop()
        if slot < len(slots):
            slots[slot] = last
    assert len(frontier) == 0


def test_scoring_anew_changes_which_link_is_best() -> None:
    frontier = ScoredFrontier()
    for link in range(LINKS):
        frontier.add(link, 0, row_of(link), float(link))
    assert frontier.best() == LINKS - 1

    def near_1100(
        rows: npt.NDArray[np.uint16], links: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float64]:
        assert (rows[:, 0] == links).all()
        return -np.abs(links - 1100.0)

    frontier.score_all(near_1100)
    assert frontier.best() == 1100
    assert frontier.take(1100)[0] == 1100
    assert frontier.best() == 1099


def test_loaded_links_are_found_once_they_are_scored() -> None:
    frontier = ScoredFrontier()
    frontier.load((link, link % 3, row_of(link)) for link in range(LINKS))
    frontier.score_all(lambda rows, links: (rows[:, 0] == 2000) * (links == 2000) * 1.0)
    assert frontier.best() == 2000
    assert frontier.count(2) == LINKS // 3
    assert frontier.take_updates() == []
