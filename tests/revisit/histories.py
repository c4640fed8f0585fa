"""Short histories for tests, in days instead of seconds."""

from collections.abc import Sequence

from crawler.revisit.observe import FileSeen, PageSeen, observe_file, observe_page
from crawler.revisit.page_history import FileHistory, PageHistory
from crawler.revisit.visit_log import SECONDS_PER_DAY, Outcome

MONDAY = 20_458 * SECONDS_PER_DAY
"""Midnight of Monday 2026-01-05."""


def day(number: float) -> float:
    """The time so many days after that Monday."""
    return MONDAY + number * SECONDS_PER_DAY


def page(
    visits: Sequence[tuple[float, int]] = (),
    *,
    page_id: int = 1,
    template: str = "list",
    first: float = 0,
    listed: int = 0,
    links: Sequence[int] = (),
) -> PageHistory:
    """A page first read on day `first`, then visited on days with so many new targets."""
    seen = PageSeen(day(first), Outcome.NEW, links, new_targets=range(1, listed + 1))
    history = observe_page(PageHistory(page_id, template, day(first)), seen)
    for at, targets in visits:
        outcome = Outcome.CHANGED if targets else Outcome.UNCHANGED
        history = observe_page(
            history, PageSeen(day(at), outcome, new_targets=range(1, targets + 1))
        )
    return history


def file(
    checks: Sequence[tuple[float, Outcome]] = (), *, file_id: int = 1, template: str = "csv"
) -> FileHistory:
    """A file fetched on day 0, then checked."""
    history = FileHistory(file_id, template, day(0))
    for at, outcome in checks:
        history = observe_file(history, FileSeen(day(at), outcome))
    return history
