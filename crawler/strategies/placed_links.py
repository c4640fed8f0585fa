"""The frontier of `acebot`: links that wait at places of the patterns, or outside of them."""

from array import array
from collections import deque
from collections.abc import Iterable, Iterator
from heapq import heappop, heappush

from crawler.learning.navigation_patterns import OUTSIDE, PatternTree
from crawler.state.records import LinkStatus, LinkUpdate

NAMED = -1
"""Where links wait that only sitemaps and feeds name."""
_NOWHERE = -2


class PlacedLinks:
    """Every link waits at one place. It may move to a better one, and then its old entry is stale.

    Slots grow, so that the queues come back in their order.
    """

    def __init__(self) -> None:
        self.next_slot = 0
        self._tree = PatternTree([])
        self._queues: dict[int, deque[int]] = {}
        self._places = array("i")
        """By link."""
        self._awake: list[tuple[int, int]] = []
        """Rank and number of every place of the patterns that has a queue."""
        self._updates: list[LinkUpdate] = []

    def use(self, tree: PatternTree) -> None:
        """Order the places by these patterns; none of them has links yet."""
        self._tree = tree

    def place_of(self, link: int) -> int | None:
        """Where a link waits; None when it does not."""
        place = self._places[link] if link < len(self._places) else _NOWHERE
        return None if place == _NOWHERE else place

    def add(self, link: int, place: int) -> None:
        """Let a link wait at a place: a new one, or one that moves."""
        self._enqueue(link, place)
        self._updates.append(LinkUpdate(link, LinkStatus.FRONTIER, place, self.next_slot))
        self.next_slot += 1

    def _enqueue(self, link: int, place: int) -> None:
        if link >= len(self._places):
            self._places.extend([_NOWHERE] * (link + 1 - len(self._places)))
        self._places[link] = place
        queue = self._queues.setdefault(place, deque())
        if not queue and place > OUTSIDE:
            heappush(self._awake, (self._tree.rank(place), place))
        queue.append(link)

    def improve(self, link: int, place: int) -> None:
        """Move a link that waits, if its new place comes before its present one."""
        present = self._places[link]
        if present == NAMED or self._tree.comes_before(place, present):
            self.add(link, place)

    def take_first(self, place: int) -> int | None:
        """The link that waits longest at a place."""
        return self._take(place, from_end=False)

    def take_last(self, place: int) -> int | None:
        """The link that came to a place last."""
        return self._take(place, from_end=True)

    def take_best(self) -> tuple[int, int] | None:
        """A link and its place: the first of the best pattern that has any."""
        while self._awake:
            _, place = self._awake[0]
            link = self._take(place, from_end=False)
            if not self._queues[place]:
                heappop(self._awake)
            if link is not None:
                return link, place
        for place in (OUTSIDE, NAMED):
            link = self._take(place, from_end=False)
            if link is not None:
                return link, place
        return None

    def _take(self, place: int, *, from_end: bool) -> int | None:
        queue = self._queues.get(place)
        while queue:
            link = queue.pop() if from_end else queue.popleft()
            if self._places[link] == place:
                self._places[link] = _NOWHERE
                return link
        return None

    def waiting(self, place: int) -> Iterator[int]:
        """The links at a place, in their order."""
        return (link for link in self._queues.get(place, ()) if self._places[link] == place)

    def take_updates(self) -> list[LinkUpdate]:
        """What moved since the last call."""
        updates, self._updates = self._updates, []
        return updates

    def load(self, links: Iterable[tuple[int, int]]) -> None:
        """Bring links back, in the order of their slots."""
        for link, place in links:
            self._enqueue(link, place)
