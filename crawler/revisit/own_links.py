"""The links that make a page different from others: without menus, footers and the like."""

import numpy as np

from crawler.revisit.fingerprints import Fingerprints, unpack

MAX_SHARE = 0.05
"""A link on more than this share of the pages is part of the frame …"""
MIN_PAGES = 10
"""… if it is on more than this many."""


class OwnLinks:
    """Own links of some pages, and the largest overlap with pages chosen so far."""

    def __init__(self, rows: list[int], outlinks: list[bytes]) -> None:
        joined = unpack(b"".join(outlinks[row] for row in rows))
        links, counts = np.unique(joined, return_counts=True)
        limit = max(MAX_SHARE * len(rows), MIN_PAGES)
        self._frame: Fingerprints = links[counts > limit]
        self._outlinks = outlinks
        self._chosen: dict[int, list[int]] = {}
        """The chosen pages that have a link."""
        self._sizes: dict[int, int] = {}

    def of(self, row: int) -> list[int]:
        """The own links of a page."""
        links = unpack(self._outlinks[row])
        own: list[int] = links[~np.isin(links, self._frame, assume_unique=True)].tolist()
        return own

    def overlap(self, row: int) -> float:
        """The largest Jaccard similarity of a page's own links with those of a chosen page."""
        own = self.of(row)
        shared: dict[int, int] = {}
        for link in own:
            for other in self._chosen.get(link, ()):
                shared[other] = shared.get(other, 0) + 1
        return max(
            (count / (len(own) + self._sizes[other] - count) for other, count in shared.items()),
            default=0.0,
        )

    def choose(self, row: int) -> None:
        """Count a page as chosen."""
        own = self.of(row)
        self._sizes[row] = len(own)
        for link in own:
            self._chosen.setdefault(link, []).append(row)
