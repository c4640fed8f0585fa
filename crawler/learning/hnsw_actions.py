"""Actions searched with an HNSW index over their centroids, as in paper 000 (Section III-B)."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from zipfile import BadZipFile

import hnswlib
import numpy as np
import numpy.typing as npt

from crawler.errors import StateUnreadable
from crawler.learning.actions import Actions
from crawler.learning.tag_paths import PathVector

OPERATIONS_PER_SNAPSHOT = 500
"""Must never change: at each multiple a crawl continues from a reload of the index."""

NEGLIGIBLE_MOVE = 0.999
"""Cosine to the indexed vector down to which a moved centroid stays as it was indexed."""

_FIRST_CAPACITY = 64
_NEIGHBOURS = 16
_EF_CONSTRUCTION = 100
_EF_SEARCH = 50
_SEED = 100


@dataclass(frozen=True, slots=True)
class IndexOperation:
    """A point that was put into the index, new or in place of an older one of its action."""

    number: int
    """Counts the operations of the crawl, from 1."""
    action: int
    buckets: bytes
    sums: bytes


@dataclass(frozen=True, slots=True)
class IndexSnapshot:
    """The whole index after operation `number`."""

    number: int
    data: bytes


@dataclass(frozen=True, slots=True)
class IndexLog:
    """What happened to the index: a snapshot replaces all operations logged before it."""

    snapshot: IndexSnapshot | None
    operations: list[IndexOperation]


class HnswActions(Actions):
    """Asks an HNSW index for the nearest centroid, and the exact sums how near it is.

    A reloaded index does not answer like the one in memory, since its level generator starts again.
    So the running crawl itself continues from a reload at fixed operation numbers: loading that
    snapshot and repeating the operations after it gives exactly the index of the running crawl.
    """

    def __init__(self, dimension: int, theta: float = 0.75, max_actions: int = 5_000) -> None:
        super().__init__(dimension, theta, max_actions)
        self._dimension = dimension
        self._index = _empty_index(dimension)
        self._indexed: dict[int, PathVector] = {}
        """Points as the index has them, of length 1, of the actions that were joined lately."""
        self._number = 0
        self._snapshot: IndexSnapshot | None = None
        self._operations: list[IndexOperation] = []

    def assign(self, vector: PathVector, links: int = 1) -> int:
        """The action of `links` links that share one path, indexed where it is now."""
        action = super().assign(vector, links)
        if self._is_new(action) or self._has_moved(action):
            self._operate(action)
        return action

    def take_log(self) -> IndexLog:
        """What happened to the index since the last call."""
        log = IndexLog(self._snapshot, self._operations)
        self._snapshot, self._operations = None, []
        return log

    def load_index(
        self, snapshot: IndexSnapshot | None, operations: Iterable[IndexOperation]
    ) -> None:
        """Bring the index of the loaded actions back, by its last snapshot and all since then."""
        if snapshot is not None:
            self._index = _read(snapshot.data)
            self._number = snapshot.number
        for operation in operations:
            self._put(operation)
            self._number = operation.number
        if self._index.get_current_count() != len(self):
            raise StateUnreadable(
                f"the index of actions has {self._index.get_current_count()} of {len(self)} "
                "actions: start again with --fresh"
            )

    def _nearest(self, vector: PathVector) -> tuple[int | None, float]:
        if not len(self):
            return None, 0.0
        labels, _ = self._index.knn_query(self._dense(vector.buckets, vector.values), k=1)
        nearest = int(labels[0, 0])
        return nearest, float((self._sums[vector.buckets, nearest] * vector.values).sum())

    def _is_new(self, action: int) -> bool:
        return action == int(self._index.get_current_count())

    def _has_moved(self, action: int) -> bool:
        # Updating a point costs tens of milliseconds, and a large action hardly moves any more.
        indexed = self._indexed.get(action)
        if indexed is None:
            point = self._index.get_items([action])[0]
            buckets = np.flatnonzero(point)
            indexed = self._indexed[action] = PathVector(buckets, point[buckets])
        product = float((self._sums[indexed.buckets, action] * indexed.values).sum())
        return product < NEGLIGIBLE_MOVE * float(np.sqrt(self._squares[action]))

    def _operate(self, action: int) -> None:
        self._number += 1
        centroid = self.centroid(action)
        operation = IndexOperation(self._number, action, centroid.buckets, centroid.sums)
        self._put(operation)
        self._operations.append(operation)
        if self._number % OPERATIONS_PER_SNAPSHOT == 0:
            self._snapshot = IndexSnapshot(self._number, _written(self._index))
            self._operations = []
            self._index = _read(self._snapshot.data)

    def _put(self, operation: IndexOperation) -> None:
        capacity = self._index.get_max_elements()
        if operation.action >= capacity:
            self._index.resize_index(2 * capacity)
        self._indexed.pop(operation.action, None)
        buckets = np.frombuffer(operation.buckets, dtype=np.uint16).astype(np.intp)
        sums = np.frombuffer(operation.sums, dtype=np.float32)
        self._index.add_items(self._dense(buckets, sums), [operation.action])

    def _dense(
        self, buckets: npt.NDArray[np.intp], values: npt.NDArray[np.float32]
    ) -> npt.NDArray[np.float32]:
        dense = np.zeros((1, self._dimension), dtype=np.float32)
        dense[0, buckets] = values
        return dense


def _empty_index(dimension: int) -> Any:
    index = hnswlib.Index(space="cosine", dim=dimension)
    index.init_index(
        max_elements=_FIRST_CAPACITY,
        M=_NEIGHBOURS,
        ef_construction=_EF_CONSTRUCTION,
        random_seed=_SEED,
    )
    index.set_ef(_EF_SEARCH)
    # With more threads the points would be linked in an order that chance decides.
    index.set_num_threads(1)
    return index


def _written(index: Any) -> bytes:
    """The index as a compressed archive of arrays: unlike a pickle it cannot run code when read."""
    (values,) = index.__getstate__()
    archive = BytesIO()
    np.savez_compressed(archive, **values)
    return archive.getvalue()


def _read(data: bytes) -> Any:
    try:
        with np.load(BytesIO(data), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (BadZipFile, EOFError, ValueError, zlib.error) as error:
        raise StateUnreadable(f"the index of actions: {error}: start again with --fresh") from error
    values = {name: array if array.ndim else array.item() for name, array in arrays.items()}
    # As pickle would do it: on an index that was made in any other way this call crashes.
    index = hnswlib.Index.__new__(hnswlib.Index)
    index.__setstate__((values,))
    return index
