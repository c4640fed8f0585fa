"""Links whose like gave nothing, for the very end of a crawl."""

from bisect import insort
from collections.abc import Callable
from heapq import heappop, heappush

from crawler.pages.more_of_the_same import pattern
from crawler.pages.urls import fingerprint


class PostponedLinks:
    """Each pattern in turn, and its links as if drawn at random: what they give is a fair sample.

    In the order in which they were found, the days of one month would all come before the next
    facet. The order depends on nothing but the links themselves, so that it is the same after a
    restart.
    """

    def __init__(self) -> None:
        self._patterns: list[int] = []
        self._links: dict[int, list[tuple[int, int]]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, link: int, url: str) -> None:
        """One more."""
        key = pattern(url) or 0
        if key not in self._links:
            insort(self._patterns, key)
            self._links[key] = []
        heappush(self._links[key], (fingerprint(url), link))
        self._count += 1

    def take(self, turn: int, gives_nothing: Callable[[int], bool]) -> int:
        """The next one; patterns that have given something meanwhile come before the others."""
        keys = [key for key in self._patterns if not gives_nothing(key)] or self._patterns
        key = keys[turn % len(keys)]
        _, link = heappop(self._links[key])
        if not self._links[key]:
            del self._links[key]
            self._patterns.remove(key)
        self._count -= 1
        return link
