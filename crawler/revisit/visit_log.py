"""What visits to one page or file showed, oldest first, packed into a few bytes for the state file.

A log is `bytes`: 100,000 of them are joined and read by numpy in one operation. It holds the newest
`MAX_VISITS` (`MAX_CHECKS`) entries; older ones are dropped.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

SECONDS_PER_DAY = 86_400.0
MAX_GAP_DAYS = 400.0
"""Longer gaps count as this many days: a clock that jumped years ahead says nothing about rates."""

MAX_VISITS = 64
MAX_CHECKS = 32
MAX_COUNT = 65_535

VISIT = np.dtype(
    [("at", "<f8"), ("gap", "<f4"), ("outcome", "u1"), ("links", "<u2"), ("targets", "<u2")]
)
"""One visit to a page: time, days since the visit before, Outcome, new links, new targets."""

CHECK = np.dtype([("at", "<f8"), ("gap", "<f4"), ("outcome", "u1")])
"""One check of a file: time, days since the check before, Outcome."""

Log = npt.NDArray[np.void]


class Outcome(IntEnum):
    """What a visit to a known page, or a check of a known file, showed."""

    NEW = 0
    """The first visit: everything on it was new."""
    CHANGED = 1
    """Other links or other bytes than before."""
    UNCHANGED = 2
    """304, the same bytes, or the same links."""
    GONE = 3
    """404 or 410."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One visit to a page, or one check of a file (without links and targets)."""

    at: float
    gap: float
    outcome: Outcome
    new_links: int = 0
    new_targets: int = 0


def gap_in_days(earlier: float, later: float) -> float:
    """Days between two times, never negative and never above MAX_GAP_DAYS."""
    return min(max((later - earlier) / SECONDS_PER_DAY, 0.0), MAX_GAP_DAYS)


def append_visit(log: bytes, visit: Visit) -> bytes:
    """The log of a page with one more visit."""
    entry = (
        visit.at,
        visit.gap,
        int(visit.outcome),
        min(visit.new_links, MAX_COUNT),
        min(visit.new_targets, MAX_COUNT),
    )
    return _append(log, np.array([entry], dtype=VISIT), MAX_VISITS)


def append_check(log: bytes, visit: Visit) -> bytes:
    """The log of a file with one more check."""
    entry = (visit.at, visit.gap, int(visit.outcome))
    return _append(log, np.array([entry], dtype=CHECK), MAX_CHECKS)


def _append(log: bytes, entry: Log, limit: int) -> bytes:
    return (log + entry.tobytes())[-limit * entry.dtype.itemsize :]


def read_visits(log: bytes) -> list[Visit]:
    """The visits in the log of a page, oldest first."""
    return [
        Visit(at, gap, Outcome(outcome), links, targets)
        for at, gap, outcome, links, targets in np.frombuffer(log, VISIT).tolist()
    ]


def read_checks(log: bytes) -> list[Visit]:
    """The checks in the log of a file, oldest first."""
    return [
        Visit(at, gap, Outcome(outcome)) for at, gap, outcome in np.frombuffer(log, CHECK).tolist()
    ]
