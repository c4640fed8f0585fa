"""Which calendar a page publishes by: chance, every day, one weekday, one day of the month.

Each calendar says how much more than on an average day is published on a day (its factor; the mean
is 1). Under a calendar the time T of a page runs fast on its days and hardly at all on others: T is
the sum of the factors of the observed days, and the rate is (a + X) / (b + T) with X nights that
brought something new (`rates`). The visits of a page are as likely under a calendar as

    product over these X nights of (factors of the days since the visit before) / (b + T)^(a + X),

which by Bayes' rule makes some calendars more likely than others. Pages of one template share what
is likely before any visit.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from crawler.revisit.evidence import Evidence
from crawler.revisit.features import day_number, month_and_day
from crawler.revisit.page_columns import Floats, Ints, PageColumns
from crawler.revisit.rates import PAGE_SHAPE, Rates

MAX_AGE_DAYS = 120
"""Older pages are counted as this old."""
OFF_DAYS = 0.08
"""Share of publications that follow no calendar."""
DAYS_PER_MONTH = 30.44
ROUNDS = 3
"""Rounds of expectation and maximisation over pages and their templates."""
TEMPLATE_WEIGHT = 4.0
"""Pages that the site's calendars count as, beside those of one template."""
SITE_WEIGHT = 2.0
NEIGHBOUR = 0.03
"""Share of a monthly publication that comes a day early, and a day late."""

_CHANCE, _DAILY, _WORKDAYS, _WEEKDAY, _MONTHDAY, _QUARTERDAY = 0.6, 0.05, 0.05, 0.1, 0.1, 0.1
_MONTHS = 31
_QUARTERS = 93
_CHUNK = 4096
_SAMPLE = 4096

_FIRST_WEEKDAY = 3
_FIRST_MONTHDAY = _FIRST_WEEKDAY + 7
_FIRST_QUARTERDAY = _FIRST_MONTHDAY + _MONTHS

COUNT = _FIRST_QUARTERDAY + _QUARTERS


ENDED = 0.05
"""Chance that a calendar ended without a word."""
KEPT = 0.8
"""Share of a calendar's days on which something is published."""
CALENDAR_SHAPE = 4.0
"""a of a page with a calendar: large, as its days say how often it publishes."""
RATES = np.concatenate(
    [
        [1.0, KEPT, KEPT * 5 / 7],
        np.full(7, KEPT / 7),
        np.full(_MONTHS, KEPT / DAYS_PER_MONTH),
        np.full(_QUARTERS, KEPT / (3 * DAYS_PER_MONTH)),
    ]
)
"""Publications per day under each calendar; chance (the first) has the rate of pages alike."""


def base_prior() -> Floats:
    """The chance of each calendar before anything is seen."""
    groups = ((_WEEKDAY, 7), (_MONTHDAY, _MONTHS), (_QUARTERDAY, _QUARTERS))
    shared = [np.full(count, chance / count) for chance, count in groups]
    return np.concatenate([[_CHANCE, _DAILY, _WORKDAYS], *shared])


def factors(days: Ints) -> Floats:
    """The factor of each calendar (rows) on each of these days since 1970 (columns)."""
    table = np.zeros((COUNT, len(days)))
    at = np.arange(len(days))
    on = (days + 3) % 7
    table[:2] = 1.0
    table[2] = np.where(on < 5, 7 / 5, 0.0)
    table[_FIRST_WEEKDAY + on, at] = 7.0
    for shift, share in ((0, 1 - 2 * NEIGHBOUR), (-1, NEIGHBOUR), (1, NEIGHBOUR)):
        month, day = month_and_day(days + shift)
        table[_FIRST_MONTHDAY + day, at] += share * DAYS_PER_MONTH
        quarterday = _FIRST_QUARTERDAY + (month % 3) * _MONTHS + day
        table[quarterday, at] += share * 3 * DAYS_PER_MONTH
    mixed: Floats = OFF_DAYS + (1 - OFF_DAYS) * table
    return mixed


