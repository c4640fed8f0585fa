"""How many files may still come, when the pages that have some come by chance."""

import math
from collections import Counter
from collections.abc import Sequence

_STEPS = 128
"""Numbers of files that are told apart, so that the work does not grow with the site."""


def most_files(pages: float, sizes: Sequence[int], sure: float, limit: int) -> int | None:
    """The files that are not exceeded with the certainty `sure`; None if these are over `limit`.

    `pages` with files are expected: how many come is a Poisson number, and each has as many files
    as one of `sizes`, drawn by chance. The sum is worked out by Panjer's recursion.
    """
    seen = len(sizes)
    if not seen or pages * sum(sizes) > limit * seen:
        return None
    unit = max(1.0, limit / _STEPS)
    steps = math.floor(limit / unit)
    chances = [0.0] * (steps + 2)
    for size, times in Counter(sizes).items():
        # Between two steps in proportion, so that the mean stays as it is.
        low = min(int(size / unit), steps)
        part = min(size / unit - low, 1.0)
        chances[low] += (1 - part) * times / seen
        chances[low + 1] += part * times / seen
    # With few files to a page and more than one to a step, a page may count as none.
    sums = [math.exp(-pages * (1 - chances[0]))]
    weighted = [(step, pages * step * chances[step]) for step in range(1, steps + 1)]
    weighted = [(step, weight) for step, weight in weighted if weight]
    so_far = sums[0]
    while so_far < sure and len(sums) <= steps:
        at = len(sums)
        sums.append(sum(weight * sums[at - step] for step, weight in weighted if step <= at) / at)
        so_far += sums[-1]
    return math.ceil((len(sums) - 1) * unit) if so_far >= sure else None
