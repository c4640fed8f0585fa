"""Choosing pages whose links do not overlap (paper 003, Algorithm 2, lines 6 to 11)."""

from collections.abc import Iterable

import numpy as np

from crawler.revisit.fingerprints import Fingerprints, unpack

_HASHES = 64
_MULTIPLIERS = np.random.default_rng(3).integers(1, 2**63, _HASHES, dtype=np.uint64) * np.uint64(
    2
) + np.uint64(1)
_SLACK = 0.25
"""MinHash guesses the overlap with a deviation of at most 1/16; nearer than this is computed."""


def jaccard(first: Fingerprints, second: Fingerprints) -> float:
    """Size of the intersection over size of the union; 0 for two empty sets."""
    shared = len(np.intersect1d(first, second, assume_unique=True))
    union = len(first) + len(second) - shared
    return shared / union if union else 0.0


class Chosen:
    """The links of pages chosen so far; says whether another page's links overlap with one's."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._links: list[Fingerprints] = []
        self._signatures = np.empty((64, _HASHES), dtype=np.uint64)

    def overlaps(self, links: Fingerprints) -> bool:
        """Whether the Jaccard similarity with a chosen page is above the threshold."""
        size = len(self._links)
        if not size or not len(links):
            return False
        guessed = (self._signatures[:size] == _signature(links)).mean(axis=1)
        near = np.flatnonzero(guessed > self._threshold - _SLACK)
        return any(jaccard(links, self._links[at]) > self._threshold for at in near)

    def add(self, links: Fingerprints) -> None:
        """Count a page as chosen."""
        if not len(links):
            return
        size = len(self._links)
        if size == len(self._signatures):
            self._signatures = np.concatenate([self._signatures, self._signatures])
        self._signatures[size] = _signature(links)
        self._links.append(links)


def _signature(links: Fingerprints) -> Fingerprints:
    """MinHash: the least of the links under each of the hash functions."""
    least: Fingerprints = (links[:, None] * _MULTIPLIERS).min(axis=0)
    return least


def select_apart(
    ranked: Iterable[int], outlinks: list[bytes], budget: int, threshold: float
) -> list[int]:
    """The best rows in this order, without those that overlap with one before them.

    When fewer are left than the budget allows, the best of those left out fill it up.
    """
    chosen = Chosen(threshold)
    rows: list[int] = []
    left_out: list[int] = []
    for row in ranked:
        if len(rows) == budget:
            break
        links = unpack(outlinks[row])
        if chosen.overlaps(links):
            left_out.append(row)
            continue
        chosen.add(links)
        rows.append(row)
    return rows + left_out[: budget - len(rows)]
