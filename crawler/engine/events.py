"""What happened in a step, for progress displays and logs."""

from dataclasses import dataclass

from crawler.pages.kept_file import KeptFile, Link
from crawler.pages.reasons import SkipReason
from crawler.state.history_records import Evidence, VisitKind, VisitOutcome
from crawler.state.stop import StopReason


@dataclass(frozen=True, slots=True)
class TargetKept:
    """A target is in the store; its whole record goes to state, catalog and manifest."""

    file: KeptFile


@dataclass(frozen=True, slots=True)
class PageRead:
    """A page was read."""

    url: str
    links: int
    new_links: int


@dataclass(frozen=True, slots=True)
class Rewarded:
    """All links of a page are placed; the action that led to it got its reward."""

    url: str
    action: int
    reward: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A URL was asked for in vain, or was not asked for at all."""

    url: str
    reason: SkipReason
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Retrying:
    """The same request will be made again."""

    url: str
    wait: float
    detail: str


@dataclass(frozen=True, slots=True)
class Visited:
    """A visit of the night's plan was made.

    A file that is not where it was is only missing; the catalog counts the nights until it is gone.
    """

    url: str
    kind: VisitKind
    outcome: VisitOutcome
    detected_by: Evidence
    at: float
    new_links: int = 0


@dataclass(frozen=True, slots=True)
class FileLinked:
    """A page links to a known file and did not when it was last read."""

    url: str
    link: Link
    at: float


@dataclass(frozen=True, slots=True)
class Stopped:
    """The crawl is over."""

    reason: StopReason
    detail: str = ""


Event = TargetKept | PageRead | Rewarded | Skipped | Retrying | Visited | FileLinked | Stopped
