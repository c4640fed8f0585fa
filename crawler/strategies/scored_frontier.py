"""The frontier of `tallyho`: every waiting link with its features and what it seems to be worth."""

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from crawler.learning.link_features import MAX_FEATURES, Row
from crawler.state.records import LinkStatus, LinkUpdate

_BLOCK = 1024
"""Links that share one best score, so that finding the best of all looks at few of them."""
Worth = Callable[[npt.NDArray[np.uint16], npt.NDArray[np.int64]], npt.NDArray[np.float64]]
"""From the features of links and their ids to what they are worth."""


class ScoredFrontier:
    """Links side by side in arrays; taking one moves the last of all to its slot.

    The slots are saved: which of two equals comes first, and which one a draw meets, depends on
    them. Fifty bytes of features and sixteen others stand for a link.
    """

    def __init__(self) -> None:
        self._size = 0
        self._links = np.zeros(_BLOCK, dtype=np.int64)
        self._actions = np.zeros(_BLOCK, dtype=np.int32)
        self._scores = np.zeros(_BLOCK)
        self._rows = np.zeros((_BLOCK, MAX_FEATURES), dtype=np.uint16)
        self._block_best = np.full(1, -np.inf)
        self._counts: list[int] = []
        self._updates: list[LinkUpdate] = []

    def __len__(self) -> int:
        return self._size

    def add(self, link: int, action: int, row: Row, score: float) -> None:
        """Put a link at the end."""
        self._updates.append(LinkUpdate(link, LinkStatus.FRONTIER, action, self._size))
        self._append(link, action, row, score)

    def best(self) -> int:
        """The slot of the link that seems to be worth most, the lowest on a tie."""
        block = int(self._block_best.argmax())
        return block * _BLOCK + int(self._block(block).argmax())

    def score(self, slot: int) -> float:
        """What the link at a slot seems to be worth."""
        return float(self._scores[slot])

    def total(self) -> float:
        """What all links seem to be worth together."""
        return float(self._scores[: self._size].sum())

    def slots_of(self, action: int) -> npt.NDArray[np.intp]:
        """The slots of an action's links."""
        return np.flatnonzero(self._actions[: self._size] == action)

    def count(self, action: int) -> int:
        """How many links an action has."""
        return self._counts[action] if action < len(self._counts) else 0

    def take(self, slot: int) -> tuple[int, int, Row]:
        """Take the link at a slot out: its id, its action and its features."""
        link, action = int(self._links[slot]), int(self._actions[slot])
        row = self._rows[slot].copy()
        self._size -= 1
        self._counts[action] -= 1
        last = self._size
        if slot != last:
            for values in (self._links, self._actions, self._scores, self._rows):
                values[slot] = values[last]
            moved, its_action = int(self._links[slot]), int(self._actions[slot])
            self._updates.append(LinkUpdate(moved, LinkStatus.FRONTIER, its_action, slot))
        for block in {slot // _BLOCK, last // _BLOCK}:
            self._block_best[block] = self._block(block).max(initial=-np.inf)
        return link, action, row

    def score_all(self, worth: Worth) -> None:
        """Score every link anew."""
        size = self._size
        self._scores[:size] = worth(self._rows[:size], self._links[:size])
        if size:
            starts = np.arange(0, size, _BLOCK)
            self._block_best[: len(starts)] = np.maximum.reduceat(self._scores[:size], starts)

    def take_updates(self) -> list[LinkUpdate]:
        """What moved since the last call."""
        updates, self._updates = self._updates, []
        return updates

    def load(self, links: Iterable[tuple[int, int, Row]]) -> None:
        """Bring links back, in the order of their slots; they are not scored yet."""
        for link, action, row in links:
            self._append(link, action, row, 0.0)

    def _append(self, link: int, action: int, row: Row, score: float) -> None:
        slot = self._size
        if slot == len(self._links):
            self._grow()
        self._links[slot], self._actions[slot] = link, action
        self._scores[slot], self._rows[slot] = score, row
        self._size += 1
        self._block_best[slot // _BLOCK] = max(self._block_best[slot // _BLOCK], score)
        self._counts.extend([0] * (action + 1 - len(self._counts)))
        self._counts[action] += 1

    def _block(self, block: int) -> npt.NDArray[np.float64]:
        return self._scores[block * _BLOCK : min((block + 1) * _BLOCK, self._size)]

    def _grow(self) -> None:
        more = -(-len(self._links) // (2 * _BLOCK)) * _BLOCK
        self._links = np.concatenate([self._links, np.zeros(more, dtype=np.int64)])
        self._actions = np.concatenate([self._actions, np.zeros(more, dtype=np.int32)])
        self._scores = np.concatenate([self._scores, np.zeros(more)])
        self._rows = np.concatenate([self._rows, np.zeros((more, MAX_FEATURES), dtype=np.uint16)])
        self._block_best = np.concatenate([self._block_best, np.full(more // _BLOCK, -np.inf)])
