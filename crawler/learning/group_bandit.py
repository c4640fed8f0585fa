"""The bandit of paper 001 (section 3.2, Algorithm 1) over groups: hosts there.

Here a group is a site of the fleet, which shares a night's requests, or links of one site in the
strategy `anthelion`.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from crawler.learning.group_score import Score

Values = npt.NDArray[np.float64]

PRIOR = 1.0
"""alpha and beta of the paper: a group that nothing is known of has a success rate of 1."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """The share of choices that go to a random group, and how it decays."""

    first: float = 0.5
    """lambda of the paper, whose best value this is."""
    decay: int | None = 10_000
    """m of the paper; without it the share stays as it is."""

    def at(self, t: float) -> float:
        """lambda_t = lambda * m / (t + m)."""
        return self.first if self.decay is None else self.first * self.decay / (t + self.decay)


def success_rate(good: float, bad: float) -> float:
    """Good against bad, with the paper's prior."""
    return (good + PRIOR) / (bad + PRIOR)


def scores(
    score: Score, good: Values, bad: Values, best: Values, draws: np.random.Generator
) -> Values:
    """The score of every group by what it gave, and by its best member that waits."""
    match score:
        case Score.SUCCESS_RATE:
            return (good + PRIOR) / (bad + PRIOR)
        case Score.NEGATIVE_ABSOLUTE_BAD:
            return -bad
        case Score.BEST_SCORE:
            return best
        case Score.THOMPSON_SAMPLING:
            return draws.beta(good + PRIOR, bad + PRIOR)
        case Score.ABSOLUTE_GOOD_BEST_SCORE:
            return good * best
        case Score.THOMPSON_SAMPLING_BEST_SCORE:
            return draws.beta(good + PRIOR, bad + PRIOR) * best
        case Score.SUCCESS_RATE_BEST_SCORE:
            return (good + PRIOR) / (bad + PRIOR) * best


class GroupBandit:
    """Chooses among groups that have members left: at random now and then, else the best score."""

    def __init__(self, score: Score, exploration: Exploration) -> None:
        self._score = score
        self._exploration = exploration
        self._size = 0
        self._good = np.zeros(64)
        self._bad = np.zeros(64)
        self._best = np.zeros(64)
        self._awake = np.zeros(64, dtype=bool)

    def __len__(self) -> int:
        return self._size

    def good(self, group: int) -> float:
        """What it gave."""
        return float(self._good[group])

    def bad(self, group: int) -> float:
        """What was tried in vain."""
        return float(self._bad[group])

    def record(self, group: int, good: float = 0.0, bad: float = 0.0) -> None:
        """Add to what a group gave, and to what was tried in vain."""
        self._reserve(group)
        self._good[group] += good
        self._bad[group] += bad

    def wake(self, group: int, best: float) -> None:
        """It has members; the confidence, from 0 to 1, in the best of them is this."""
        self._reserve(group)
        self._best[group] = best
        self._awake[group] = True

    def sleep(self, group: int) -> None:
        """It has no members left."""
        self._reserve(group)
        self._awake[group] = False

    def choose(self, t: float, draws: np.random.Generator) -> int | None:
        """The group at time t (Algorithm 1); among equals any of them, each as likely."""
        awake = np.flatnonzero(self._awake[: self._size])
        if not len(awake):
            return None
        if draws.random() >= self._exploration.at(t):
            values = scores(
                self._score, self._good[awake], self._bad[awake], self._best[awake], draws
            )
            awake = awake[values == values.max()]
        return int(awake[draws.integers(len(awake))])

    def _reserve(self, group: int) -> None:
        self._size = max(self._size, group + 1)
        if group >= len(self._good):
            more = max(group + 1 - len(self._good), len(self._good))
            self._good, self._bad, self._best = (
                np.concatenate([values, np.zeros(more)])
                for values in (self._good, self._bad, self._best)
            )
            self._awake = np.concatenate([self._awake, np.zeros(more, dtype=bool)])
