"""The frontier of `anthelion`: links by group, the most confident of a group first."""

import math
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from crawler.state.records import LinkStatus, LinkUpdate

_STEPS = 16
"""A confidence is its log odds in sixteenths, an integer: it is saved, and comes back exactly."""
_MAX_ORDER = 1 << 20
MAX_PARENTS = 15
"""Parents of a link that are counted: what every page links to needs no more."""


@dataclass(slots=True)
class Waiting:
    """A link that waits."""

    group: int
    page: int
    """The page that showed it first."""
    tokens: list[int]
    """Of its URL, hashed."""
    parents: int = 1
    relevant: int = 0
    """How many of its parents are relevant."""
    order: int = 0
    """The confidence that it is relevant."""

    @property
    def slot(self) -> int:
        """All that changes while it waits in one number, as the state keeps it."""
        return (self.order + _MAX_ORDER) << 16 | self.parents << 8 | self.relevant

    def restore(self, slot: int) -> None:
        """Bring what changed back."""
        self.order = (slot >> 16) - _MAX_ORDER
        self.parents, self.relevant = slot >> 8 & 255, slot & 255


def order_of(log_odds: float) -> int:
    """The confidence as an integer."""
    return round(max(-_MAX_ORDER, min(_MAX_ORDER - 1, log_odds * _STEPS)))


def confidence_of(order: int) -> float:
    """The confidence from 0 to 1."""
    return 1 / (1 + math.exp(max(-500.0, min(500.0, -order / _STEPS))))


class ConfidentFrontier:
    """A heap per group; among links of equal confidence the oldest comes first.

    A link whose confidence changed is pushed once more, and its older entry is skipped: no choice
    looks at more than the top of one heap.
    """

    def __init__(self) -> None:
        self.links: dict[int, Waiting] = {}
        self._heaps: list[list[tuple[int, int]]] = []
        self._counts: list[int] = []
        self._moved: set[int] = set()

    def add(self, link: int, waiting: Waiting) -> None:
        """Put a link into its group."""
        self.restore(link, waiting)
        self._moved.add(link)

    def restore(self, link: int, waiting: Waiting) -> None:
        """Bring a saved link back."""
        self._heaps += [[] for _ in range(len(self._heaps), waiting.group + 1)]
        self._counts += [0] * (waiting.group + 1 - len(self._counts))
        self.links[link] = waiting
        self._counts[waiting.group] += 1
        heappush(self._heaps[waiting.group], (-waiting.order, link))

    def changed(self, link: int, order: int) -> None:
        """Its parents, and so perhaps its confidence, are not what they were."""
        waiting = self.links[link]
        self._moved.add(link)
        if order != waiting.order:
            waiting.order = order
            heap = self._heaps[waiting.group]
            heappush(heap, (-order, link))
            if len(heap) > 2 * self._counts[waiting.group] + 64:
                self._rebuild(waiting.group)

    def best(self, group: int) -> int | None:
        """The confidence of the best link of a group."""
        heap = self._heaps[group] if group < len(self._heaps) else []
        while heap:
            order, link = heap[0]
            waiting = self.links.get(link)
            if waiting is not None and waiting.group == group and waiting.order == -order:
                return waiting.order
            heappop(heap)
        return None

    def take(self, group: int) -> tuple[int, Waiting]:
        """Take the best link of a group that has one."""
        if self.best(group) is None:
            raise IndexError(f"group {group} has no links")
        _, link = heappop(self._heaps[group])
        self._counts[group] -= 1
        self._moved.discard(link)
        return link, self.links.pop(link)

    def take_updates(self) -> list[LinkUpdate]:
        """What changed since the last call."""
        moved, self._moved = sorted(self._moved), set()
        return [
            LinkUpdate(link, LinkStatus.FRONTIER, self.links[link].group, self.links[link].slot)
            for link in moved
        ]

    def _rebuild(self, group: int) -> None:
        live = {
            (order, link)
            for order, link in self._heaps[group]
            if (waiting := self.links.get(link)) is not None and waiting.order == -order
        }
        self._heaps[group] = list(live)
        heapify(self._heaps[group])
