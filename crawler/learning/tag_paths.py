"""A tag path as a vector of fixed dimension (paper 000, Section III-B)."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

BEGIN = "BOS"
END = "EOS"

PRIME = 2_654_435_761
"""The large prime Π of the paper's hash; it names none, this is the classic one by Knuth."""

_CACHED_PATHS = 20_000

Buckets = npt.NDArray[np.intp]
Values = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PathVector:
    """The non-zero entries of a projected tag path."""

    buckets: Buckets
    values: Values


class TagPathProjection:
    """Projects tag paths over a growing vocabulary of n-grams into 2^m dimensions.

    The n-gram at position x of the vocabulary goes to bucket ((Π·x) mod 2^w) div 2^(w-m); where
    several positions share a bucket, its value is the mean over all of them, seen in this path or
    not. The vocabulary grows with the crawl, so a path's vector changes with time: its n-gram
    counts are cached, the division by the current occupancy is not.
    """

    def __init__(self, n: int = 2, m: int = 12, w: int = 15) -> None:
        self.n = n
        self._shift = w - m
        self._modulus = 1 << w
        self._positions: dict[str, int] = {}
        self._occupancy = np.zeros(1 << m, dtype=np.float32)
        self._counts: dict[str, PathVector] = {}
        self._new: list[tuple[int, str]] = []

    @property
    def dimension(self) -> int:
        """D = 2^m."""
        return len(self._occupancy)

    def bucket(self, position: int) -> int:
        """The hash h of Section III-B."""
        return ((PRIME * position) % self._modulus) >> self._shift

    def vector(self, path: str) -> PathVector:
        """Project a tag path; its unseen n-grams join the vocabulary."""
        counts = self._counts.get(path)
        if counts is None:
            counts = self._count(path)
        return PathVector(counts.buckets, counts.values / self._occupancy[counts.buckets])

    def ngrams(self, path: str) -> list[str]:
        """The n-grams of a path between its begin and end marks."""
        tags = [BEGIN, *path.split(" "), END]
        return [" ".join(tags[i : i + self.n]) for i in range(max(1, len(tags) - self.n + 1))]

    def _count(self, path: str) -> PathVector:
        sums: dict[int, float] = {}
        for ngram in self.ngrams(path):
            bucket = self.bucket(self._position(ngram))
            sums[bucket] = sums.get(bucket, 0.0) + 1.0
        buckets = np.array(sorted(sums), dtype=np.intp)
        counts = PathVector(buckets, np.array([sums[b] for b in buckets], dtype=np.float32))
        if len(self._counts) >= _CACHED_PATHS:
            self._counts.clear()
        self._counts[path] = counts
        return counts

    def _position(self, ngram: str) -> int:
        position = self._positions.get(ngram)
        if position is not None:
            return position
        position = len(self._positions)
        if position >= self._modulus:
            # The hash repeats after 2^w positions, so more of them say nothing new. Sites with
            # unique ids on their tags would otherwise grow the vocabulary with every link.
            digest = blake2b(ngram.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            return int.from_bytes(digest) % self._modulus
        self._admit(position, ngram)
        self._new.append((position, ngram))
        return position

    def _admit(self, position: int, ngram: str) -> None:
        self._positions[ngram] = position
        self._occupancy[self.bucket(position)] += 1

    def take_new(self) -> list[tuple[int, str]]:
        """The n-grams that joined the vocabulary since the last call, with their positions."""
        new, self._new = self._new, []
        return new

    def load(self, vocabulary: Iterable[tuple[int, str]]) -> None:
        """Bring a saved vocabulary back."""
        for position, ngram in vocabulary:
            self._admit(position, ngram)
