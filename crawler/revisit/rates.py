"""How often each page leads to new targets: a Poisson rate with a Gamma prior pooled over its make.

With X nights that brought something new in T observed days, its rate is (a + X) / (b + T). The
prior mean a / b is the rate of its cell (pages of one template with about as many targets), drawn
to that of its template, and that to the site's. Before any revisit, the targets that stood on pages
at their first crawl count as a year's publications.
"""

from dataclasses import dataclass

import numpy as np

from crawler.revisit.evidence import Evidence, is_publication
from crawler.revisit.features import FIRST_CRAWL_DAYS
from crawler.revisit.page_columns import FRESH_DAYS, Floats, Ints, PageColumns

PAGE_SHAPE = 0.3
"""a of a page without calendar: small, as pages of one template may publish daily or never."""
CELL_SHAPE = 1.0
"""a of a cell and of a template: one night with news is as much as what stands above it."""
FIRST_BATCH = 3.0
"""Targets that appear together, as long as nothing else is known."""
DATES_OF_BATCH = 4.0
"""Dates count as this many publications at most."""
MAX_BATCH = 10.0
DEPTHS = (1.5, 2.5, 3.5, 6.5)


@dataclass(frozen=True, slots=True)
class Rates:
    """One row per page."""

    prior: Floats
    """Events per day of pages alike: a / b."""
    batch: Floats
    """New targets of one event."""


def rates_of(pages: PageColumns, evidence: Evidence) -> Rates:
    """The prior rates of all pages, from what is known of pages alike, and their batches."""
    size = len(pages)
    events = _summed(evidence.event_row, evidence.event_weight, size)
    days = _summed(evidence.span_row, evidence.observed_days(), size)
    blind = np.maximum(pages.targets_listed, 0.05) / (FIRST_CRAWL_DAYS * FIRST_BATCH)
    prior = _pooled(events, days, blind, cells_of(pages), pages.template)
    return Rates(prior, _batches(pages))


def cells_of(pages: PageColumns) -> Ints:
    """Pages of one template at about the same depth with about as many targets, fresh ones apart.

    News stands at the head of a list: its other sheets, one click deeper each, are other cells.
    """
    many = np.digitize(pages.targets_listed, [0.5, 3.5, 15.5])
    deep = np.digitize(pages.depth, DEPTHS)
    numbers = ((pages.template * (len(DEPTHS) + 1) + deep) * 4 + many) * (
        len(FRESH_DAYS) + 1
    ) + pages.freshness
    cell: Ints = np.unique(numbers, return_inverse=True)[1]
    return cell


def _pooled(events: Floats, days: Floats, blind: Floats, cell: Ints, template: Ints) -> Floats:
    """The prior mean of each page: what the first crawl promised, corrected by all revisits.

    The correction is made for the site, then for each template, then for each cell.
    """
    guess = (_summed(cell, blind) / np.maximum(np.bincount(cell), 1))[cell]
    for group in (np.zeros_like(template), template, cell):
        guess = guess * _correction(_summed(group, events), _summed(group, days * guess))[group]
    return np.clip(guess, 1e-7, 24.0)


def _summed(group: Ints, values: Floats, size: int = 0) -> Floats:
    return np.bincount(group, weights=values, minlength=size).astype(np.float64)


def _correction(events: Floats, expected: Floats) -> Floats:
    """How many times more events there were than expected: (a + X) / (a + expected)."""
    factor: Floats = (CELL_SHAPE + events) / (CELL_SHAPE + expected)
    return factor


def _batches(pages: PageColumns) -> Floats:
    """New targets per publication: the site's, its template's, its own, each drawn to the former.

    Where items have dates, the targets per date that stood there first are a page's own.
    """
    size, template = len(pages), pages.template
    used = is_publication(pages)
    row = pages.log_row[used]
    events = np.bincount(row, minlength=size).astype(np.float64)
    counted = _summed(row, pages.log["targets"][used].astype(np.float64), size)
    dated = np.fromiter(map(len, pages.dates), np.float64, size) / 4
    # Dates of a list of pages say nothing about the targets behind its pages.
    own = np.where(pages.targets_listed > 0, np.minimum(dated, DATES_OF_BATCH), 0.0)
    events += own
    counted += own * np.minimum(pages.targets_listed / np.maximum(dated, 1.0), MAX_BATCH)
    site = (FIRST_BATCH + counted.sum()) / (1.0 + events.sum())
    by_template = (2.0 * site + _summed(template, counted)) / (2.0 + _summed(template, events))
    batches: Floats = (2.0 * by_template[template] + counted) / (2.0 + events)
    return batches
