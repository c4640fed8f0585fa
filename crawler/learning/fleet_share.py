"""How a night's requests are shared between sites: fairly first, the rest by a bandit.

Scores do not change while requests are shared out, as the answers come only in the night; a site
that has all it can use is not chosen again.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from crawler.learning.group_bandit import Exploration, GroupBandit
from crawler.learning.group_score import Score

MAX_ROUNDS = 2000
"""Requests are dealt in portions, so that a large budget takes no longer than a small one."""
TRIALS = 100
"""What one visit counts in good and bad, however many requests it made."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A past run over a site: what it cost, what it gave, and how long ago it was."""

    days_ago: float
    requests: int
    new_files: int


@dataclass(frozen=True, slots=True)
class Arm:
    """A site: what its visits gave, and how many requests it can use."""

    name: str
    good: float
    bad: float
    best: float
    """The confidence, from 0 to 1, in the best of its links that wait."""
    max_requests: int
    """Requests that it can use in one night; 0 when tonight is not its night."""
    need: int = 0
    """Requests that a revisit of what is known of it takes."""
    is_new: bool = False
    """It was never crawled."""


@dataclass(frozen=True, slots=True)
class Fairness:
    """What is given before the bandit shares the rest."""

    floor: float = 0.2
    """Share of all requests that is divided equally."""
    first: int = 500
    """Requests of a site that was never crawled."""


@dataclass(slots=True)
class Portion:
    """What one site gets, and what it should get at least."""

    requests: int = 0
    floor: int = 0
    need: int = 0

    @property
    def is_starved(self) -> bool:
        """Whether it gets less than its floor, or than a revisit takes."""
        return self.requests < max(self.floor, self.need, 1)


def evidence(visits: Iterable[Visit], half_life: float) -> tuple[float, float]:
    """Good and bad: new files per request of each visit, older visits counting less.

    A visit counts the same whatever it cost: a million requests of last year must not outweigh
    last night.
    """
    good = bad = 0.0
    for visit in visits:
        if visit.requests > 0:
            weight = TRIALS * decayed(1.0, visit.days_ago, half_life)
            success = min(1.0, visit.new_files / visit.requests)
            good += weight * success
            bad += weight * (1 - success)
    return good, bad


def decayed(value: float, days_ago: float, half_life: float) -> float:
    """What is left of a value after so many days."""
    return float(value * 0.5 ** (max(0.0, days_ago) / half_life))


def share(
    arms: Sequence[Arm],
    requests: int,
    *,
    score: Score = Score.SUCCESS_RATE,
    exploration: Exploration | None = None,
    fairness: Fairness | None = None,
    requests_before: float = 0,
    seed: str = "",
) -> dict[str, Portion]:
    """The requests of each arm; the order of the arms does not matter, the seed decides."""
    draws = np.random.default_rng(random.Random(seed).getrandbits(64))  # noqa: S311 - repeatable
    fairness = fairness or Fairness()
    portions = {arm.name: Portion() for arm in arms}
    due = sorted((arm for arm in arms if arm.max_requests > 0), key=lambda arm: arm.name)
    left = _give_floors(due, portions, requests, fairness, draws)
    if fairness.floor:
        left = _give_needs(due, portions, left)
    left = _give_first(due, portions, left, fairness, draws)
    bandit = GroupBandit(score, exploration or Exploration())
    _deal(bandit, due, portions, left, requests_before, draws)
    return portions


def _give_floors(
    due: Sequence[Arm],
    portions: dict[str, Portion],
    left: int,
    fairness: Fairness,
    draws: np.random.Generator,
) -> int:
    """The same for each, one at least; where not even that is there, for some at random."""
    if not due or not fairness.floor:
        return left
    level = max(1, int(fairness.floor * left / len(due)))
    for place in draws.permutation(len(due)).tolist():
        portion = portions[due[place].name]
        portion.floor = min(level, due[place].max_requests)
        portion.requests = min(portion.floor, left)
        left -= portion.requests
    return left


def _give_needs(due: Sequence[Arm], portions: dict[str, Portion], left: int) -> int:
    """All of what revisits take; the same share of it for each where that is too much."""
    missing = {}
    for arm in due:
        portion = portions[arm.name]
        portion.need = min(arm.need, arm.max_requests)
        missing[arm.name] = max(0, portion.need - portion.requests)
    total = max(1, sum(missing.values()))
    affordable = min(total, left)
    for name, wanted in missing.items():
        part = wanted * affordable // total
        portions[name].requests += part
        left -= part
    return left


def _give_first(
    due: Sequence[Arm],
    portions: dict[str, Portion],
    left: int,
    fairness: Fairness,
    draws: np.random.Generator,
) -> int:
    """Sites without history, in random order."""
    new = [arm for arm in due if arm.is_new]
    for place in draws.permutation(len(new)).tolist():
        portion = portions[new[place].name]
        wanted = min(fairness.first, new[place].max_requests) - portion.requests
        part = max(0, min(wanted, left))
        portion.requests += part
        left -= part
    return left


def _deal(
    bandit: GroupBandit,
    due: Sequence[Arm],
    portions: dict[str, Portion],
    left: int,
    requests_before: float,
    draws: np.random.Generator,
) -> None:
    """Algorithm 1 of paper 001, portion by portion."""
    for number, arm in enumerate(due):
        bandit.record(number, arm.good, arm.bad)
        if portions[arm.name].requests < arm.max_requests:
            bandit.wake(number, arm.best)
    size = max(1, -(-left // MAX_ROUNDS))
    given = 0
    while given < left:
        chosen = bandit.choose(requests_before + given, draws)
        if chosen is None:
            break
        arm = due[chosen]
        portion = portions[arm.name]
        part = min(size, left - given, arm.max_requests - portion.requests)
        portion.requests += part
        given += part
        if portion.requests >= arm.max_requests:
            bandit.sleep(chosen)
