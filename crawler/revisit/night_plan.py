"""The plan of one night: which known pages and files it looks at, in order, and why."""

from dataclasses import dataclass
from enum import StrEnum

from crawler.revisit.planner_state import PlannerState


class PageReason(StrEnum):
    """The rule that chose a page."""

    IN_TURN = "in turn"
    """It was not visited for the longest time."""
    PAST_YIELD = "past yield"
    """Its latest visits led to new targets, on average."""
    COVER = "cover"
    """It leads to many targets that no page chosen before it leads to."""
    PREDICTED = "predicted"
    """New targets are expected on it tonight."""
    EXPLORING = "exploring"
    """Little is known of it, or of pages alike."""
    LIST_OVERFLOWS = "list overflows"
    """Items would drop out of its list before the next visit."""
    SIGNAL = "signal"
    """A sitemap or feed says that it changed."""
    SWEEP = "sweep"
    """Every page is visited once in `sweep_days`."""


class FileReason(StrEnum):
    """The rule that chose a file."""

    MISSING = "missing"
    """It was missing last time; a second night decides whether it is gone."""
    UNLINKED = "unlinked"
    """A page that linked to it no longer does."""
    CHANGE_RATE = "change rate"
    """Its estimated change rate makes it due."""


class CheckMethod(StrEnum):
    """How a file is asked whether it changed."""

    CONDITIONAL = "conditional"
    """GET with If-None-Match or If-Modified-Since."""
    LENGTH = "length"
    """HEAD, and its Content-Length compared: for servers without validators."""
    FULL = "full"
    """GET, and its bytes compared."""


@dataclass(frozen=True, slots=True)
class PlannedPage:
    """A known page to visit."""

    id: int
    reason: PageReason
    score: float
    """What the rule ranks by: expected new targets for PREDICTED, days for SWEEP and IN_TURN."""


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A known file to check."""

    id: int
    reason: FileReason
    method: CheckMethod
    score: float
    """Share of its interval that has passed for CHANGE_RATE, else days since the last check."""


@dataclass(frozen=True, slots=True)
class NightPlan:
    """Everything known that a night looks at, in the order of its requests."""

    at: float
    strategy: str
    pages: tuple[PlannedPage, ...]
    files: tuple[PlannedFile, ...]
    state: PlannerState
    """To be saved with the plan, and handed to the next night's `plan_night`."""
