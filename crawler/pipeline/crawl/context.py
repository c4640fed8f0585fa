"""What one run of a crawl works with, and which run it is."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from crawler.catalog.write.heartbeat import Heartbeat
from crawler.catalog.write.lease import LeaseHeld
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.pipeline.crawl.outage import OutageRetry
from crawler.pipeline.crawl.snapshots import Snapshots
from crawler.pipeline.crawl.watch import Watch
from crawler.pipeline.services import Services
from crawler.state.crawl_state import CrawlState


@dataclass(frozen=True, slots=True)
class CrawlContext:
    """A site that is held, with everything that its crawl reads and writes."""

    site: SiteConfig
    """With the strategy and the seed that the crawl was started with."""
    settings: Settings
    services: Services
    state: CrawlState
    lease: LeaseHeld
    heartbeat: Heartbeat
    snapshots: Snapshots | None
    """None where no other machine shares store and catalog."""
    retry: OutageRetry
    watch: Watch
    wall_clock: Callable[[], float] = time.time
    """The only clock that is asked for the time of day."""

    def now(self) -> datetime:
        """The time of day."""
        return datetime.fromtimestamp(self.wall_clock(), UTC)


@dataclass(frozen=True, slots=True)
class RunPlan:
    """Which run this is, and how long this process works on it."""

    run_id: str = ""
    """The run that the state knows under this id is resumed with the rest of its budget; without
    an id a new run starts."""
    seconds: float | None = None
    """After this time the process stops between two requests; the run is resumed later."""
    night: str = ""
    """The key of the night that the run belongs to, for the catalog."""


ANY_RUN = RunPlan()
