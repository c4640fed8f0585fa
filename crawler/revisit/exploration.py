"""Visits to pages of which little is known, chosen by what cells of pages alike may hold."""

import heapq
import math

import numpy as np

from crawler.revisit.page_columns import Floats, Ints, PageColumns
from crawler.revisit.rates import Rates
from crawler.revisit.urgency import TONIGHT
from crawler.revisit.visit_log import Outcome

OPTIMISM = 1.0
"""Deviations of a cell's uncertain share of visits that pay, which are added to it."""
LEARNING = 0.7
"""Weight of what cells may hold against what is known of pages."""


def explore_cells(
    pages: PageColumns, rates: Rates, gains: Floats, chosen: list[int], limit: int
) -> dict[int, float]:
    """Pages of little known cells that may pay more than the worst of the chosen ones.

    They replace these one by one, `limit` of them at most; `chosen` is in the order of gains and is
    shortened. Cells without any revisit come first, those near the start page before others: a page
    like no other may be where everything new is announced. Then the promise of a cell decides: the
    share of its visits that found something, with what is not known of it added; a planned visit
    counts as one that found nothing.
    """
    group = groups_of(pages)
    visits, paid = _visits(pages, group)
    batch = np.bincount(group, weights=rates.batch) / np.bincount(group)
    waiting = _pages_by_cell(pages, group, gains, set(chosen))
    explored: dict[int, float] = {}
    for cell in _unvisited(pages, waiting, visits):
        if len(explored) >= limit or not chosen:
            break
        chosen.pop()
        explored[waiting[cell].pop()] = _promise(0.0, 0.0) * batch[cell]
        visits[cell] += 1
    heap = [(-_promise(visits[cell], paid[cell]) * batch[cell], cell) for cell in waiting]
    heapq.heapify(heap)
    while heap and chosen and len(explored) < limit:
        promise, cell = heapq.heappop(heap)
        if -promise <= gains[chosen[-1]]:
            break
        if not waiting[cell]:
            continue
        chosen.pop()
        explored[waiting[cell].pop()] = -promise
        visits[cell] += 1
        heapq.heappush(heap, (-_promise(visits[cell], paid[cell]) * batch[cell], cell))
    return explored


def _unvisited(pages: PageColumns, waiting: dict[int, list[int]], visits: Floats) -> list[int]:
    """Cells of which no page was ever revisited, the one nearest to the start page first."""
    depth = {
        cell: int(pages.depth[rows].min()) for cell, rows in waiting.items() if not visits[cell]
    }
    return sorted(depth, key=lambda cell: (depth[cell], cell))


def groups_of(pages: PageColumns) -> Ints:
    """Pages of one template, with and without targets, old and new ones."""
    numbers = (pages.template * 2 + (pages.targets_listed > 0)) * 2 + (pages.freshness > 0)
    group: Ints = np.unique(numbers, return_inverse=True)[1]
    return group


def _promise(visits: float, paid: float) -> float:
    shape = paid + 0.5
    return LEARNING * TONIGHT * (shape + OPTIMISM * math.sqrt(shape)) / (visits + 2.0)


def _visits(pages: PageColumns, cell: Ints) -> tuple[Floats, Floats]:
    """Revisits of each cell, and those that found new targets."""
    used = pages.log["outcome"] != Outcome.NEW
    of = cell[pages.log_row[used]]
    size = int(cell.max(initial=-1)) + 1
    paid = (pages.log["targets"][used] > 0).astype(np.float64)
    return (
        np.bincount(of, minlength=size).astype(np.float64),
        np.bincount(of, weights=paid, minlength=size).astype(np.float64),
    )


def _pages_by_cell(
    pages: PageColumns, cell: Ints, gains: Floats, taken: set[int]
) -> dict[int, list[int]]:
    """The rows of each cell that can be asked, the best one last."""
    rows = np.flatnonzero(pages.can_ask & (pages.age > 0))
    rows = rows[np.lexsort((pages.age[rows], gains[rows]))]
    waiting: dict[int, list[int]] = {}
    for row, number in zip(rows.tolist(), cell[rows].tolist(), strict=True):
        if row not in taken:
            waiting.setdefault(number, []).append(row)
    return waiting
