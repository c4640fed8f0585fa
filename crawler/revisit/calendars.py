"""Which calendar a page publishes by: chance, workdays, one weekday, one day of the month.

Each calendar says how much more than on an average day is published on a day (its factor; the mean
is 1). A page with rate r that was not seen over some days brings something new with probability
1 - e^(-r * sum of the factors of these days). By Bayes' rule its visits make some calendars more
likely than others; pages of one template share what is likely before any visit.
"""

from dataclasses import dataclass

import numpy as np

from crawler.revisit.features import day_number
from crawler.revisit.page_columns import Floats, Ints, PageColumns
from crawler.revisit.visit_log import Outcome

MAX_AGE_DAYS = 120
"""Older pages are counted as this old."""
OFF_DAYS = 0.08
"""Share of publications that follow no calendar."""
DAYS_PER_MONTH = 30.44
ROUNDS = 3
"""Rounds of expectation and maximisation over pages and their templates."""

_CHANCE, _WORKDAYS, _WEEKDAY, _MONTHDAY = 0.40, 0.15, 0.25, 0.20
"""How likely calendars are before anything is seen."""
_TEMPLATE_WEIGHT = 4.0
"""Pages that the site's calendars count as, beside those of one template."""
_SITE_WEIGHT = 2.0
_NEIGHBOUR = 0.15
"""Share of a monthly publication that comes a day early, and a day late."""

COUNT = 2 + 7 + 31


def base_prior() -> Floats:
    """The chance of each calendar before anything is seen."""
    return np.array([_CHANCE, _WORKDAYS, *[_WEEKDAY / 7] * 7, *[_MONTHDAY / 31] * 31])


def factors(days: Ints) -> Floats:
    """The factor of each calendar (rows) on each of these days since 1970 (columns)."""
    table = np.zeros((COUNT, len(days)))
    table[0] = 1.0
    on = (days + 3) % 7
    table[1] = np.where(on < 5, 7 / 5, 0.0)
    table[2 + on, np.arange(len(days))] = 7.0
    for shift, share in ((0, 1 - 2 * _NEIGHBOUR), (-1, _NEIGHBOUR), (1, _NEIGHBOUR)):
        table[9 + _day_of_month(days + shift), np.arange(len(days))] += share * DAYS_PER_MONTH
    mixed: Floats = OFF_DAYS + (1 - OFF_DAYS) * table
    return mixed


def _day_of_month(days: Ints) -> Ints:
    dates = days.astype("datetime64[D]")
    number: Ints = (dates - dates.astype("datetime64[M]")).astype(np.int64)
    return number


@dataclass(frozen=True, slots=True)
class Calendars:
    """What is likely of each page's calendar."""

    chances: Floats
    """One row per page, one column per calendar; rows add up to 1."""

    def weighted(self, table: Floats, at: Ints) -> Floats:
        """The mean over a page's calendars of table[calendar, at[page]]."""
        mean: Floats = np.einsum("pc,cp->p", self.chances, table[:, at])
        return mean


def calendars_of(pages: PageColumns, rate: Floats) -> Calendars:
    """The chances of the calendars of each page, given its rate."""
    likelihood = _log_likelihood(pages, rate)
    size, templates = len(pages), len(pages.templates)
    has_event = np.bincount(
        pages.log_row, weights=pages.log["targets"] * (pages.log["outcome"] != 0), minlength=size
    )
    # Only pages that published say anything about when.
    busy = np.flatnonzero(has_event > 0)
    prior = np.tile(base_prior(), (templates, 1))
    for _ in range(ROUNDS):
        shares = _normalised(np.log(prior[pages.template[busy]]) + likelihood[busy])
        site = _SITE_WEIGHT * base_prior() + shares.sum(axis=0)
        site /= site.sum()
        summed = np.zeros((templates, COUNT))
        np.add.at(summed, pages.template[busy], shares)
        prior = _TEMPLATE_WEIGHT * site + summed
        prior /= prior.sum(axis=1, keepdims=True)
    return Calendars(_normalised(np.log(prior)[pages.template] + likelihood))


def _normalised(logs: Floats) -> Floats:
    chances = np.exp(logs - logs.max(axis=1, keepdims=True, initial=-np.inf))
    normalised: Floats = chances / chances.sum(axis=1, keepdims=True)
    return normalised


def _log_likelihood(pages: PageColumns, rate: Floats) -> Floats:
    """The log likelihood of each page's visits under each calendar, up to a constant."""
    used = np.flatnonzero((pages.log["outcome"] != Outcome.NEW) & (pages.log["gap"] > 0))
    logs = np.zeros((len(pages), COUNT))
    if not len(used):
        return logs
    row = pages.log_row[used]
    end = day_number(pages.log["at"][used])
    gap = np.maximum(np.rint(pages.log["gap"][used]).astype(np.int64), 1)
    first = int((end - gap).min())
    # Days of visits lie together, unless the clock jumped: then the oldest are left out.
    last = int(end.max())
    first = max(first, last - 3 * 366)
    table = factors(np.arange(first, last + 1))
    sums = np.concatenate([np.zeros((COUNT, 1)), np.cumsum(table, axis=1)], axis=1)
    begin_at = np.clip(end - gap - first + 1, 0, last - first + 1)
    end_at = np.clip(end - first + 1, 0, last - first + 1)
    published = pages.log["targets"][used] > 0
    for calendar in range(COUNT):
        expected = rate[row] * (sums[calendar, end_at] - sums[calendar, begin_at])
        log = np.where(published, np.log(-np.expm1(-np.maximum(expected, 1e-9))), -expected)
        logs[:, calendar] = np.bincount(row, weights=log, minlength=len(pages))
    return logs


def tonight(now: float) -> int:
    """The day of a night, since 1970."""
    return int(day_number(np.array([now]))[0])
