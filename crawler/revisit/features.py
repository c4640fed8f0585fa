"""The features of paper 003 (4.2): avg, std, age, day of week, time of day, avg * age.

`avg` and `std` are taken over the latest `window` visits. What stands on a page at its first crawl
counts as the publications of a year, so that the first revisits are not blind; a page with any
revisit in its window is judged by its revisits alone.
"""

from dataclasses import dataclass

import numpy as np

from crawler.revisit.page_columns import Floats, Ints, PageColumns
from crawler.revisit.visit_log import MAX_GAP_DAYS, SECONDS_PER_DAY, Outcome

FIRST_CRAWL_DAYS = 365.0
HOURS_PER_DAY = 24
DAYS_PER_WEEK = 7
_MONDAY_OFFSET = 3
"""1970-01-01 was a Thursday; Monday is 0."""

SCALED = 4
"""The first columns are numbers (avg, std, age, avg * age), the others are one-hot."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Visits of the past: the features before each, what it yielded, and its night."""

    features: Floats
    yields: Floats
    night: Ints
    """Days since 1970: visits of one night are one query of LTR."""


def day_number(at: Floats) -> Ints:
    """Days since 1970, as UTC counts them."""
    days: Ints = np.floor(np.clip(at / SECONDS_PER_DAY, -1e7, 1e7)).astype(np.int64)
    return days


def month_and_day(days: Ints) -> tuple[Ints, Ints]:
    """Months since 1970 and days of the month, both from 0."""
    dates = days.astype("datetime64[D]")
    months = dates.astype("datetime64[M]")
    return months.astype(np.int64), (dates - months).astype(np.int64)


def weekday(at: Floats) -> Ints:
    """Monday is 0, Sunday is 6."""
    return (day_number(at) + _MONDAY_OFFSET) % DAYS_PER_WEEK


def average_yields(
    pages: PageColumns, rows: Ints, ends: Ints, window: int
) -> tuple[Floats, Floats]:
    """Mean and deviation of the new targets of the `window` visits before each log position."""
    is_revisit = pages.log["outcome"] != Outcome.NEW
    values = np.where(is_revisit, pages.log["targets"], 0).astype(np.float64)
    starts = np.maximum(pages.log_start[rows], ends - window)
    count = _between(is_revisit.astype(np.float64), starts, ends)
    total = _between(values, starts, ends)
    square = _between(values**2, starts, ends)
    mean = total / np.maximum(count, 1.0)
    deviation = np.sqrt(np.maximum(square / np.maximum(count, 1.0) - mean**2, 0.0))
    blind = pages.targets_listed[rows] / FIRST_CRAWL_DAYS
    return np.where(count > 0, mean, blind), deviation


def _between(values: Floats, starts: Ints, ends: Ints) -> Floats:
    sums = np.concatenate([[0.0], np.cumsum(values)])
    between: Floats = sums[ends] - sums[starts]
    return between


def features_tonight(pages: PageColumns, window: int) -> Floats:
    """One row of features per page for a visit now."""
    rows = np.arange(len(pages))
    mean, deviation = average_yields(pages, rows, pages.log_start[1:], window)
    at = np.full(len(pages), pages.now)
    return _table(mean, deviation, pages.age, at)


def examples(pages: PageColumns, window: int, days: float) -> Examples:
    """Every revisit of the last `days` days as an example."""
    at = pages.log["at"]
    recent = (at <= pages.now) & (at >= pages.now - days * SECONDS_PER_DAY)
    used = np.flatnonzero(recent & (pages.log["outcome"] != Outcome.NEW))
    rows = pages.log_row[used]
    mean, deviation = average_yields(pages, rows, used, window)
    gap = np.clip(pages.log["gap"][used].astype(np.float64), 0.0, MAX_GAP_DAYS)
    return Examples(
        _table(mean, deviation, gap, at[used]),
        pages.log["targets"][used].astype(np.float64),
        day_number(at[used]),
    )


def _table(mean: Floats, deviation: Floats, age: Floats, at: Floats) -> Floats:
    hour = np.clip((at % SECONDS_PER_DAY) // 3600, 0, HOURS_PER_DAY - 1).astype(np.int64)
    return np.column_stack(
        [
            mean,
            deviation,
            age,
            mean * age,
            np.eye(DAYS_PER_WEEK)[weekday(at)],
            np.eye(HOURS_PER_DAY)[hour],
        ]
    )
