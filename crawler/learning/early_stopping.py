"""Early stopping: the crawl ends when its yield of new targets stays under a floor."""

from dataclasses import dataclass


@dataclass(slots=True)
class YieldMonitor:
    """A smoothed yield of new targets per request, and for how long it has been under the floor.

    It starts at one target per request, so that a site whose data lies deep is not stopped early.
    """

    half_life: float
    """Requests after which an observation counts half."""
    floor: float
    """New targets per request under which a crawl is not worth its requests."""
    patience: int
    """Requests in a row under the floor that end the crawl."""
    smoothed: float = 1.0
    under: int = 0

    def observe(self, requests: int, new_targets: int) -> None:
        """Take in what these requests gave."""
        decay = 0.5 ** (requests / self.half_life)
        rate = new_targets / requests if requests else 0.0
        self.smoothed = decay * self.smoothed + (1 - decay) * rate
        self.under = self.under + requests if self.smoothed < self.floor else 0

    @property
    def exhausted(self) -> bool:
        """Whether the yield has been under the floor for long enough."""
        return self.under >= self.patience
