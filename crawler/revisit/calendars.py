"""Which calendar a page publishes by: chance, workdays, one weekday, one day of the month.

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

from crawler.revisit.features import day_number
from crawler.revisit.page_columns import Floats, Ints, PageColumns
from crawler.revisit.rates import PAGE_SHAPE, Rates, visit_weights
from crawler.revisit.visit_log import Outcome

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
NEIGHBOUR = 0.15
"""Share of a monthly publication that comes a day early, and a day late."""

_CHANCE, _WORKDAYS, _WEEKDAY, _MONTHDAY = 0.40, 0.15, 0.25, 0.20
_MAX_SPAN = 3 * 366

COUNT = 2 + 7 + 31


def base_prior() -> Floats:
    """The chance of each calendar before anything is seen."""
    return np.array([_CHANCE, _WORKDAYS, *[_WEEKDAY / 7] * 7, *[_MONTHDAY / 31] * 31])


def factors(days: Ints) -> Floats:
    """The factor of each calendar (rows) on each of these days since 1970 (columns)."""
    table = np.zeros((COUNT, len(days)))
    at = np.arange(len(days))
    on = (days + 3) % 7
    table[0] = 1.0
    table[1] = np.where(on < 5, 7 / 5, 0.0)
    table[2 + on, at] = 7.0
    for shift, share in ((0, 1 - 2 * NEIGHBOUR), (-1, NEIGHBOUR), (1, NEIGHBOUR)):
        table[9 + _day_of_month(days + shift), at] += share * DAYS_PER_MONTH
    mixed: Floats = OFF_DAYS + (1 - OFF_DAYS) * table
    return mixed


def _day_of_month(days: Ints) -> Ints:
    dates = days.astype("datetime64[D]")
    number: Ints = (dates - dates.astype("datetime64[M]")).astype(np.int64)
    return number


def tonight(now: float) -> int:
    """The day of a night, since 1970."""
    return int(day_number(np.array([now]))[0])


@dataclass(frozen=True, slots=True)
class Calendars:
    """What is likely of each page's calendar, and its rate under each.

    Pages that were never revisited are not in `rows`: they have what their template has.
    """

    rows: Ints
    """Pages with a revisit."""
    chances: Floats
    """One row for each of them, one column per calendar; rows add up to 1."""
    time: Floats
    """T of each of them under each calendar."""
    template_chances: Floats
    """One row per template."""

    def expected(self, pages: PageColumns, rates: Rates, table: Floats, optimism: float) -> Floats:
        """The mean over a page's calendars of rate * table[calendar, age], per page.

        `optimism` deviations of the uncertain rate are added to it.
        """
        at = np.minimum(np.rint(pages.age), MAX_AGE_DAYS).astype(np.int64)
        blind = (self.template_chances @ table)[pages.template, at]
        mean: Floats = blind * rates.optimistic(np.zeros(1), slice(None), optimism)[:, 0]
        if len(self.rows):
            rate = rates.optimistic(self.time, self.rows, optimism)
            seen = table[:, at[self.rows]].T
            mean[self.rows] = (self.chances * rate * seen).sum(axis=1)
        return mean


def calendars_of(pages: PageColumns, rates: Rates) -> Calendars:
    """The chances of the calendars of all pages."""
    rows, time, likelihood = _observed(pages, rates)
    template = pages.template[rows]
    busy = rates.events[rows] > 0
    prior = np.tile(base_prior(), (len(pages.templates), 1))
    for _ in range(ROUNDS):
        # Only pages that published say anything about when.
        shares = _normalised(np.log(prior[template[busy]]) + likelihood[busy])
        site = SITE_WEIGHT * base_prior() + shares.sum(axis=0)
        summed = np.zeros_like(prior)
        np.add.at(summed, template[busy], shares)
        prior = TEMPLATE_WEIGHT * site / site.sum() + summed
        prior /= prior.sum(axis=1, keepdims=True)
    return Calendars(rows, _normalised(np.log(prior[template]) + likelihood), time, prior)


def _normalised(logs: Floats) -> Floats:
    chances = np.exp(logs - logs.max(axis=1, keepdims=True, initial=-np.inf))
    normalised: Floats = chances / chances.sum(axis=1, keepdims=True)
    return normalised


def _observed(pages: PageColumns, rates: Rates) -> tuple[Ints, Floats, Floats]:
    """Rows with revisits, T under each calendar, and the log likelihood of their visits."""
    used = np.flatnonzero((pages.log["outcome"] != Outcome.NEW) & (pages.log["gap"] > 0))
    rows, row = np.unique(pages.log_row[used], return_inverse=True)
    time = np.zeros((len(rows), COUNT))
    likelihood = np.zeros((len(rows), COUNT))
    if not len(used):
        return rows, time, likelihood
    weight = visit_weights(pages)[used]
    published = np.flatnonzero(pages.log["targets"][used] > 0)
    begin, end, sums = _factor_sums(pages, used)
    shape = PAGE_SHAPE + rates.events[rows]
    scale = PAGE_SHAPE / rates.prior[rows]
    for calendar in range(COUNT):
        passed = np.maximum(sums[calendar, end] - sums[calendar, begin], 1e-3)
        time[:, calendar] = np.bincount(row, weights=weight * passed, minlength=len(rows))
        on_days = np.bincount(
            row[published],
            weights=weight[published] * np.log(passed[published]),
            minlength=len(rows),
        )
        likelihood[:, calendar] = on_days - shape * np.log(scale + time[:, calendar])
    return rows, time, likelihood


def _factor_sums(pages: PageColumns, used: Ints) -> tuple[Ints, Ints, Floats]:
    """Where each visit's unseen days begin and end in the running sums of the factors."""
    last_day = day_number(pages.log["at"][used])
    gap = np.maximum(np.rint(pages.log["gap"][used]).astype(np.int64), 1)
    newest = int(last_day.max())
    # Visits lie together, unless the clock jumped: then the oldest count as on the first day.
    oldest = max(int((last_day - gap).min()), newest - _MAX_SPAN)
    table = factors(np.arange(oldest, newest + 1))
    sums = np.concatenate([np.zeros((COUNT, 1)), np.cumsum(table, axis=1)], axis=1)
    limit = newest - oldest + 1
    begin = np.clip(last_day - gap - oldest + 1, 0, limit)
    return begin, np.clip(last_day - oldest + 1, 0, limit), sums
