"""How a history changes after a visit: pure functions, used by the engine and the simulation alike.

The order of a night, per known page: `observe_page` when its answer is in, then `credit_targets` as
often as targets turn up on new pages that were found on it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from crawler.revisit.fingerprints import FINGERPRINT, merge, pack, unpack
from crawler.revisit.page_history import (
    MAX_DATES,
    MAX_RECENT_LINKS,
    FileHistory,
    PageHistory,
    Validators,
)
from crawler.revisit.visit_log import (
    MAX_COUNT,
    VISIT,
    Outcome,
    Visit,
    append_check,
    append_visit,
    gap_in_days,
)

NIGHTS_UNTIL_GONE = 2
"""A file that is missing on this many nights in a row is gone."""

TURNED_OVER_DAYS = 1.0
"""Days that a visit to a list counts as whose newest item of the visit before dropped out."""

_SAME_NIGHT_DAYS = 0.25
"""Two answers 404 within this time are one night's."""


@dataclass(frozen=True, slots=True)
class PageSeen:
    """What one visit to a page showed."""

    at: float
    outcome: Outcome
    outlinks: Collection[int] | None = None
    """Fingerprints of all its links to pages and targets, in their order on the page; None where
    they were not read (304, the same bytes, gone)."""
    new_links: int = 0
    """Links that were not known to the crawl before this visit."""
    new_targets: Collection[int] = ()
    """Fingerprints of those among them that turned out to be targets so far."""
    known_targets: Collection[int] = ()
    """Fingerprints of its links to targets that were known before."""
    items: int = 0
    """Items that the page lists at a time; 0 where unknown."""
    dates: Sequence[int] = ()
    """Dates of its items as days since 1970."""


def observe_page(page: PageHistory, seen: PageSeen) -> PageHistory:
    """The history of a page after a visit that was answered."""
    gap = gap_in_days(page.last_visit, seen.at) if page.last_visit is not None else 0.0
    if _turned_over(page, seen.outlinks):
        gap = min(gap, TURNED_OVER_DAYS)
    targets = len(seen.new_targets)
    visit = Visit(seen.at, gap, seen.outcome, seen.new_links, targets)
    is_first = seen.outcome is Outcome.NEW
    linked = [*seen.new_targets, *seen.known_targets]
    changed = replace(
        page,
        visits=append_visit(page.visits, visit),
        last_visit=seen.at,
        last_try=seen.at,
        failures=0,
        missing=page.missing + 1 if seen.outcome is Outcome.GONE else 0,
        visit_count=page.visit_count + 1,
        observed_days=page.observed_days + gap,
        new_targets=page.new_targets + (0 if is_first else targets),
        targets_listed=page.targets_listed + (len(linked) if is_first else 0),
        target_links=merge(page.target_links, pack(linked)),
    )
    if seen.outlinks is None:
        return changed
    return replace(
        changed,
        outlinks=pack(seen.outlinks),
        recent_links=_recent_links(page, seen.outlinks, is_first=is_first),
        items=max(page.items, seen.items),
        # Lists shift: older items that come to stand here later are no news of this page.
        dates=page.dates or _newest(seen.dates),
    )


def credit_targets(page: PageHistory, targets: Collection[int]) -> PageHistory:
    """The history of a page when targets turned up behind links that its last visit found."""
    if not targets or not page.visits:
        return page
    log = np.frombuffer(page.visits, VISIT).copy()
    counted = int(log["targets"][-1]) + len(targets)
    log["targets"][-1] = min(counted, MAX_COUNT)
    is_first = log["outcome"][-1] == Outcome.NEW
    return replace(
        page,
        visits=log.tobytes(),
        target_links=merge(page.target_links, pack(targets)),
        new_targets=page.new_targets + (0 if is_first else len(targets)),
        targets_listed=page.targets_listed + (len(targets) if is_first else 0),
    )


def observe_page_failure(page: PageHistory, at: float) -> PageHistory:
    """The history of a page that did not answer: nothing is learned about its changes."""
    return replace(page, last_try=at, failures=page.failures + 1)


def _recent_links(page: PageHistory, outlinks: Collection[int], *, is_first: bool) -> bytes:
    """The links that appeared on the page last; after the first visit nobody can say which."""
    if is_first or not page.outlinks:
        return page.recent_links
    before = unpack(page.outlinks)
    # A bounded set knows nothing of links above its largest fingerprint.
    known_up_to = int(before[-1])
    old = set(before.tolist()) | set(unpack(page.recent_links).tolist())
    appeared = [link for link in outlinks if link not in old and link <= known_up_to]
    kept = np.array([*unpack(page.recent_links).tolist(), *appeared], dtype=FINGERPRINT)
    return kept[-MAX_RECENT_LINKS:].tobytes()


def _turned_over(page: PageHistory, outlinks: Collection[int] | None) -> bool:
    """Whether the newest link of a list has dropped out: what else came and went was not seen."""
    recent = unpack(page.recent_links)
    return outlinks is not None and len(recent) > 0 and int(recent[-1]) not in set(outlinks)


def _newest(dates: Sequence[int]) -> bytes:
    return np.array(sorted(set(dates))[-MAX_DATES:], dtype="<i4").tobytes()


@dataclass(frozen=True, slots=True)
class FileSeen:
    """What one check of a file showed."""

    at: float
    outcome: Outcome
    is_proven: bool = True
    """Whether the bytes or a validator said so; False where only the length was compared."""
    size: int | None = None
    validators: Validators | None = None


def observe_file(file: FileHistory, seen: FileSeen) -> FileHistory:
    """The history of a file after a check that was answered."""
    before = file.last_check if file.last_check is not None else file.first_seen
    missing, gone = _missing_after(file, seen)
    visit = Visit(seen.at, gap_in_days(before, seen.at), seen.outcome)
    return replace(
        file,
        checks=append_check(file.checks, visit),
        last_check=seen.at,
        last_try=seen.at,
        failures=0,
        missing=missing,
        gone=gone,
        unlinked=False,
        size=file.size if seen.size is None else seen.size,
        validators=file.validators if seen.validators is None else seen.validators,
        unproven=0 if seen.is_proven else file.unproven + 1,
    )


def _missing_after(file: FileHistory, seen: FileSeen) -> tuple[int, bool]:
    if seen.outcome is not Outcome.GONE:
        return 0, False
    same_night = (
        file.missing > 0
        and file.last_check is not None
        and gap_in_days(file.last_check, seen.at) < _SAME_NIGHT_DAYS
    )
    missing = file.missing if same_night else file.missing + 1
    return missing, file.gone or missing >= NIGHTS_UNTIL_GONE


def observe_file_failure(file: FileHistory, at: float) -> FileHistory:
    """The history of a file that did not answer: nothing is learned about its changes."""
    return replace(file, last_try=at, failures=file.failures + 1)
