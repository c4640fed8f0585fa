"""What visits, and dates that stand on pages, say about when each page publishes.

A page that was looked at after some days shows whether anything new came in them. Dates of items
say it for the time before the first visit: something came on each of these days and nothing in
between.
"""

from dataclasses import dataclass

import numpy as np

from crawler.revisit.features import day_number
from crawler.revisit.page_columns import Bools, Floats, Ints, PageColumns
from crawler.revisit.visit_log import Outcome

MAX_SPAN_DAYS = 3 * 366
"""Older evidence does not count."""
FORGET_DAYS = 365.0
"""After this many days evidence counts 1/e: calendars change, but those of quarters need a year."""
DATED_EVENTS = 6.0
"""Dates count as this many visits with news at most: visits overrule them."""


BIRTH_WEIGHT = 0.5
"""The day on which a page came counts as this many visits with news: it may continue like that."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Spans of days that were observed, and events in them. Days count from `first_day`.

    Both are sorted by row, and cover the days from `begin` up to, not including, `end`.
    """

    first_day: int
    days: int
    span_row: Ints
    span_begin: Ints
    span_end: Ints
    span_weight: Floats
    event_row: Ints
    event_begin: Ints
    event_end: Ints
    event_weight: Floats

    def forgetting(self) -> Floats:
        """How much each day counts, the last one 1."""
        weights: Floats = np.exp(-np.arange(self.days)[::-1] / FORGET_DAYS)
        return weights

    def observed_days(self) -> Floats:
        """How many days each span counts as."""
        sums = np.concatenate([[0.0], np.cumsum(self.forgetting())])
        counted: Floats = (sums[self.span_end] - sums[self.span_begin]) * self.span_weight
        return counted


def evidence_of(pages: PageColumns) -> Evidence:
    """All that is known, from visits and dates."""
    today = int(day_number(np.array([pages.now]))[0])
    first_day = today - MAX_SPAN_DAYS + 1
    parts = [_visits(pages, first_day), _dates(pages, first_day)]
    spans = _by_row([part[0] for part in parts])
    events = _by_row([part[1] for part in parts])
    weight = np.exp(-(MAX_SPAN_DAYS - events[2]) / FORGET_DAYS)
    return Evidence(
        first_day,
        MAX_SPAN_DAYS,
        span_row=spans[0].astype(np.int64),
        span_begin=spans[1].astype(np.int64),
        span_end=spans[2].astype(np.int64),
        span_weight=spans[3],
        event_row=events[0].astype(np.int64),
        event_begin=events[1].astype(np.int64),
        event_end=events[2].astype(np.int64),
        event_weight=events[3] * weight,
    )


def is_publication(pages: PageColumns) -> Bools:
    """Which visits of the log showed anything new, whether targets or pages without any."""
    published: Bools = (pages.log["targets"] > 0) | (pages.log["links"] > 0)
    revisits: Bools = pages.log["outcome"] != Outcome.NEW
    return published & revisits


def _by_row(parts: list[Floats]) -> Floats:
    table = np.concatenate(parts, axis=1)
    return table[:, np.argsort(table[0], kind="stable")]


def _visits(pages: PageColumns, first_day: int) -> tuple[Floats, Floats]:
    """Spans and events (row, begin, end, weight) of all revisits."""
    used = np.flatnonzero((pages.log["outcome"] != Outcome.NEW) & (pages.log["gap"] > 0))
    last = day_number(pages.log["at"][used])
    gap = np.maximum(np.rint(pages.log["gap"][used]).astype(np.int64), 1)
    begin = np.clip(last - gap - first_day + 1, 0, MAX_SPAN_DAYS)
    end = np.clip(last - first_day + 1, 0, MAX_SPAN_DAYS)
    spans = np.array([pages.log_row[used], begin, end, np.ones(len(used))])
    return spans, spans[:, is_publication(pages)[used] & (end > begin)]


def _dates(pages: PageColumns, first_day: int) -> tuple[Floats, Floats]:
    """Spans and events of the time before the first visit, by the dates that stood there then."""
    lengths = np.fromiter(map(len, pages.dates), np.int64, len(pages)) // 4
    row = np.repeat(np.arange(len(pages)), lengths)
    day = np.frombuffer(b"".join(pages.dates), "<i4").astype(np.int64)
    seen = day_number(pages.first_seen)
    known = (day <= seen[row]) & (day > -(10**7))
    row, day = row[known], day[known]
    if not len(row):
        return np.zeros((4, 0)), np.zeros((4, 0))
    is_first = np.concatenate([[True], row[1:] != row[:-1]])
    dated, count = row[is_first], np.diff(np.append(np.flatnonzero(is_first), len(row)))
    trust = np.minimum(DATED_EVENTS / count, 1.0)
    begin = np.clip(day[is_first] - first_day + 1, 0, MAX_SPAN_DAYS)
    end = np.clip(seen[dated] - first_day + 1, begin, MAX_SPAN_DAYS)
    spans = np.array([dated, begin, end, trust])
    # A page that was found on a revisit is new: its oldest date is the day on which it came.
    weight = np.where(is_first & (pages.freshness[row] > 0), BIRTH_WEIGHT, np.repeat(trust, count))
    events = np.array([row, day - first_day, day - first_day + 1, weight])
    return spans, events[:, (weight > 0) & (day >= first_day) & (day < first_day + MAX_SPAN_DAYS)]
