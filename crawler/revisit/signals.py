"""Sitemaps and feeds as noisy signals: how far each source is right is learned, never assumed.

After Busa-Fekete et al. 2025: a source has a precision (share of its signals after which the page
had changed) and a recall (share of changes that it signalled). A page with change rate r, not seen
for `age` days, with n signals since then, is unchanged with probability
(1 - precision)^n * e^(-(1 - recall) * r * age).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from crawler.revisit.page_columns import Floats, PageColumns
from crawler.revisit.planner_state import PlannerState, SourceCounts
from crawler.revisit.visit_log import SECONDS_PER_DAY, Outcome

MAX_SOURCES = 50
"""Sources whose counts are kept."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A source says that a known page changed at a time (a lastmod, an entry of a feed)."""

    page_id: int
    source: str
    """The address of the sitemap or feed."""
    at: float


def precision(counts: SourceCounts) -> float:
    """Share of signals that were right; one half for a source that nothing is known of."""
    return (counts.confirmed + 1) / (counts.confirmed + counts.refuted + 2)


def recall(counts: SourceCounts) -> float:
    """Share of changes that were signalled; one half for a source that nothing is known of."""
    return (counts.confirmed + 1) / (counts.confirmed + counts.missed + 2)


def chance_of_change(rate: float, age: float, signalled: Sequence[SourceCounts]) -> float:
    """Chance that a page changed since its last visit, given the sources that signalled it."""
    unchanged = 1.0
    silent = 1.0
    for counts in signalled:
        unchanged *= 1.0 - precision(counts)
        silent *= 1.0 - recall(counts)
    return 1.0 - unchanged * float(np.exp(-silent * max(rate, 0.0) * max(age, 0.0)))


def settle_signals(
    state: PlannerState, pages: PageColumns, signals: Sequence[Signal]
) -> PlannerState:
    """The state with what the visits since the last plan say about the sources.

    A source that had signalled a page is confirmed when the visit showed a change, else refuted; a
    source that lists the page and had said nothing missed the change.
    """
    if state.last_night is None or not signals:
        return state
    counts = {known.source: known for known in state.sources}
    visited = _last_visits(pages, state.last_night)
    for signal in signals:
        visit = visited.get(signal.page_id)
        if visit is None or signal.at > visit.at:
            continue
        known = counts.get(signal.source, SourceCounts(signal.source))
        counts[signal.source] = _after_visit(known, visit, signalled=signal.at > visit.before)
    kept = sorted(counts.values(), key=lambda known: -(known.confirmed + known.refuted))
    return replace(state, sources=tuple(kept[:MAX_SOURCES]))


def _after_visit(known: SourceCounts, visit: "_LastVisit", *, signalled: bool) -> SourceCounts:
    if signalled and visit.changed:
        return replace(known, confirmed=known.confirmed + 1)
    if signalled:
        return replace(known, refuted=known.refuted + 1)
    if visit.changed:
        return replace(known, missed=known.missed + 1)
    return known


@dataclass(frozen=True, slots=True)
class _LastVisit:
    at: float
    before: float
    """Time of the visit before it."""
    changed: bool


def _last_visits(pages: PageColumns, since: float) -> dict[int, _LastVisit]:
    rows = np.flatnonzero(np.diff(pages.log_start))
    last = pages.log[pages.log_start[rows + 1] - 1]
    recent = (last["at"] >= since) & (last["outcome"] != Outcome.NEW)
    return {
        page_id: _LastVisit(at, at - gap * SECONDS_PER_DAY, outcome != Outcome.UNCHANGED)
        for page_id, (at, gap, outcome, _, _) in zip(
            pages.ids[rows[recent]].tolist(), last[recent].tolist(), strict=True
        )
    }


def chances_of_change(
    pages: PageColumns, rates: Floats, signals: Sequence[Signal], state: PlannerState
) -> dict[int, float]:
    """Chance that each signalled page changed, by its row; pages without a signal are left out."""
    counts = {known.source: known for known in state.sources}
    row_of = {page_id: row for row, page_id in enumerate(pages.ids.tolist())} if signals else {}
    pending: dict[int, list[SourceCounts]] = {}
    for signal in signals:
        row = row_of.get(signal.page_id)
        if row is None or signal.at <= pages.now - pages.age[row] * SECONDS_PER_DAY:
            continue
        source = counts.get(signal.source, SourceCounts(signal.source))
        pending.setdefault(row, []).append(source)
    return {
        row: chance_of_change(float(rates[row]), float(pages.age[row]), sources)
        for row, sources in pending.items()
    }
