"""What a revisit strategy gets and gives."""

from dataclasses import dataclass
from typing import Protocol

from crawler.config.revisit import RevisitConfig
from crawler.revisit.night_plan import PageReason
from crawler.revisit.page_columns import PageColumns
from crawler.revisit.planner_state import PlannerState
from crawler.revisit.signals import Signal


@dataclass(frozen=True, slots=True)
class Night:
    """All that a choice may depend on."""

    pages: PageColumns
    config: RevisitConfig
    now: float
    budget: int
    """Known pages that may be visited."""
    state: PlannerState
    signals: tuple[Signal, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """A row of the columns, with the rule that chose it."""

    row: int
    reason: PageReason
    score: float


@dataclass(frozen=True, slots=True)
class Selection:
    """The pages of a night in their order, and what the strategy learned."""

    choices: list[Choice]
    state: PlannerState


class Strategy(Protocol):
    """A way to choose the known pages of a night."""

    def choose(self, night: Night) -> Selection:
        """At most `night.budget` pages that can be asked, the most promising first.

        `tallyho` adds the visits of its sweep.
        """
        ...
