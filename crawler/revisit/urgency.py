"""What a visit tonight is worth, against a visit later.

A target found d nights after it appeared is worth v(d), less every night. For a page not seen for n
nights, with intensity r(t) on night t, a visit now is worth more than a later one by

    sum over d < n of r(t - d) * (v(d) - v(n))

(the Whittle index of the page). With v falling evenly this grows as rate * age^2, so that under a
budget pages are visited in proportion to the square root of their rates; the step from v(0) to v(1)
draws visits to the night on which something appears.
"""

import numpy as np

from crawler.revisit.calendars import MAX_AGE_DAYS, factors, tonight
from crawler.revisit.page_columns import Floats, Ints

TONIGHT = 0.5
"""What a target loses when it is not found on its first night."""
HALF_LIFE = 6.0
"""Nights after which it has lost half of the rest."""
_AGES = np.arange(MAX_AGE_DAYS + 1)


def worth(nights: Ints) -> Floats:
    """v(d): 1 on the first night, then less and less."""
    late = (1.0 - TONIGHT) * np.exp2(-nights / HALF_LIFE)
    values: Floats = np.where(nights <= 0, 1.0, late)
    return values


def urgency_table(now: float) -> Floats:
    """For each calendar (rows) and age in nights (columns): the index of a page with rate 1."""
    values = worth(_AGES)
    by_delay = factors(tonight(now) - _AGES)
    table: Floats = _sum_before(by_delay * values) - values * _sum_before(by_delay)
    return table


def backlog_table(now: float) -> Floats:
    """For each calendar and age: days' worth of publications since the last visit."""
    return _sum_before(factors(tonight(now) - _AGES))


def _sum_before(values: Floats) -> Floats:
    """The sum of what stands before each column."""
    before = np.zeros((len(values), 1))
    return np.concatenate([before, np.cumsum(values, axis=1)[:, :-1]], axis=1)
