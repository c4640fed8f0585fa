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

    N counts at selection: an action of dead links does not stay attractive for ever.
    """

    def __init__(self, alpha: float = 2 * math.sqrt(2)) -> None:
        self.alpha = alpha
        self._selections = np.zeros(64, dtype=np.float64)
        self._rewards = np.zeros(64, dtype=np.float64)
        self._asleep = np.ones(64, dtype=np.bool_)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def choose(self, t: int) -> int | None:
        """The awake action with the highest score at time t, the lowest number on a tie."""
        size = self._size
        if not size:
            return None
        scores = self.scores(t)
        scores[self._asleep[:size]] = -np.inf
        best = int(scores.argmax())
        return None if self._asleep[best] else best

    def scores(self, t: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        """R(a) + α·sqrt(log t / (N(a) + ε)) of every action, asleep ones too."""
        n = self._selections[: self._size]
        mean = self._rewards[: self._size] / np.maximum(n, 1)
        return mean + self.alpha * np.sqrt(math.log(max(t, 1)) / (n + EPSILON))

    def select(self, action: int) -> None:
        """Count one selection."""
        self._reserve(action)
        self._selections[action] += 1

    def reward(self, action: int, reward: float) -> None:
        """Add what a selection of this action gave."""
        self._rewards[action] += reward

    def set_awake(self, action: int, awake: bool) -> None:
        """An action is awake while it has unvisited links."""
        self._reserve(action)
        self._asleep[action] = not awake

    def arm(self, action: int) -> Arm:
        """What is known of an action."""
        if action >= self._size:
            return Arm(0, 0.0)
        return Arm(int(self._selections[action]), float(self._rewards[action]))

    def load(self, action: int, arm: Arm) -> None:
        """Bring a saved action back (asleep until it has links)."""
        self._reserve(action)
        self._selections[action] = arm.selections
        self._rewards[action] = arm.reward

    def _reserve(self, action: int) -> None:
        if action >= len(self._selections):
            grown = max(action + 1, 2 * len(self._selections))
            more = grown - len(self._selections)
            self._selections = np.concatenate([self._selections, np.zeros(more)])
            self._rewards = np.concatenate([self._rewards, np.zeros(more)])
            self._asleep = np.concatenate([self._asleep, np.ones(more, dtype=np.bool_)])
        self._size = max(self._size, action + 1)
