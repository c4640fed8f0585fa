"""Actions: clusters of links with similar tag paths (paper 000, Section III-B, Algorithm 1)."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from crawler.learning.tag_paths import PathVector

_ROUNDING = 1e-5
"""What a cosine over 32-bit sums may be off: with theta = 1 equal paths still share an action."""


@dataclass(frozen=True, slots=True)
class Centroid:
    """An action's position, as the crawl's state keeps it: the sum of its links' vectors."""

    buckets: bytes
    sums: bytes
    square: float
    """Squared length of the sum, accumulated in the order of the crawl."""


class Actions:
    """Finds the action of a link by cosine similarity to the centroids, or makes a new one.

    An action is represented by the sum of its vectors instead of their mean: the cosine is the
    same, and a link changes only the buckets of its own path. The search is exact: the sums are
    stored transposed, so that a path of 25 n-grams reads 25 rows, which at thousands of actions is
    many times faster than an HNSW index over dense vectors (docs/decisions/0003). `HnswActions`
    searches as the paper does.
    """

    def __init__(self, dimension: int, theta: float = 0.75, max_actions: int = 5_000) -> None:
        self.theta = theta
        self.max_actions = max_actions
        self._sums = np.zeros((dimension, 64), dtype=np.float32)
        self._squares = np.zeros(64, dtype=np.float64)
        self._touched: list[npt.NDArray[np.intp]] = []

    def __len__(self) -> int:
        return len(self._touched)

    def assign(self, vector: PathVector, links: int = 1) -> int:
        """The action of `links` links that share one path, moved towards it (Algorithm 1).

        Links of one path on one page go together: joining pulls a centroid towards the path, so
        one by one they would all join the same action.
        """
        length = float(np.square(vector.values, dtype=np.float64).sum())
        nearest, product = self._nearest(vector)
        if nearest is not None:
            cosine = product / (np.sqrt(self._squares[nearest]) * np.sqrt(length))
            if cosine >= self.theta - _ROUNDING or len(self) >= self.max_actions:
                self._join(nearest, vector, links)
                return nearest
        return self._add(vector, links, length)

    def centroid(self, action: int) -> Centroid:
        """What is to be saved of an action."""
        buckets = self._touched[action]
        return Centroid(
            buckets.astype(np.uint16).tobytes(),
            self._sums[buckets, action].tobytes(),
            float(self._squares[action]),
        )

    def load(self, centroids: Iterable[Centroid]) -> None:
        """Bring saved actions back, in the order of their numbers."""
        for centroid in centroids:
            buckets = np.frombuffer(centroid.buckets, dtype=np.uint16).astype(np.intp)
            action = self._reserve()
            self._sums[buckets, action] = np.frombuffer(centroid.sums, dtype=np.float32)
            self._squares[action] = centroid.square
            self._touched.append(buckets)

    def _nearest(self, vector: PathVector) -> tuple[int | None, float]:
        """The action to be compared with theta, and the product of its sums with the vector."""
        known = len(self)
        if not known:
            return None, 0.0
        rows = self._sums[vector.buckets, :known]
        # Row by row, not by BLAS: the order of the additions, and so the last bit, must not
        # depend on where the arrays lie, or a resumed crawl could decide otherwise.
        products = (rows * vector.values[:, np.newaxis]).sum(axis=0)
        nearest = int((products / np.sqrt(self._squares[:known])).argmax())
        return nearest, float(products[nearest])

    def _join(self, action: int, vector: PathVector, links: int) -> None:
        before = self._sums[vector.buckets, action]
        after = before + links * vector.values
        self._sums[vector.buckets, action] = after
        # From the sums as they were rounded: a length kept beside them drifts away with the links.
        squares = np.square(after, dtype=np.float64) - np.square(before, dtype=np.float64)
        self._squares[action] += squares.sum()
        if not before.all():
            self._touched[action] = np.union1d(self._touched[action], vector.buckets)

    def _add(self, vector: PathVector, links: int, length: float) -> int:
        action = self._reserve()
        self._sums[vector.buckets, action] = links * vector.values
        self._squares[action] = links * links * length
        self._touched.append(vector.buckets)
        return action

    def _reserve(self) -> int:
        action = len(self._touched)
        dimension, capacity = self._sums.shape
        if action >= capacity:
            more = min(capacity, max(self.max_actions - capacity, 64))
            blank = np.zeros((dimension, more), dtype=np.float32)
            self._sums = np.concatenate([self._sums, blank], axis=1)
            self._squares = np.concatenate([self._squares, np.zeros(more)])
        return action
