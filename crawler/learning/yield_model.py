"""What following a link is worth: as a target itself, and by what it leads to as a page."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from crawler.learning.link_features import ALWAYS, DATA_FILE, SIZE, Row

Values = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

_TARGET_RATE, _ALIVE_RATE, _YIELD_RATE = 0.15, 0.15, 0.1
_MAX_YIELD = 3.0
"""Of the logarithm: at most about twenty targets are expected of a hub."""
_MIN_YIELD = -12.0
_MAX_ERROR = 3.0
_MAX_LOGIT = 30.0
_SENIORITY = 0.1
"""Of pages that promise as much the one found first comes first; a tenfold number costs a fifth."""
AT_PAR = 100
"""The number of the link that is worth what it promises: about as many are found at the start."""
_ROWS_AT_ONCE = 1 << 16

# The prior: most links are alive, most are pages that give little, and a name that ends like a data
# file's is one in four cases out of five.
_FIRST_TARGET = {ALWAYS: -2.0, DATA_FILE: 3.5}
_FIRST_YIELD = {ALWAYS: -3.0}
_ALIVE_BIAS = 2.0
"""Beside the weights: those of a crawl that began without this model are all 0."""


class FeatureWeight(NamedTuple):
    """All that is known of one feature."""

    id: int
    target: float
    target_squares: float
    yielded: float
    yielded_squares: float
    published_target: float
    published_yield: float
    alive: float
    alive_squares: float
    published_alive: float


class YieldModel:
    """Three linear models over a link's features, learned by AdaGrad one example at a time.

    The chances of being a target and of being alive are logistic regressions. The yield as a page
    is a Poisson regression, learned from live pages alone; its features multiply: a promising place
    in a language without files is worth little. Answers use the published weights, so that all
    links are scored by the same weights until the next publication.
    """

    def __init__(self) -> None:
        # The last place is that of NOTHING and stays 0.
        self._target, self._yield = _weights(_FIRST_TARGET), _weights(_FIRST_YIELD)
        self._alive = _weights({})
        self._target_squares, self._yield_squares = np.ones(SIZE + 1), np.ones(SIZE + 1)
        self._alive_squares = np.ones(SIZE + 1)
        self._published_target, self._published_yield = self._target.copy(), self._yield.copy()
        self._published_alive = self._alive.copy()
        self._unpublished: set[int] = set()
        self._unsaved: set[int] = set()

    def chances(self, rows: npt.NDArray[np.uint16]) -> Values:
        """The chance of each link to be a target."""
        return _sigmoids(self._published_target[rows].sum(axis=-1))

    def worth(self, rows: npt.NDArray[np.uint16], links: Sequence[int] | Numbers) -> Values:
        """What following each link may give: itself as a target, or what it leads to as a page.

        `links` are their numbers, in the order in which they were found.
        """
        worth = np.empty(len(rows))
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            some = rows[start : start + _ROWS_AT_ONCE]
            pages = self._published_yield[some].sum(axis=-1)
            pages = np.minimum(np.maximum(pages, _MIN_YIELD), _MAX_YIELD)
            alive = _sigmoids(self._published_alive[some].sum(axis=-1) + _ALIVE_BIAS)
            found = np.maximum(links[start : start + _ROWS_AT_ONCE], 1)
            pages = np.exp(pages) * (AT_PAR / found) ** _SENIORITY
            worth[start : start + _ROWS_AT_ONCE] = self.chances(some) + alive * pages
        return worth

    def learn_class(self, row: Row, *, is_target: bool, is_alive: bool) -> None:
        """A link turned out to be a target or not, and to be alive or dead."""
        row = row[row < SIZE]
        error = is_target - _sigmoid(float(self._target[row].sum()))
        _step(self._target, self._target_squares, row, error, _TARGET_RATE)
        error = is_alive - _sigmoid(float(self._alive[row].sum()) + _ALIVE_BIAS)
        _step(self._alive, self._alive_squares, row, error, _ALIVE_RATE)
        self._touched(row)

    def learn_yield(self, row: Row, value: float) -> None:
        """A followed link gave `value` as a page."""
        row = row[row < SIZE]
        score = float(self._yield[row].sum())
        expected = math.exp(max(_MIN_YIELD, min(_MAX_YIELD, score)))
        error = max(-_MAX_ERROR, min(_MAX_ERROR, value - expected))
        _step(self._yield, self._yield_squares, row, error, _YIELD_RATE)
        self._touched(row)

    def publish(self) -> None:
        """From now on answers use everything learned so far."""
        changed = np.fromiter(self._unpublished, dtype=np.intp, count=len(self._unpublished))
        self._published_target[changed] = self._target[changed]
        self._published_alive[changed] = self._alive[changed]
        self._published_yield[changed] = self._yield[changed]
        self._unsaved |= self._unpublished
        self._unpublished.clear()

    def take_changed(self) -> list[FeatureWeight]:
        """The features that changed since the last call."""
        numbers = sorted(self._unsaved)
        self._unsaved.clear()
        at = np.array(numbers, dtype=np.intp)
        columns = (
            self._target,
            self._target_squares,
            self._yield,
            self._yield_squares,
            self._published_target,
            self._published_yield,
            self._alive,
            self._alive_squares,
            self._published_alive,
        )
        rows = zip(numbers, *(values[at].tolist() for values in columns), strict=True)
        return [FeatureWeight(*row) for row in rows]

    def load(self, features: Iterable[FeatureWeight]) -> None:
        """Bring saved features back."""
        for known in features:
            number = known.id
            self._target[number], self._target_squares[number] = known.target, known.target_squares
            self._alive[number], self._alive_squares[number] = known.alive, known.alive_squares
            self._yield[number], self._yield_squares[number] = known.yielded, known.yielded_squares
            self._published_target[number] = known.published_target
            self._published_alive[number] = known.published_alive
            self._published_yield[number] = known.published_yield
            learned = known.target, known.alive, known.yielded
            if learned != (known.published_target, known.published_alive, known.published_yield):
                self._unpublished.add(number)

    def _touched(self, row: Row) -> None:
        numbers = row.tolist()
        self._unpublished.update(numbers)
        self._unsaved.update(numbers)


def _weights(first: dict[int, float]) -> Values:
    weights = np.zeros(SIZE + 1)
    for number, value in first.items():
        weights[number] = value
    return weights


def _step(weights: Values, squares: Values, row: Row, error: float, rate: float) -> None:
    grown = squares[row] + error * error
    squares[row] = grown
    weights[row] += rate * error / np.sqrt(grown)


def _sigmoids(scores: Values) -> Values:
    return 1.0 / (1.0 + np.exp(np.minimum(np.maximum(-scores, -_MAX_LOGIT), _MAX_LOGIT)))


def _sigmoid(score: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-_MAX_LOGIT, min(_MAX_LOGIT, score))))
