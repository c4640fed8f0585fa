"""The frontier: unvisited links, grouped by action, that survive a restart in the same order."""

from array import array
from collections.abc import Iterable, Iterator

from crawler.state.records import LinkRow, LinkStatus, LinkUpdate
from crawler.state.saved import SavedState

LINKS_AT_ONCE = 5_000
"""Waiting links that are read or scored together."""


def waiting_rows(state: SavedState) -> Iterator[LinkRow]:
    """Every link that waits in a saved crawl, in the order of their ids."""
    ids = sorted(link for link, _ in state.frontier())
    wanted = set(ids)
    for start in range(0, len(ids), LINKS_AT_ONCE):
        some = ids[start : start + LINKS_AT_ONCE]
        yield from (row for row in state.links(some[0], some[-1] + 1) if row.id in wanted)


class Frontier:
    """Links by action. Every link has a slot; taking one moves the last of its action there.

    The slots are saved, because the next draw depends on them: a resumed crawl must find every link
    where the interrupted one had it.
    """

    def __init__(self) -> None:
        self._groups: list[array[int]] = []
        self._updates: list[LinkUpdate] = []

    def add(self, link: int, action: int) -> None:
        """Put a link into its action."""
        group = self._group(action)
        self._updates.append(LinkUpdate(link, LinkStatus.FRONTIER, action, len(group)))
        group.append(link)

    def take(self, action: int, slot: int) -> int:
        """Take the link at a slot out of its action."""
        group = self._groups[action]
        link = group[slot]
        last = group.pop()
        if last != link:
            group[slot] = last
            self._updates.append(LinkUpdate(last, LinkStatus.FRONTIER, action, slot))
        return link

    def count(self, action: int) -> int:
        """How many links an action has."""
        return len(self._groups[action]) if action < len(self._groups) else 0

    def take_updates(self) -> list[LinkUpdate]:
        """What moved since the last call."""
        updates, self._updates = self._updates, []
        return updates

    def load(self, links: Iterable[tuple[int, int]]) -> None:
        """Bring links back, in the order of their slots."""
        for link, action in links:
            self._group(action).append(link)

    def _group(self, action: int) -> "array[int]":
        while action >= len(self._groups):
            self._groups.append(array("q"))
        return self._groups[action]
