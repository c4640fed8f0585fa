"""A Hoeffding tree over binary features with Naive Bayes in its leaves (paper 001, section 3.1).

It splits as `tree.HoeffdingTreeClassifier` of the library river does, with the same defaults: a
test compares the two.
"""

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from crawler.learning.naive_bayes import NaiveBayes, Rows

GRACE_PERIOD = 200
"""Examples of a leaf between two attempts to split it."""
DELTA = 1e-7
"""The chance of a wrong split."""
TIE = 0.05
"""With a bound under this, candidates that are alike are not waited for."""
MIN_SHARE = 0.01
"""Both sides of a split get more than this share of the examples."""
MAX_LEAVES = 128
"""A leaf takes 160 kB."""

_SPLIT = struct.Struct("<qqq")
_LEAF = struct.Struct("<qqq")


@dataclass(slots=True)
class _Split:
    """Examples without the feature go one way, those with it the other."""

    feature: int
    without: int
    with_it: int


class _Leaf:
    """What its examples look like, and how many its parent had of each class when it split."""

    def __init__(self, features: int, inherited: tuple[int, int]) -> None:
        self.bayes = NaiveBayes(features)
        self.inherited = inherited
        self.tried_at = sum(inherited)
        """Examples, inherited ones too, at the last attempt to split."""

    @property
    def examples(self) -> list[int]:
        return [old + new for old, new in zip(self.inherited, self.bayes.examples, strict=True)]

    def log_odds(self, rows: Rows) -> npt.NDArray[np.float64]:
        if all(self.bayes.examples):
            return self.bayes.log_odds(rows)
        # Nothing to compare yet: what the split said of its side.
        others, relevant = self.examples
        return np.full(len(rows), math.log((relevant + 1) / (others + 1)))


