"""The budget of one run: requests, bytes and minutes."""

from collections.abc import Callable
from dataclasses import dataclass

from crawler.config.limits import Budget
from crawler.state.stop import StopReason
from crawler.state.totals import Totals


@dataclass(frozen=True, slots=True)
class RunSoFar:
    """A run that resumes after a pause: where it started, and the minutes it has worked since."""

    start: Totals
    minutes: float = 0.0


class BudgetWatch:
    """Says when a run has spent what it may; what earlier runs spent does not count."""

    def __init__(
        self,
        budget: Budget,
        start: Totals,
        monotonic: Callable[[], float],
        minutes_before: float = 0.0,
    ) -> None:
        self.budget = budget
        self.start = start.copy()
        self._minutes_before = minutes_before
        self._monotonic = monotonic
        self._started = monotonic()

    @property
    def minutes(self) -> float:
        """Minutes of work since the run began."""
        return self._minutes_before + (self._monotonic() - self._started) / 60

    def requests_left(self, totals: Totals) -> int:
        """Requests that the run may still make."""
        return self.budget.requests - (totals.requests - self.start.requests)

    def over(self, totals: Totals, wait: float) -> StopReason | None:
        """The part that is spent, also when the next request would have to wait for too long."""
        if self.requests_left(totals) <= 0:
            return StopReason.BUDGET_REQUESTS
        limit = self.budget.bytes
        if limit is not None and totals.received - self.start.received >= limit:
            return StopReason.BUDGET_BYTES
        if self.minutes + wait / 60 >= self.budget.minutes:
            return StopReason.BUDGET_MINUTES
        return None
