"""Naive Bayes over binary features, learned example by example (paper 001, section 3.1).

Multinomial, as `naive_bayes.MultinomialNB` of the library river: a test compares the two. It is our
own because what one example changed can be saved alone, and comes back to the last bit.
"""

import math
import struct
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.uint16]

_CHUNK = 32
"""Features that are saved together: an example changes few of them."""
_HEAD = struct.Struct("<qq")


class NaiveBayes:
    """Counts how often each feature came with relevant examples, and with others."""

    def __init__(self, features: int) -> None:
        """Features are numbers from 0; the number `features` only fills rows up."""
        self.features = features
        self.examples = [0, 0]
        """Not relevant, relevant."""
        self.counts = np.zeros((2, -(-features // _CHUNK) * _CHUNK), dtype=np.int32)
        self._weights = np.zeros(features + 1)
        """log of relevant + 1 minus log of others + 1."""
        self._totals = [0, 0]
        self._distinct = 0
        self._changed: set[int] = set()

    def learn(self, row: Rows, *, relevant: bool) -> None:
        """One example."""
        known = row[row < self.features]
        self.examples[relevant] += 1
        self._distinct += int((self.counts[:, known].sum(axis=0) == 0).sum())
        self.counts[int(relevant), known] += 1
        self._totals[relevant] += len(known)
        self._weigh(known)
        self._changed.update((known // _CHUNK).tolist())
        self._changed.add(-1)

    def log_odds(self, rows: Rows) -> npt.NDArray[np.float64]:
        """log of relevant against not, of each row; 0 until both classes were seen."""
        if not all(self.examples):
            return np.zeros(len(rows))
        prior = math.log(self.examples[1] / self.examples[0])
        length = math.log((self._totals[0] + self._distinct) / (self._totals[1] + self._distinct))
        lengths = (rows < self.features).sum(axis=1)
        odds: npt.NDArray[np.float64] = self._weights[rows].sum(axis=1) + lengths * length + prior
        return odds

    def take_changed(self) -> Iterator[tuple[str, bytes]]:
        """What changed since the last call, under names."""
        for chunk in sorted(self._changed):
            if chunk < 0:
                yield "head", _HEAD.pack(*self.examples)
            else:
                part = self.counts[:, chunk * _CHUNK : (chunk + 1) * _CHUNK]
                yield str(chunk), part.tobytes()
        self._changed.clear()

    def load(self, name: str, value: bytes) -> None:
        """Bring one saved part back; `loaded` comes after the last one."""
        if name == "head":
            self.examples = list(_HEAD.unpack(value))
            return
        start = int(name) * _CHUNK
        part = np.frombuffer(value, dtype=np.int32).reshape(2, _CHUNK)
        self.counts[:, start : start + _CHUNK] = part

    def loaded(self) -> None:
        """Work out what follows from the counts."""
        self._totals = self.counts.sum(axis=1).tolist()
        seen = np.flatnonzero(self.counts.any(axis=0))
        self._distinct = len(seen)
        self._weigh(seen)

    def _weigh(self, features: npt.NDArray[np.integer]) -> None:
        others, relevant = self.counts[:, features]
        self._weights[features] = np.log(relevant + 1.0) - np.log(others + 1.0)
