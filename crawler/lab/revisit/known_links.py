"""Who links to what, as far as the crawl has read: files that nothing links to any more."""

from collections import Counter
from collections.abc import Iterable


class KnownLinks:
    """The links of every page at its last visit, counted by where they lead."""

    def __init__(self) -> None:
        self._links: dict[str, tuple[str, ...]] = {}
        self._linked: Counter[str] = Counter()

    def of(self, page: str) -> tuple[str, ...]:
        """The links of a page when it was last read."""
        return self._links.get(page, ())

    def read(self, page: str, links: Iterable[str]) -> set[str]:
        """Take in a page's links; what is linked from nowhere any more is returned.

        A page that lost its last link takes its own links with it: they lead on from nowhere.
        """
        before, now = set(self.of(page)), set(links)
        self._links[page] = tuple(now)
        self._linked.update(now - before)
        unlinked: set[str] = set()
        waiting = list(before - now)
        while waiting:
            link = waiting.pop()
            self._linked[link] -= 1
            if self._linked[link] <= 0 and link not in unlinked:
                unlinked.add(link)
                waiting += self._links.pop(link, ())
        return unlinked
