"""Visits to pages of which little is known: UCB1 over cells of pages alike."""

import heapq
import math

import numpy as np

from crawler.revisit.page_columns import Floats, Ints, PageColumns
from crawler.revisit.rates import Rates
from crawler.revisit.visit_log import Outcome

WIDTH = 1.0
"""Weight of what is not known of a cell against the share of its visits that paid."""


def explore_cells(
    pages: PageColumns, rates: Rates, gains: Floats, budget: int, taken: set[int]
) -> list[int]:
    """The best page of the cell with the highest score, again and again.

    The score of a cell is the share of its visits that found something, plus
    sqrt(2 * ln(all visits) / its visits); a planned visit counts as one.
    """
    visits, paid = _visits(pages, rates.cell)
    total = float(visits.sum()) + 1.0
    waiting = _pages_by_cell(pages, rates.cell, gains, taken)
    heap = [(-_score(visits[cell], paid[cell], total), cell) for cell in waiting]
    heapq.heapify(heap)
    chosen: list[int] = []
    while heap and len(chosen) < budget:
        _, cell = heapq.heappop(heap)
        chosen.append(waiting[cell].pop())
        visits[cell] += 1
        if waiting[cell]:
            heapq.heappush(heap, (-_score(visits[cell], paid[cell], total), cell))
    return chosen


def _score(visits: float, paid: float, total: float) -> float:
    return (paid + 0.5) / (visits + 1.0) + WIDTH * math.sqrt(2 * math.log(total + 1) / (visits + 1))


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
