"""What a revisit strategy gets and gives."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from crawler.config.revisit import RevisitConfig
from crawler.revisit.night_plan import PageReason
from crawler.revisit.page_columns import Floats, PageColumns
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


def fill_up(
    choices: list[Choice], night: Night, rows: Iterable[int], reason: PageReason, scores: Floats
) -> None:
    """Add pages in this order until the night is full."""
    taken = {choice.row for choice in choices}
    for row in rows:
        if len(choices) >= night.budget:
            break
        if row not in taken:
            choices.append(Choice(row, reason, float(scores[row])))


class Strategy(Protocol):
    """A way to choose the known pages of a night."""

    def choose(self, night: Night) -> Selection:
        """At most `night.budget` pages that can be asked, the most promising first.

        `tallyho` adds the visits of its sweep.
        """
        ...
