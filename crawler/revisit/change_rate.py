"""How often a file changes, from one bit per check at uneven gaps.

Changes come as a Poisson process, and a check says only whether there was at least one since the
check before (Cho and Garcia-Molina 2003). The likelihood of a rate r has its maximum where

    sum over changed checks of gap / (e^(r * gap) - 1)  =  sum of the gaps of unchanged checks.

A file with few checks borrows from files alike: a Gamma prior with shape a around the pooled rate
of its group adds a / r to the left side and a / (pooled rate) to the right, so that a file that was
never checked has the pooled rate.
"""

import numpy as np

from crawler.revisit.page_columns import Bools, Floats, Ints

MIN_RATE = 1e-5
"""Changes per day of a file that never changed: once in 270 years."""
MAX_RATE = 24.0
FILE_SHAPE = 0.1
"""a: how much a group says about one of its files; little, as most files never change."""
GROUP_SHAPE = 0.5
"""The same for what is known of a group before any check."""
PRIOR_RATE = 1 / 90
"""Changes per day of a file of which nothing is known at all."""

_HALVINGS = 30


def pooled_change_rates(gaps: Floats, changed: Bools, file: Ints, group_of_file: Ints) -> Floats:
    """The rate of each file, its group's rate taken as prior knowledge."""
    size = len(group_of_file)
    groups = int(group_of_file.max()) + 1 if size else 0
    # A group without checks is at the prior rate; one check moves it little.
    scale = GROUP_SHAPE / PRIOR_RATE
    pooled = change_rates(
        gaps, changed, group_of_file[file], groups, shape=GROUP_SHAPE, scale=scale
    )
    scales = FILE_SHAPE / pooled[group_of_file]
    return change_rates(gaps, changed, file, size, shape=FILE_SHAPE, scale=scales)


def change_rates(
    gaps: Floats,
    changed: Bools,
    group: Ints,
    size: int,
    *,
    shape: float = 0.0,
    scale: Floats | float = 0.0,
) -> Floats:
    """The most likely rate of each of `size` groups; MAX_RATE where every check saw a change.

    It is where the likelihood's slope is zero, found by halving the interval of log rates.
    """
    seen = gaps > 0
    gaps, changed, group = gaps[seen], changed[seen], group[seen]
    quiet = np.bincount(group[~changed], weights=gaps[~changed], minlength=size) + scale
    busy_gaps, busy = gaps[changed], group[changed]
    low = np.full(size, np.log(MIN_RATE))
    high = np.full(size, np.log(MAX_RATE))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        rate = np.exp(middle)
        # e^x - 1 overflows for nothing: above 500 the term is zero.
        pull = busy_gaps / np.expm1(np.minimum(rate[busy] * busy_gaps, 500.0))
        slope = np.bincount(busy, weights=pull, minlength=size) + shape / rate - quiet
        low = np.where(slope > 0, middle, low)
        high = np.where(slope > 0, high, middle)
    rates: Floats = np.exp((low + high) / 2)
    return rates
