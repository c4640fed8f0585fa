"""`tallyho`: our own choice. What a visit tonight is worth, by rate, calendar, age and overlap."""

import heapq
import math

import numpy as np

from crawler.revisit.calendars import Calendars
from crawler.revisit.evidence import Evidence, evidence_of
from crawler.revisit.exploration import explore_cells
from crawler.revisit.night_plan import PageReason
from crawler.revisit.own_links import OwnLinks
from crawler.revisit.page_columns import Bools, Floats, PageColumns
from crawler.revisit.rates import Rates, rates_of
from crawler.revisit.signals import chances_of_change
from crawler.revisit.strategies.interface import Choice, Night, Selection
from crawler.revisit.strategies.rr import in_turn
from crawler.revisit.urgency import backlog_table, urgency_table

EXPLORATION = 0.7
"""Deviations of an uncertain rate that are added to it."""
EXPLORING_SHARE = 0.1
"""Largest share of a night that goes to cells of which little is known."""
REST = 0.25
"""Share of `sweep_days` for which a page that was seen is left alone by the sweep."""
CATCH_UP_NIGHTS = 7
"""Nights in which pages are visited that missed nights made older than `sweep_days`."""
OVERFLOW = 0.7
"""A list is visited when this share of its items may have been replaced."""
SMALL_OVERLAP = 0.3
"""Pages alike to a smaller degree than this are not told apart from chance."""

_CANDIDATES = 8
"""Candidates looked at for each page that is chosen."""


class Tallyho:
    """Pages by what a visit tonight is worth, and beside them every page once in a while."""

    def choose(self, night: Night) -> Selection:
        """The best pages without overlap, and those of the sweep; hubs first."""
        pages = night.pages
        if not len(pages) or night.budget <= 0:
            return Selection([], night.state)
        evidence = evidence_of(pages)
        rates = rates_of(pages, evidence)
        gains = Gains(night, rates, evidence)
        best = _select(pages, gains.total, night.budget)
        limit = round(EXPLORING_SHARE * night.budget)
        explored = explore_cells(pages, rates, gains.total, best, limit)
        choices = [gains.choice(row) for row in best]
        choices += [Choice(row, PageReason.EXPLORING, promise) for row, promise in explored.items()]
        taken = {choice.row for choice in choices}
        choices += [
            Choice(row, PageReason.SWEEP, float(pages.age[row])) for row in _sweep(night, taken)
        ]
        return Selection(_hubs_first(pages, choices), night.state)


class Gains:
    """The worth of visiting each page tonight, and which rule says so."""

    def __init__(self, night: Night, rates: Rates, evidence: Evidence) -> None:
        pages = night.pages
        tables = [urgency_table(night.now), backlog_table(night.now)]
        urgency, waiting = Calendars(pages, rates, evidence).expect(tables, EXPLORATION)
        self.expected: Floats = rates.batch * urgency.mean
        self.explored: Floats = rates.batch * urgency.optimistic
        self.overflows: Bools = (pages.items > 0) & (
            rates.batch * waiting.mean > OVERFLOW * pages.items
        )
        self.total = np.where(self.overflows, 2.0 * self.explored, self.explored)
        self._signalled = chances_of_change(pages, rates.prior, night.signals, night.state)
        for row, chance in self._signalled.items():
            self.total[row] = max(self.total[row], chance * rates.batch[row])
        self.total[~pages.can_ask] = -np.inf

    def choice(self, row: int) -> Choice:
        """A chosen page with the rule that chose it."""
        expected, total = float(self.expected[row]), float(self.total[row])
        if row in self._signalled and total > self.explored[row]:
            reason = PageReason.SIGNAL
        elif self.overflows[row]:
            reason = PageReason.LIST_OVERFLOWS
        elif expected >= 0.5 * total:
            reason = PageReason.PREDICTED
        else:
            reason = PageReason.EXPLORING
        return Choice(row, reason, total)


def _sweep(night: Night, taken: set[int]) -> list[int]:
    """The pages that were not seen for the longest time, as many as bring all up in `sweep_days`.

    They come beside the budget and are spread evenly over the nights. Pages seen lately are left
    alone. Of pages seen on the same day those with few links come first: they are the cheapest.
    """
    pages, days = night.pages, night.config.sweep_days
    if not days:
        return []
    rows = np.array([row for row in in_turn(night).tolist() if row not in taken], dtype=np.int64)
    age = np.where(pages.is_stamp_odd[rows], np.inf, np.floor(pages.age[rows]))
    overdue = int((age >= days).sum())
    wanted = math.ceil(len(rows) / (days * (1 - REST))) + overdue // CATCH_UP_NIGHTS
    rested = age >= days * REST
    rows, age = rows[rested], age[rested]
    size = np.fromiter((len(pages.outlinks[row]) for row in rows), np.int64, len(rows))
    return [int(row) for row in rows[np.lexsort((size, -age))][:wanted]]


def _select(pages: PageColumns, gains: Floats, budget: int) -> list[int]:
    """The rows with the highest gain * (1 - largest overlap with those chosen before)."""
    wanted = min(len(pages), _CANDIDATES * budget + 100)
    best = np.argpartition(-gains, wanted - 1)[:wanted]
    rows = [row for row in best.tolist() if np.isfinite(gains[row])]
    own = OwnLinks(rows, pages.outlinks)
    heap = [(-float(gains[row]), -float(pages.age[row]), row, 0) for row in rows]
    heapq.heapify(heap)
    chosen: list[int] = []
    while heap and len(chosen) < budget:
        claimed, age, row, seen = heapq.heappop(heap)
        if seen == len(chosen) or not chosen:
            chosen.append(row)
            own.choose(row)
            continue
        overlap = own.overlap(row)
        gain = float(gains[row]) * (1.0 - overlap if overlap > SMALL_OVERLAP else 1.0)
        if -gain <= claimed:
            chosen.append(row)
            own.choose(row)
        else:
            heapq.heappush(heap, (-gain, age, row, len(chosen)))
    return chosen


def _hubs_first(pages: PageColumns, choices: list[Choice]) -> list[Choice]:
    """Pages that many others link to before the others: what they show is not credited twice."""
    return sorted(choices, key=lambda choice: (-pages.inlinks[choice.row], -choice.score))