def tonight(now: float) -> int:
    """The day of a night, since 1970."""
    return int(day_number(np.array([now]))[0])


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a table of calendars and ages says about each page."""

    mean: Floats
    """The mean over a page's calendars of rate * table[calendar, age]."""
    optimistic: Floats
    """The same with deviations of the uncertain rates added."""


class Calendars:
    """What is likely of each page's calendar, and its rate under each."""

    def __init__(self, pages: PageColumns, rates: Rates, evidence: Evidence) -> None:
        self._pages = pages
        self._rates = rates
        self._age = np.minimum(np.rint(pages.age), MAX_AGE_DAYS).astype(np.int64)
        self._evidence = evidence
        by_day = factors(evidence.first_day + np.arange(evidence.days)).T
        self._logs = np.log(by_day)
        self._weightless = _running_sum(by_day)
        self._weighted = _running_sum(by_day * evidence.forgetting()[:, None])
        self._rows = np.union1d(evidence.span_row, evidence.event_row)
        """Pages of which anything is known; the others have what their template has."""
        self._last_seen = _latest(evidence.span_row, evidence.span_end, len(pages))
        last = _latest(evidence.event_row, evidence.event_end, len(pages))
        self._last_event = np.where(last > 0, last, self._last_seen)
        """Where nothing ever came, nothing ended."""
        self.template_chances = self._pooled_chances()

    def expect(self, tables: list[Floats], optimism: float) -> list[Expectation]:
        """What each table [calendar, age in days] says about each page."""
        expected = [self._blind(table, optimism) for table in tables]
        for begin in range(0, len(self._rows), _CHUNK):
            rows = self._rows[begin : begin + _CHUNK]
            seen = self.posterior(rows)
            for table, result in zip(tables, expected, strict=True):
                worth = seen.chances * table[:, self._age[rows]].T
                result.mean[rows] = (worth * seen.rate(0.0)).sum(axis=1)
                result.optimistic[rows] = (worth * seen.rate(optimism)).sum(axis=1)
        return expected

    def _blind(self, table: Floats, optimism: float) -> Expectation:
        """The same for pages of which nothing is known but what pages alike do."""
        timing = (self.template_chances @ table)[self._pages.template, self._age]
        mean = timing * self._rates.prior
        return Expectation(mean, mean * (1 + optimism / np.sqrt(PAGE_SHAPE)))

    def posterior(self, rows: Ints) -> "Posterior":
        """The calendars of these rows (in ascending order)."""
        shape, time, likelihood = self._observed(rows)
        prior = np.log(self.template_chances[self._pages.template[rows]])
        quiet = self._weightless[self._last_seen[rows]] - self._weightless[self._last_event[rows]]
        alive = _chance_alive(shape / time * np.maximum(quiet, 0.0))
        return Posterior(shape, time, _normalised(prior + likelihood) * alive)

    def _pooled_chances(self) -> Floats:
        """The chances of the calendars for each template, from its pages that were observed."""
        # A sample does for what templates have in common.
        busy = self._rows[:: max(len(self._rows) // _SAMPLE, 1)]
        template = self._pages.template[busy]
        _, _, likelihood = self._observed(busy)
        chances = np.tile(base_prior(), (len(self._pages.templates), 1))
        for _ in range(ROUNDS):
            shares = _normalised(np.log(chances[template]) + likelihood)
            site = SITE_WEIGHT * base_prior() + shares.sum(axis=0)
            summed = np.zeros_like(chances)
            np.add.at(summed, template, shares)
            chances = TEMPLATE_WEIGHT * site / site.sum() + summed
            chances = _smoothed(chances / chances.sum(axis=1, keepdims=True))
        return chances

    def _observed(self, rows: Ints) -> tuple[Floats, Floats, Floats]:
        """a + X and b + T under each calendar, and the log likelihood of all that was seen."""
        known = self._evidence
        spans = _within(known.span_row, rows)
        at = np.searchsorted(rows, known.span_row[spans])
        passed = self._weighted[known.span_end[spans]] - self._weighted[known.span_begin[spans]]
        passed *= known.span_weight[spans, None]
        time = _sum_by_row(at, passed, len(rows))
        marks = _within(known.event_row, rows)
        at = np.searchsorted(rows, known.event_row[marks])
        weight = known.event_weight[marks]
        events = np.bincount(at, weights=weight, minlength=len(rows)).astype(np.float64)
        begin, end = known.event_begin[marks], known.event_end[marks]
        factor = np.where(
            (end - begin == 1)[:, None],
            self._logs[np.minimum(begin, known.days - 1)],
            np.log(np.maximum(self._weightless[end] - self._weightless[begin], 1e-6)),
        )
        likelihood = _sum_by_row(at, factor * weight[:, None], len(rows))
        shape = np.where(np.arange(COUNT) == 0, PAGE_SHAPE, CALENDAR_SHAPE)
        scale = np.tile(shape / RATES, (len(rows), 1))
        scale[:, 0] = PAGE_SHAPE / self._rates.prior[rows]
        likelihood += shape * np.log(scale) - (shape + events[:, None]) * np.log(scale + time)
        # Only chance has another shape than all calendars: two columns say it for all of them.
        for of in (slice(0, 1), slice(1, None)):
            first = float(shape[of][0])
            likelihood[:, of] += (gammaln(first + events) - gammaln(first))[:, None]
        return shape + events[:, None], scale + time, likelihood


@dataclass(frozen=True, slots=True)
class Posterior:
    """What is known of some pages under each calendar: a + X, b + T, and the calendar's chance."""

    shape: Floats
    time: Floats
    chances: Floats

    def rate(self, optimism: float) -> Floats:
        """(a + X) / (b + T), with `optimism` deviations of the uncertain rate added."""
        rate: Floats = (self.shape + optimism * np.sqrt(self.shape)) / self.time
        return rate


def _chance_alive(expected: Floats) -> Floats:
    """Chance that a page still publishes that brought nothing where so much was expected."""
    quiet = np.exp(-expected)
    alive: Floats = quiet / (quiet + ENDED)
    return alive


def _latest(row: Ints, end: Ints, size: int) -> Ints:
    latest = np.zeros(size, np.int64)
    np.maximum.at(latest, row, end)
    return latest


def _smoothed(chances: Floats) -> Floats:
    """Half of what weekdays (days of the month, of the quarter) have is shared evenly by all."""
    begin = _FIRST_WEEKDAY
    for size in (7, _MONTHS, _QUARTERS):
        group = chances[:, begin : begin + size]
        group += group.mean(axis=1, keepdims=True)
        group /= 2
        begin += size
    return chances


def _normalised(logs: Floats) -> Floats:
    chances = np.exp(logs - logs.max(axis=1, keepdims=True, initial=-np.inf))
    normalised: Floats = chances / chances.sum(axis=1, keepdims=True)
    return normalised


def _running_sum(by_day: Floats) -> Floats:
    return np.concatenate([np.zeros((1, by_day.shape[1])), np.cumsum(by_day, axis=0)])


def _within(sorted_rows: Ints, rows: Ints) -> Ints:
    """Where in a sorted column the values are that stand among these rows."""
    if not len(rows):
        return np.zeros(0, np.int64)
    begin = int(np.searchsorted(sorted_rows, rows[0]))
    end = int(np.searchsorted(sorted_rows, rows[-1], side="right"))
    part = sorted_rows[begin:end]
    return begin + np.flatnonzero(rows[np.searchsorted(rows, part)] == part)


def _sum_by_row(at: Ints, values: Floats, size: int) -> Floats:
    """Sums of the values with the same place; places ascend."""
    sums = np.zeros((size, values.shape[1]))
    if len(at):
        starts = np.flatnonzero(np.concatenate([[True], at[1:] != at[:-1]]))
        sums[at[starts]] = np.add.reduceat(values, starts, axis=0)
    return sums
