"""What following a link is worth: as a target itself, and by what it leads to as a page."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from crawler.learning.link_features import ALWAYS, DATA_FILE, SIZE, Row

Values = npt.NDArray[np.float64]

_TARGET_RATE, _YIELD_RATE = 0.15, 0.05
_MAX_YIELD = 3.0
"""Of the logarithm: at most about twenty targets are expected of a hub."""
_MIN_YIELD = -12.0
_MAX_ERROR = 3.0
_MAX_LOGIT = 30.0
_ROWS_AT_ONCE = 1 << 16

# The prior: most links are pages that give little, and a name that ends like a data file's is one
# in four cases out of five.
_FIRST_TARGET = {ALWAYS: -2.0, DATA_FILE: 3.5}
_FIRST_YIELD = {ALWAYS: -3.0}


@dataclass(frozen=True, slots=True)
class FeatureWeight:
    """All that is known of one feature."""

    id: int
    target: float
    target_squares: float
    yielded: float
    yielded_squares: float
    published_target: float
    published_yield: float


class YieldModel:
    """Two linear models over a link's features, learned by AdaGrad one example at a time.

    The chance of being a target is a logistic regression; the yield as a page is a Poisson
    regression, whose features multiply: a promising place in a language without files is worth
    little. Answers use the published weights, so that all links are scored by the same weights
    until the next publication.
    """

    def __init__(self) -> None:
        # The last place is that of NOTHING and stays 0.
        self._target, self._yield = _weights(_FIRST_TARGET), _weights(_FIRST_YIELD)
        self._target_squares, self._yield_squares = np.ones(SIZE + 1), np.ones(SIZE + 1)
        self._published_target, self._published_yield = self._target.copy(), self._yield.copy()
        self._unpublished: set[int] = set()
        self._unsaved: set[int] = set()

    def chances(self, rows: npt.NDArray[np.uint16]) -> Values:
        """The chance of each link to be a target."""
        return _sigmoid(self._published_target[rows].sum(axis=-1))

    def worth(self, rows: npt.NDArray[np.uint16]) -> Values:
        """What following each link may give: itself as a target, or what it leads to as a page."""
        worth = np.empty(len(rows))
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            some = rows[start : start + _ROWS_AT_ONCE]
            pages = np.exp(_clipped(self._published_yield[some].sum(axis=-1)))
            worth[start : start + _ROWS_AT_ONCE] = self.chances(some) + pages
        return worth

    def learn_class(self, row: Row, *, is_target: bool) -> None:
        """A link turned out to be a target, or not."""
        row = row[row < SIZE]
        chance = float(_sigmoid(self._target[row].sum()))
        _step(self._target, self._target_squares, row, is_target - chance, _TARGET_RATE)
        self._touched(row)

    def learn_yield(self, row: Row, value: float) -> None:
        """A followed link gave `value` as a page; a dead one gave 0."""
        row = row[row < SIZE]
        expected = math.exp(float(_clipped(self._yield[row].sum())))
        error = max(-_MAX_ERROR, min(_MAX_ERROR, value - expected))
        _step(self._yield, self._yield_squares, row, error, _YIELD_RATE)
        self._touched(row)

    def publish(self) -> None:
        """From now on answers use everything learned so far."""
        changed = np.fromiter(self._unpublished, dtype=np.intp, count=len(self._unpublished))
        self._published_target[changed] = self._target[changed]
        self._published_yield[changed] = self._yield[changed]
        self._unsaved |= self._unpublished
        self._unpublished.clear()

    def take_changed(self) -> list[FeatureWeight]:
        """The features that changed since the last call."""
        changed = [self._feature(number) for number in sorted(self._unsaved)]
        self._unsaved.clear()
        return changed

    def load(self, features: Iterable[FeatureWeight]) -> None:
        """Bring saved features back."""
        for known in features:
            number = known.id
            self._target[number], self._target_squares[number] = known.target, known.target_squares
            self._yield[number], self._yield_squares[number] = known.yielded, known.yielded_squares
            self._published_target[number] = known.published_target
            self._published_yield[number] = known.published_yield
            if (known.target, known.yielded) != (known.published_target, known.published_yield):
                self._unpublished.add(number)

    def _touched(self, row: Row) -> None:
        numbers = row.tolist()
        self._unpublished.update(numbers)
        self._unsaved.update(numbers)

    def _feature(self, number: int) -> FeatureWeight:
        return FeatureWeight(
            number,
            float(self._target[number]),
            float(self._target_squares[number]),
            float(self._yield[number]),
            float(self._yield_squares[number]),
            float(self._published_target[number]),
            float(self._published_yield[number]),
        )


def _weights(first: dict[int, float]) -> Values:
    weights = np.zeros(SIZE + 1)
    for number, value in first.items():
        weights[number] = value
    return weights


def _step(weights: Values, squares: Values, row: Row, error: float, rate: float) -> None:
    squares[row] += error * error
    weights[row] += rate * error / np.sqrt(squares[row])


def _sigmoid(score: Values) -> Values:
    return 1.0 / (1.0 + np.exp(-np.clip(score, -_MAX_LOGIT, _MAX_LOGIT)))


def _clipped(score: Values) -> Values:
    return np.clip(score, _MIN_YIELD, _MAX_YIELD)
