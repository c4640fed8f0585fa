"""Whether a site's yield has collapsed compared with its own past.

A redesigned site may answer every request and have no files any more: nothing fails, and the loss
would go unnoticed. A crawl that completed is compared by its number of files, one that continues
the next night by its files per request.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, median

from crawler.catalog.read.runs import PastRun
from crawler.pipeline.report.wording import stop_reason_of
from crawler.state.run import RunKind

MAX_NIGHTS = 5
"""Past nights that are compared with."""
MIN_NIGHTS = 3
"""Past nights that a drop needs to count; for a fall to zero one is enough."""
REVISITS = 7
"""Revisits that are compared with those before them, together: files come on some weekdays."""
REVISITS_BEFORE = 28
COLLAPSED = 0.2
"""Under this share of the median the yield has collapsed."""
MIN_REQUESTS = 100
"""Of a night that continues: fewer requests say nothing about the yield."""
MIN_FILES = 5
"""Of a complete crawl: on smaller sites a drop is ordinary."""


class Collapse(StrEnum):
    """How a yield can collapse."""

    FELL = "yield_fell"
    ZERO = "yield_zero"


@dataclass(frozen=True, slots=True)
class YieldAlarm:
    """What a night gave, and what was usual."""

    collapse: Collapse
    tonight: float
    usual: float
    unit: str

    @property
    def sentence(self) -> str:
        """For a person."""
        return f"{self.tonight:,.4g} {self.unit}, where {self.usual:,.4g} were usual"


def judge_yield(runs: Sequence[PastRun]) -> YieldAlarm | None:
    """Judges the newest of a site's runs; the newest comes first."""
    if not runs or runs[0].ended_at is None:
        return None
    if runs[0].kind == RunKind.REVISIT:
        return _judge_revisits([run for run in runs if run.kind == RunKind.REVISIT])
    runs = [run for run in runs if run.kind == RunKind.ACQUIRE]
    if is_complete(runs[0]):
        whole = list(_acquisitions(runs))
        return _judge([float(files) for files in whole], MIN_FILES, "files")
    rates = [1000 * run.targets / run.requests for run in runs if _has_a_rate(run)]
    if not _has_a_rate(runs[0]):
        return None
    return _judge(rates, 0, "files per 1,000 requests")


def _judge_revisits(runs: Sequence[PastRun]) -> YieldAlarm | None:
    """A single night without news is ordinary, a week where dozens were usual is not."""
    latest, before = runs[:REVISITS], runs[REVISITS : REVISITS + REVISITS_BEFORE]
    if len(latest) < REVISITS or len(before) < REVISITS:
        return None
    usual = REVISITS * fmean(run.new_versions for run in before)
    recent = sum(run.new_versions for run in latest)
    unit = f"new or changed files in {REVISITS} nights"
    if usual < MIN_FILES:
        return None
    if not recent:
        return YieldAlarm(Collapse.ZERO, recent, usual, unit)
    return YieldAlarm(Collapse.FELL, recent, usual, unit) if recent < COLLAPSED * usual else None


def _judge(values: Sequence[float], minimum: float, unit: str) -> YieldAlarm | None:
    tonight, past = values[0], values[1 : 1 + MAX_NIGHTS]
    if not past:
        return None
    usual = median(past)
    if usual < minimum:
        return None
    if not tonight and min(past) > 0:
        return YieldAlarm(Collapse.ZERO, tonight, usual, unit)
    if len(past) >= MIN_NIGHTS and tonight < COLLAPSED * usual:
        return YieldAlarm(Collapse.FELL, tonight, usual, unit)
    return None


def _acquisitions(runs: Sequence[PastRun]) -> Iterator[int]:
    """The files of every completed crawl, over all its runs; the newest first."""
    files: int | None = None
    for run in runs:
        if is_complete(run):
            if files is not None:
                yield files
            files = 0
        if files is not None:
            files += run.targets
    if files is not None:
        yield files


def is_complete(run: PastRun) -> bool:
    """Whether a run ended because nothing was left to do."""
    reason = stop_reason_of(run.stop_reason)
    return reason is not None and reason.complete


def _has_a_rate(run: PastRun) -> bool:
    return not is_complete(run) and run.requests >= MIN_REQUESTS