class HoeffdingTree:
    """Splits a leaf when one feature is better than all others with high probability."""

    def __init__(
        self, features: int, *, grace_period: int = GRACE_PERIOD, max_leaves: int = MAX_LEAVES
    ) -> None:
        self._features = features
        self._grace_period = grace_period
        self._max_leaves = max_leaves
        self._nodes: list[_Split | _Leaf] = [_Leaf(features, (0, 0))]
        self._changed: set[int] = set()
        self._forgotten: set[str] = set()
        self._saved: dict[int, set[str]] = {}
        """The names under which a leaf is saved, to be forgotten when it splits."""

    @property
    def leaves(self) -> int:
        """How many leaves it has."""
        return sum(isinstance(node, _Leaf) for node in self._nodes)

    def learn(self, row: Rows, *, relevant: bool) -> None:
        """One example; its leaf is split when that is due."""
        number, leaf = self._leaf_of(row)
        leaf.bayes.learn(row, relevant=relevant)
        self._changed.add(number)
        seen = sum(leaf.examples)
        if seen - leaf.tried_at >= self._grace_period and self.leaves < self._max_leaves:
            leaf.tried_at = seen
            feature = self._best_split(leaf)
            if feature is not None:
                self._split(number, leaf, feature)

    def log_odds(self, rows: Rows) -> npt.NDArray[np.float64]:
        """log of relevant against not, of each row, by the leaf that it reaches."""
        odds = np.zeros(len(rows))
        by_leaf: dict[int, list[int]] = {}
        for position, row in enumerate(rows):
            by_leaf.setdefault(self._leaf_of(row)[0], []).append(position)
        for number, positions in by_leaf.items():
            leaf = self._nodes[number]
            if isinstance(leaf, _Leaf):
                odds[positions] = leaf.log_odds(rows[positions])
        return odds

    def _leaf_of(self, row: Rows) -> tuple[int, _Leaf]:
        present = set(row.tolist())
        number, node = 0, self._nodes[0]
        while isinstance(node, _Split):
            number = node.with_it if node.feature in present else node.without
            node = self._nodes[number]
        return number, node

    def _best_split(self, leaf: _Leaf) -> int | None:
        """The feature to split by, if one is good enough."""
        if not all(leaf.examples):
            return None
        seen = np.flatnonzero(leaf.bayes.counts[:, : self._features].any(axis=0))
        merits = _merits(leaf, seen)
        order = merits.argsort(kind="stable")
        best = merits[order[-1]] if len(order) else -np.inf
        if best == -np.inf:
            return None
        second = merits[order[-2]] if len(order) > 1 else -np.inf
        bound = math.sqrt(math.log(1 / DELTA) / (2 * sum(leaf.examples)))
        return int(seen[order[-1]]) if best - second > bound or bound < TIE else None

    def _split(self, number: int, leaf: _Leaf, feature: int) -> None:
        others, relevant = leaf.bayes.counts[:, feature].tolist()
        all_others, all_relevant = leaf.bayes.examples
        sides = ((all_others - others, all_relevant - relevant), (others, relevant))
        first = len(self._nodes)
        for side in sides:
            new = _Leaf(self._features, side)
            self._changed.add(len(self._nodes))
            self._nodes.append(new)
        self._nodes[number] = _Split(feature, first, first + 1)
        self._forgotten |= self._saved.pop(number, set())
        self._changed.add(number)

    def take_changed(self) -> Iterator[tuple[str, bytes]]:
        """What changed since the last call, under names; an empty value forgets one."""
        for name in sorted(self._forgotten):
            yield name, b""
        self._forgotten.clear()
        for number in sorted(self._changed):
            node = self._nodes[number]
            if isinstance(node, _Split):
                yield f"{number} split", _SPLIT.pack(node.feature, node.without, node.with_it)
                continue
            parts = [("leaf", _LEAF.pack(*node.inherited, node.tried_at))]
            for name, value in [*parts, *node.bayes.take_changed()]:
                self._saved.setdefault(number, set()).add(f"{number} {name}")
                yield f"{number} {name}", value
        self._changed.clear()

    def load(self, name: str, value: bytes) -> None:
        """Bring one saved part back; `loaded` comes after the last one."""
        number, part = int(name.partition(" ")[0]), name.partition(" ")[2]
        while number >= len(self._nodes):
            self._nodes.append(_Leaf(self._features, (0, 0)))
        if part == "split":
            self._nodes[number] = _Split(*_SPLIT.unpack(value))
            return
        leaf = self._nodes[number]
        if not isinstance(leaf, _Leaf):
            return
        self._saved.setdefault(number, set()).add(name)
        if part == "leaf":
            others, relevant, leaf.tried_at = _LEAF.unpack(value)
            leaf.inherited = (others, relevant)
        else:
            leaf.bayes.load(part, value)

    def loaded(self) -> None:
        """Work out what follows from the counts."""
        for node in self._nodes:
            if isinstance(node, _Leaf):
                node.bayes.loaded()


def _merits(leaf: _Leaf, features: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
    """The information gain of splitting by each feature; minus infinity for a lopsided split."""
    present = leaf.bayes.counts[:, features].astype(np.float64)
    absent = np.array(leaf.bayes.examples, dtype=np.float64)[:, None] - present
    total = present.sum(axis=0) + absent.sum(axis=0)
    after = sum(side.sum(axis=0) * _entropy(side) for side in (absent, present)) / total
    before = _entropy(np.array(leaf.examples, dtype=np.float64)[:, None])[0]
    smaller = np.minimum(present.sum(axis=0), absent.sum(axis=0)) / total
    merits: npt.NDArray[np.float64] = np.where(smaller > MIN_SHARE, before - after, -np.inf)
    return merits


def _entropy(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """In bits, of each column."""
    total = counts.sum(axis=0)
    shares = counts / np.where(total > 0, total, 1.0)
    terms = shares * np.log2(np.where(shares > 0, shares, 1.0))
    entropy: npt.NDArray[np.float64] = -terms.sum(axis=0)
    return entropy
