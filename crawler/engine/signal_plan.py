"""Which sitemaps and feeds a night reads before its pages are planned."""

from collections.abc import Iterable
from enum import StrEnum

from crawler.revisit.page_history import PageHistory
from crawler.revisit.visit_log import SECONDS_PER_DAY, Outcome, gap_in_days
from crawler.state.history_records import SourceRow

MAX_SIGNALS = 20
"""Sitemaps and feeds that one night reads."""
MAX_INTERVAL_DAYS = 3.0
"""The longest time between two readings of one that answers: an answer 304 costs little."""

_PATIENT_NIGHTS = 3
_DAYS_WHEN_MISSING = 30.0


class SignalReason(StrEnum):
    """Why a sitemap or feed is read."""

    ROBOTS = "named in robots.txt"
    USUAL_PLACE = "usual place"
    """/sitemap.xml, asked for once where nothing names a sitemap."""
    DUE = "due"
    """It named new URLs or dates lately, or was not read for a while."""
    INDEX = "named by an index"
    """An index of sitemaps says that it is new or changed."""
    MOVED = "moved"
    """Another sitemap redirects to it."""


def due_sources(
    sources: Iterable[tuple[SourceRow, PageHistory | None]], now: float
) -> list[SourceRow]:
    """The sitemaps and feeds that are due: those that an index calls changed, then by yield."""
    ranked: list[tuple[bool, float, int, SourceRow]] = []
    for source, history in sources:
        if history is None or not history.visit_count:
            signalled, mean = True, 0.0
        else:
            signalled = source.changed_at > (history.last_visit or 0.0)
            mean = (history.new_targets + history.targets_listed) / history.visit_count
            if not signalled and not _is_due(history, now):
                continue
        ranked.append((not signalled, -mean, source.link, source))
    return [source for _, _, _, source in sorted(ranked, key=lambda one: one[:3])[:MAX_SIGNALS]]


def _is_due(history: PageHistory, now: float) -> bool:
    if all(visit.outcome is Outcome.GONE for visit in history.log):
        return False  # it never was there
    last = max(history.last_visit or 0.0, history.last_try or 0.0)
    if last > now + SECONDS_PER_DAY:
        return True  # the clock was set back since
    quiet = 0
    for visit in reversed(history.log):
        if visit.outcome is not Outcome.UNCHANGED:
            break
        quiet += 1
    interval = min(2.0 ** max(quiet - _PATIENT_NIGHTS, 0), MAX_INTERVAL_DAYS)
    if history.missing >= 2:
        interval = _DAYS_WHEN_MISSING
    elif history.failures:
        interval = min(2.0 ** (history.failures - 1), _DAYS_WHEN_MISSING)
    # Half a day of tolerance: nights do not start at the same minute.
    return gap_in_days(last, now) >= interval - 0.5
