"""Whether a site suddenly gives much less than it used to.

A site that was redesigned answers every request and has no files any more: nothing fails, and
nobody would notice. So each night is compared with the site's own past, like with like: a crawl
that came to its end by all the files that it found, one that goes on by its files per request.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from crawler.catalog.read.run_history import PastRun
from crawler.state.stop import StopReason

NIGHTS = 5
"""How many nights of the past are looked at."""
LEAST_NIGHTS = 3
"""So many are needed before a mere drop counts; to fall to zero, one is enough."""
COLLAPSED = 0.2
"""Under this part of the median."""
LEAST_REQUESTS = 100
"""Of a night that goes on: fewer requests say nothing about the yield."""
LEAST_FILES = 5
"""A site that had fewer files may well have one of five today."""


class Collapse(StrEnum):
    """How a yield can be gone."""

    FELL = "yield_fell"
    ZERO = "yield_zero"


@dataclass(frozen=True, slots=True)
class YieldAlarm:
    """What a night gave, and what was to be expected."""

    collapse: Collapse
    found: float
    usual: float
    unit: str

    @property
    def sentence(self) -> str:
        """For a person."""
        if self.collapse is Collapse.ZERO:
            return f"no files any more, where {self.usual:,.4g} {self.unit} were usual"
        return f"{self.found:,.4g} {self.unit}, where {self.usual:,.4g} were usual"


def judge_yield(runs: Sequence[PastRun]) -> YieldAlarm | None:
    """Judges the newest of a site's runs, which come with the newest first."""
    if not runs or runs[0].ended_at is None:
        return None
    if _is_complete(runs[0]):
        whole = list(_acquisitions(runs))
        return _judge([float(files) for files in whole], LEAST_FILES, "files")
    rates = [1000 * run.targets / run.requests for run in runs if _tells_a_rate(run)]
    if not _tells_a_rate(runs[0]):
        return None
    return _judge(rates, 0, "files per 1,000 requests")


def _judge(values: Sequence[float], least: float, unit: str) -> YieldAlarm | None:
    found, past = values[0], values[1 : 1 + NIGHTS]
    if not past:
        return None
    usual = median(past)
    if not found and min(past) > 0 and usual >= least:
        return YieldAlarm(Collapse.ZERO, found, usual, unit)
    if len(past) >= LEAST_NIGHTS and usual >= least and found < COLLAPSED * usual:
        return YieldAlarm(Collapse.FELL, found, usual, unit)
    return None


def _acquisitions(runs: Sequence[PastRun]) -> Iterator[int]:
    """The files of every crawl that came to its end, over all its runs; the newest first."""
    files: int | None = None
    for run in runs:
        if _is_complete(run):
            if files is not None:
                yield files
            files = 0
        if files is not None:
            files += run.targets
    if files is not None:
        yield files


def _is_complete(run: PastRun) -> bool:
    return run.stop_reason in set(StopReason) and StopReason(run.stop_reason).complete


def _tells_a_rate(run: PastRun) -> bool:
    return not _is_complete(run) and run.requests >= LEAST_REQUESTS
