"""The online URL classifier: HTML or target, from the URL alone (paper 000, Algorithm 2)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from crawler.learning.logistic_regression import LogisticRegression

_FIRST, _LAST = 0x20, 0x7E
_ALPHABET = _LAST - _FIRST + 1
FEATURES = _ALPHABET * _ALPHABET
"""One feature per pair of printable ASCII characters."""

HTML, TARGET = 0, 1


def _codes(text: str) -> npt.NDArray[np.intp]:
    # One byte a character, also where it is not ASCII: "?" would be a character of URLs.
    raw = text.encode("ascii") if text.isascii() else _only_ascii(text)
    return np.frombuffer(raw, dtype=np.uint8).astype(np.intp) - _FIRST


def _only_ascii(text: str) -> bytes:
    return bytes(code if code < 0x80 else 0xFF for code in map(ord, text))


def two_grams(url: str) -> npt.NDArray[np.intp]:
    """The feature of every character pair of a URL, in order; pairs outside ASCII have none."""
    codes = _codes(url)
    pairs: npt.NDArray[np.intp] = codes[:-1] * _ALPHABET + codes[1:]
    fine = (codes >= 0) & (codes < _ALPHABET)
    return pairs if fine.all() else pairs[fine[:-1] & fine[1:]]


@dataclass(frozen=True, slots=True)
class Weights:
    """The trained model, as the crawl's state keeps it."""

    coefficients: bytes
    intercept: float
    steps: int
    """The optimiser's own count of examples; its learning rate falls with it."""


_LONGEST_BATCH = 2
"""In batches of b: what waits is saved with every step, so it must not grow without end."""


class UrlClassifier:
    """Logistic regression by SGD on character 2-grams, trained on batches of b examples or more.

    As in Algorithm 2 a full batch waits until the next URL is to be classified: late in a crawl
    most pages have no new links, and nobody pays for a training that nobody uses.
    """

    def __init__(self, b: int = 10) -> None:
        self.b = b
        self.trainings = 0
        self._model = LogisticRegression(FEATURES)
        self._batch: list[tuple[str, int]] = []

    @property
    def trained(self) -> bool:
        """Whether the initial training phase is over."""
        return self.trainings > 0 or self._full

    @property
    def opinion(self) -> int:
        """How many trainings the next answer rests on; earlier answers may be out of date."""
        return self.trainings + self._full

    @property
    def _full(self) -> bool:
        return len(self._batch) >= self.b

    @property
    def batch(self) -> list[tuple[str, int]]:
        """Examples that wait for the batch to be full."""
        return self._batch

    def learn(self, url: str, label: int) -> None:
        """Take one labelled URL: from a HEAD in the first epoch, from every GET afterwards."""
        self._batch.append((url, label))
        if len(self._batch) >= _LONGEST_BATCH * self.b:
            self._train()

    def predict(self, urls: Sequence[str]) -> list[int]:
        """The class of each URL; a full batch is learned from first."""
        if self._full:
            self._train()
        if not urls:
            return []
        # All URLs in one array: a page with a hundred new links costs a handful of numpy calls.
        # The line break between two URLs is outside the alphabet, so no pair spans them. Two of
        # them end the last URL: every URL then has as many terms wherever it stands, and the same
        # sum to the last bit.
        codes = _codes("\n".join(urls) + "\n\n")
        fine = (codes >= 0) & (codes < _ALPHABET)
        pairs = codes[:-1] * _ALPHABET + codes[1:]
        terms = np.where(fine[:-1] & fine[1:], self._model.weights.take(pairs, mode="clip"), 0.0)
        lengths = np.fromiter((len(url) + 1 for url in urls), dtype=np.intp, count=len(urls))
        starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
        scores = np.add.reduceat(terms, starts) + self._model.intercept
        return [TARGET if score > 0 else HTML for score in scores.tolist()]

    def _train(self) -> None:
        for url, label in self._batch:
            self._model.learn(two_grams(url), label == TARGET)
        self._batch = []
        self.trainings += 1

    def weights(self) -> Weights | None:
        """The trained model, or None before the first training."""
        if not self.trainings:
            return None
        model = self._model
        return Weights(model.weights.tobytes(), model.intercept, model.steps)

    def load(
        self, weights: Weights | None, trainings: int, batch: Sequence[tuple[str, int]]
    ) -> None:
        """Bring a saved classifier back: the next training gives what it would have given."""
        self.trainings = trainings
        self._batch = list(batch)
        if weights is None:
            return
        self._model.weights = np.frombuffer(weights.coefficients).copy()
        self._model.intercept = weights.intercept
        self._model.steps = weights.steps
