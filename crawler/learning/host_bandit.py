"""The host bandit of paper 001 (section 3.2, Algorithm 1), which here shares a night's requests.

An arm is a site. Each request goes with probability lambda_t to a random site, else to the one with
the best score; lambda_t = lambda * m / (t + m) decays with the requests t ever made. Scores do not
change while requests are shared out, as the answers come only in the night; an arm that has all it
can use is not chosen again.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

MAX_ROUNDS = 2000
"""Requests are dealt in portions, so that a large budget takes no longer than a small one."""


class Score(StrEnum):
    """The paper's functions that estimate what an arm, a site of the fleet, will give."""

    SUCCESS_RATE = "success_rate"
    NEGATIVE_ABSOLUTE_BAD = "negative_absolute_bad"
    BEST_SCORE = "best_score"
    THOMPSON_SAMPLING = "thompson_sampling"
    ABSOLUTE_GOOD_BEST_SCORE = "absolute_good_best_score"
    THOMPSON_SAMPLING_BEST_SCORE = "thompson_sampling_best_score"
    SUCCESS_RATE_BEST_SCORE = "success_rate_best_score"


@dataclass(frozen=True, slots=True)
class Arm:
    """A site: what its requests gave, and how many it can use."""

    name: str
    good: int
    """Requests that gave a new file."""
    bad: int
    """Requests that gave none."""
    best: float
    """The confidence, from 0 to 1, in the best of its links that wait."""
    max_requests: int
    """Requests that it can use in one night."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """The random share, and how it decays."""

    first: float = 0.5
    """lambda of the paper, whose best value this is."""
    decay: int = 10_000
    """m of the paper."""
    requests_before: int = 0
    """t when the sharing starts."""

    def at(self, shared: int) -> float:
        """The random share after `shared` requests were shared out."""
        return self.first * self.decay / (self.requests_before + shared + self.decay)


def success_rate(arm: Arm) -> float:
    """Good against bad, with the paper's prior of 1 for both: an unknown site gets 1."""
    return (arm.good + 1) / (arm.bad + 1)


def share(
    arms: Sequence[Arm],
    requests: int,
    *,
    score: Score = Score.SUCCESS_RATE,
    exploration: Exploration | None = None,
    seed: str = "",
) -> dict[str, int]:
    """The requests of each arm; the order of the arms does not matter, the seed decides."""
    exploration = exploration or Exploration()
    chance = random.Random(seed)  # noqa: S311 - a choice that must be repeatable
    open_arms = sorted((arm for arm in arms if arm.max_requests > 0), key=lambda arm: arm.name)
    shared = {arm.name: 0 for arm in arms}
    given = 0
    portion = max(1, -(-requests // MAX_ROUNDS))
    fixed = {arm.name: _fixed_score(score, arm) for arm in open_arms}
    while given < requests and open_arms:
        if chance.random() < exploration.at(given):
            chosen = chance.choice(open_arms)
        else:
            chosen = max(open_arms, key=_scoring(score, fixed, chance))
        part = min(portion, requests - given, chosen.max_requests - shared[chosen.name])
        shared[chosen.name] += part
        given += part
        if shared[chosen.name] >= chosen.max_requests:
            open_arms.remove(chosen)
    return shared


def _scoring(
    score: Score, fixed: Mapping[str, float], chance: random.Random
) -> Callable[[Arm], float]:
    if score is Score.THOMPSON_SAMPLING:
        return lambda arm: chance.betavariate(arm.good + 1, arm.bad + 1)
    if score is Score.THOMPSON_SAMPLING_BEST_SCORE:
        return lambda arm: chance.betavariate(arm.good + 1, arm.bad + 1) * arm.best
    return lambda arm: fixed[arm.name]


def _fixed_score(score: Score, arm: Arm) -> float:
    match score:
        case Score.SUCCESS_RATE:
            return success_rate(arm)
        case Score.NEGATIVE_ABSOLUTE_BAD:
            return -float(arm.bad)
        case Score.BEST_SCORE:
            return arm.best
        case Score.ABSOLUTE_GOOD_BEST_SCORE:
            return arm.good * arm.best
        case Score.SUCCESS_RATE_BEST_SCORE:
            return success_rate(arm) * arm.best
        case Score.THOMPSON_SAMPLING | Score.THOMPSON_SAMPLING_BEST_SCORE:
            return 0.0
