"""Files that are replaced on fixed days: the chance that one has come since the last check.

When a file changed last is known: its server says so (Last-Modified), or a check saw it overnight.
From that day on, a file may be replaced every week, every month or every quarter on days alike, or
by chance. By Bayes' rule each of the three is as likely as

    prior / period * MISS^(its days that passed in vain) * HIT^(changes on its days),

and chance as its prior divided by the days since the change: a file of last Monday may be a weekly
one, a file of 2019 is not.
"""

from dataclasses import dataclass

import numpy as np

from crawler.revisit.features import month_and_day
from crawler.revisit.page_columns import Floats, Ints

PERIODS = (7.0, 30.44, 91.3)
"""Days between two versions of a weekly, monthly and quarterly file."""
PRIORS = (0.06, 0.10, 0.06)
CHANCE_PRIOR = 0.78
CHANCE_DAYS = 30.0
"""A file without a calendar is thought to have lasted this long at least."""
MISS = 0.25
HIT = 8.0
OVERNIGHT = 1.5
"""Days between two checks of which the second shows on which day a file changed."""
MAX_PASSED = 400
"""Days since the last change that are looked at; older files have no calendar."""


@dataclass(frozen=True, slots=True)
class FileTimes:
    """Days since 1970, one row per file."""

    changed: Ints
    """Of the last known change; below zero where it is not known."""
    checked: Ints
    """Of the last check, or of the download."""
    today: int


@dataclass(frozen=True, slots=True)
class PastChanges:
    """Changes that checks saw: the file's row, the day, and the days since the check before."""

    row: Ints
    day: Ints
    gap: Floats


def chances_of_release(times: FileTimes, past: PastChanges) -> Floats:
    """The chance of each file that a day of its calendar has come since its last check."""
    size = len(times.changed)
    usable = (times.changed >= 0) & (times.checked - times.changed <= MAX_PASSED)
    rows = np.flatnonzero(usable & (times.changed <= times.checked))
    release = np.zeros(size)
    if not len(rows):
        return release
    changed, checked = times.changed[rows], times.checked[rows]
    passed = np.maximum(checked - changed, 0)
    chance = CHANCE_PRIOR / (passed + CHANCE_DAYS)
    weights = np.stack(
        [
            prior / period * MISS ** _days_of(kind, changed, changed, checked)
            for kind, (prior, period) in enumerate(zip(PRIORS, PERIODS, strict=True))
        ]
    )
    weights *= HIT ** _hits(times, past, rows)
    total = weights.sum(axis=0) + chance
    due = np.stack(
        [
            _days_of(kind, changed, checked, np.full(len(rows), times.today)) > 0
            for kind in range(len(PERIODS))
        ]
    )
    release[rows] = (weights * due).sum(axis=0) / total
    return release


def _hits(times: FileTimes, past: PastChanges, rows: Ints) -> Floats:
    """How many earlier changes fell on days alike, for each calendar (rows) and file (columns)."""
    hits = np.zeros((len(PERIODS), len(times.changed)))
    anchor = times.changed[past.row]
    before = (past.day - np.maximum(np.rint(past.gap), 1)).astype(np.int64)
    for kind, period in enumerate(PERIODS):
        # A long gap has such a day in it whatever the calendar is.
        telling = (past.gap < period / 2) & (past.day < anchor)
        met = telling & (_days_of(kind, anchor, before, past.day) > 0)
        hits[kind] = np.bincount(past.row[met], minlength=len(times.changed))
    return hits[:, rows]


def _days_of(kind: int, anchor: Ints, after: Ints, until: Ints) -> Ints:
    """How many days like the anchor there are after one day, up to and with another."""
    if kind == 0:
        weeks: Ints = (until - anchor) // 7 - (after - anchor) // 7
        return weeks
    months = 1 if kind == 1 else 3
    passed: Ints = (_months_since(anchor, until) // months) - (
        _months_since(anchor, after) // months
    )
    return passed


def _months_since(anchor: Ints, day: Ints) -> Ints:
    """Whole months from the anchor to a day: negative before it."""
    first, first_day = month_and_day(anchor)
    month, day_of_month = month_and_day(day)
    whole: Ints = month - first - (day_of_month < np.minimum(first_day, 27))
    return whole


def last_changes(modified: Ints, past: PastChanges) -> Ints:
    """The day of the last known change of each file, -1 where none is known.

    That is what the server says (`modified`), or else the day of the last check that saw a change,
    where the check before was the night before: a long gap does not say on which day it came.
    """
    latest = np.full(len(modified), -1, dtype=np.int64)
    np.maximum.at(latest, past.row, past.day)
    seen = np.full(len(modified), -1, dtype=np.int64)
    is_exact = (past.gap < OVERNIGHT) & (past.day == latest[past.row])
    seen[past.row[is_exact]] = past.day[is_exact]
    return np.where(modified >= 0, modified, seen)
