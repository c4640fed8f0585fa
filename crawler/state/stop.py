"""Why a crawl stopped: one reason per run."""

from enum import StrEnum


class StopReason(StrEnum):
    """One reason per run."""

    FRONTIER_EMPTY = "frontier_empty"
    """Every link that may be followed was followed."""
    YIELD_EXHAUSTED = "yield_exhausted"
    """Early stopping: nothing more is to be expected."""
    BUDGET_REQUESTS = "budget_requests"
    BUDGET_BYTES = "budget_bytes"
    BUDGET_MINUTES = "budget_minutes"
    DISK_FULL = "disk_full"
    INTERRUPTED = "interrupted"
    SLICE_ENDED = "slice_ended"
    """Not the end of the run: its next slice resumes it."""
    FORBIDDEN = "forbidden"
    """robots.txt does not let us in."""
    UNREACHABLE = "unreachable"
    """The site does not answer, or not any more."""

    @property
    def complete(self) -> bool:
        """Whether the acquisition is over: nothing is left to resume."""
        return self in {StopReason.FRONTIER_EMPTY, StopReason.YIELD_EXHAUSTED}

    @property
    def ends_run(self) -> bool:
        """Whether the run is over: complete, or a budget is spent."""
        return self.complete or self in {
            StopReason.BUDGET_REQUESTS,
            StopReason.BUDGET_BYTES,
            StopReason.BUDGET_MINUTES,
        }
