"""The online URL classifier: HTML or target, from the URL alone (paper 000, Algorithm 2)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from crawler.learning.logistic_regression import LogisticRegression
from crawler.learning.two_grams import FEATURES, two_gram_scores, two_grams

HTML, TARGET = 0, 1


@dataclass(frozen=True, slots=True)
class Weights:
    """The trained model, as the crawl's state keeps it."""

    coefficients: bytes
    intercept: float
    steps: int
    """The optimiser's own count of examples; its learning rate falls with it."""


_MAX_BATCHES = 2
"""Waiting examples, in batches of b: they are saved with every step, so they must be limited."""


class UrlClassifier:
    """Logistic regression by SGD on character 2-grams, trained on batches of b examples or more.

    As in Algorithm 2 a full batch waits until the next URL is to be classified: late in a crawl
    most pages have no new links, and a training would not be used.
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
        """The number of trainings behind the next answer; earlier answers may be out of date."""
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
        if len(self._batch) >= _MAX_BATCHES * self.b:
            self._train()

    def predict(self, urls: Sequence[str]) -> list[int]:
        """The class of each URL; a full batch is learned from first."""
        if self._full:
            self._train()
        if not urls:
            return []
        scores = two_gram_scores(urls, self._model.weights) + self._model.intercept
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
