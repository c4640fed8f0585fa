"""The sleeping bandit: Awake Upper-Estimated Reward (paper 000, Section III-C)."""

import math
from dataclasses import dataclass

import numpy as np

EPSILON = 1e-6
"""Lets an action that was never selected be scored; the paper calls it "a small value"."""


@dataclass(frozen=True, slots=True)
class Arm:
    """What is known of one action."""

    selections: int
    reward: float
    """Sum of the rewards, so that the mean stays exact."""


class SleepingBandit:
    """Scores actions by mean reward plus exploration, over those that have links left.

    N counts at selection: an action of dead links does not stay attractive. R is the mean over all
    selections, or, as Algorithm 4 has it, over those that came to a reward, be it 0: it returns
    from a dead link before the mean is updated.
    """

    def __init__(self, alpha: float = 2 * math.sqrt(2), *, mean_of_rewarded: bool = False) -> None:
        self.alpha = alpha
        self._mean_of_rewarded = mean_of_rewarded
        self._size = 0
        self._selections: list[int] = []
        self._rewards: list[float] = []
        self._rewarded: list[int] = []
        # What the score of every action needs, kept up to date: a choice is then three operations.
        self._mean = np.zeros(64)
        self._width = np.full(64, _width(0))
        self._asleep = np.full(64, -np.inf)
        """0 for an action that is awake: added to its score."""

    def __len__(self) -> int:
        return self._size

    def choose(self, t: int) -> int | None:
        """The awake action with the highest score at time t, the lowest number on a tie."""
        size = self._size
        if not size:
            return None
        best = int((self.scores(t) + self._asleep[:size]).argmax())
        return None if self._asleep[best] else best

    def scores(self, t: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        """R(a) + α·sqrt(log t / (N(a) + ε)) of every action, asleep ones too."""
        exploration = self.alpha * math.sqrt(math.log(max(t, 1)))
        return self._mean[: self._size] + exploration * self._width[: self._size]

    def select(self, action: int) -> None:
        """Count one selection."""
        self._reserve(action)
        self._selections[action] += 1
        self._refresh(action)

    def reward(self, action: int, reward: float) -> None:
        """Add what a selection of this action gave."""
        self._rewards[action] += reward
        self._rewarded[action] += 1
        self._refresh(action)

    def set_awake(self, action: int, awake: bool) -> None:
        """An action is awake while it has unvisited links."""
        self._reserve(action)
        self._asleep[action] = 0.0 if awake else -np.inf

    def arm(self, action: int) -> Arm:
        """What is known of an action."""
        if action >= self._size:
            return Arm(0, 0.0)
        return Arm(self._selections[action], self._rewards[action])

    def rewarded(self, action: int) -> int:
        """How many selections of an action came to a reward."""
        return self._rewarded[action]

    def load(self, action: int, arm: Arm, rewarded: int | None = None) -> None:
        """Bring a saved action back (asleep until it has links)."""
        self._reserve(action)
        self._rewarded[action] = arm.selections if rewarded is None else rewarded
        self._selections[action] = arm.selections
        self._rewards[action] = arm.reward
        self._refresh(action)

    def _refresh(self, action: int) -> None:
        selections = self._selections[action]
        counted = self._rewarded[action] if self._mean_of_rewarded else selections
        self._mean[action] = self._rewards[action] / max(counted, 1)
        self._width[action] = _width(selections)

    def _reserve(self, action: int) -> None:
        if action >= len(self._mean):
            more = max(action + 1 - len(self._mean), len(self._mean))
            self._mean = np.concatenate([self._mean, np.zeros(more)])
            self._width = np.concatenate([self._width, np.full(more, _width(0))])
            self._asleep = np.concatenate([self._asleep, np.full(more, -np.inf)])
        for _ in range(self._size, action + 1):
            self._selections.append(0)
            self._rewards.append(0.0)
            self._rewarded.append(0)
        self._size = len(self._selections)


def _width(selections: int) -> float:
    return 1.0 / math.sqrt(selections + EPSILON)
