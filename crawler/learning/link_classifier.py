"""How likely a link leads to a target, by where it was found and what it says (paper 000, IV-C)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from crawler.learning.logistic_regression import Features, LogisticRegression
from crawler.learning.two_grams import FEATURES, two_gram_scores, two_grams
from crawler.learning.url_classifier import Weights

_ANCHOR = FEATURES
_DEPTH = 2 * FEATURES
_MAX_DEPTH = 20
"""Depth is approximate, and some archives are ninety links deep: it must not outweigh the rest."""


@dataclass(frozen=True, slots=True)
class LinkText:
    """What is known of a link before it is followed."""

    url: str
    anchor: str
    depth: int
    """Of the page where it was found."""


class LinkClassifier:
    """Logistic regression over depth, URL 2-grams and anchor 2-grams.

    It learns by plain stochastic gradient descent: the weights are the same to the last bit on
    every machine, which a resumed crawl relies on and a solver on top of BLAS does not promise.
    """

    def __init__(self) -> None:
        self._model = LogisticRegression(2 * FEATURES + 1)

    def learn(self, link: LinkText, *, is_target: bool) -> None:
        """Take one step towards what a followed link turned out to be."""
        self._model.learn(_features(link), is_target)

    def scores(self, links: Sequence[LinkText]) -> list[float]:
        """The log-odds of each link being a target."""
        if not links:
            return []
        weights = self._model.weights
        scores = two_gram_scores([link.url for link in links], weights[:_ANCHOR])
        scores += two_gram_scores([link.anchor for link in links], weights[_ANCHOR:_DEPTH])
        depths = np.fromiter((_depth(link) for link in links), dtype=np.float64, count=len(links))
        scores += depths * weights[_DEPTH]
        log_odds: list[float] = (scores + self._model.intercept).tolist()
        return log_odds

    def weights(self) -> Weights:
        """What is to be saved."""
        model = self._model
        return Weights(model.weights.tobytes(), model.intercept, model.steps)

    def load(self, weights: Weights) -> None:
        """Bring saved weights back."""
        self._model.weights = np.frombuffer(weights.coefficients).copy()
        self._model.intercept = weights.intercept
        self._model.steps = weights.steps


def _depth(link: LinkText) -> int:
    return min(link.depth, _MAX_DEPTH)


def _features(link: LinkText) -> Features:
    return np.concatenate(
        [
            two_grams(link.url),
            two_grams(link.anchor) + _ANCHOR,
            np.full(_depth(link), _DEPTH, dtype=np.intp),
        ]
    )
