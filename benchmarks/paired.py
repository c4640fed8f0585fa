"""Two strategies run by run: the ratio of their requests, and how sure it is."""

import math
import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Runs = Mapping[str, Sequence[float]]
"""By site: one figure per run, in the order of the seeds."""

_RESAMPLES = 2000
_TAIL = 0.025


@dataclass(frozen=True, slots=True)
class Interval:
    """A ratio with the range that 95% of the resamples fall into."""

    ratio: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.ratio:.2f} ({self.low:.2f} to {self.high:.2f})"


def ratios(ours: Runs, theirs: Runs) -> dict[str, float]:
    """The mean of one by that of the other, for every site where both always got there."""
    return {
        site: statistics.fmean(runs) / statistics.fmean(theirs[site])
        for site, runs in ours.items()
        if site in theirs and all(map(math.isfinite, (*runs, *theirs[site])))
    }


def paired(ours: Runs, theirs: Runs, seed: int = 0) -> Interval | None:
    """The geometric mean of the ratios over sites, by a bootstrap over sites and over runs.

    Sites are drawn with replacement, then runs of each site: what a few sites or lucky seeds carry
    shows in the width of the interval. None when there is no site to compare on.
    """
    known = ratios(ours, theirs)
    if not known:
        return None
    sites, draw = list(known), random.Random(seed)
    found = []
    for _ in range(_RESAMPLES):
        logs = []
        for site in draw.choices(sites, k=len(sites)):
            one = draw.choices(ours[site], k=len(ours[site]))
            other = draw.choices(theirs[site], k=len(theirs[site]))
            logs.append(math.log(statistics.fmean(one) / statistics.fmean(other)))
        found.append(math.exp(statistics.fmean(logs)))
    found.sort()
    at = int(_TAIL * _RESAMPLES)
    return Interval(statistics.geometric_mean(known.values()), found[at], found[-1 - at])
