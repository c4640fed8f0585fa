"""A lane: one process that crawls the nights that many small sites handed over to it."""

import json
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from crawler.catalog.db.database import Database
from crawler.catalog.write import handovers
from crawler.catalog.write.handovers import Handover
from crawler.config.load import find_site
from crawler.config.settings import Settings
from crawler.errors import ConfigError, SiteBusy, StorageError, TallyhoError
from crawler.pipeline.crawl.slices import crawl_slice
from crawler.pipeline.crawl.watch import Watch
from crawler.pipeline.night.at_once import FILES_PER_SITE, allow_open_files, rarely_collected
from crawler.pipeline.night.night import Night
from crawler.pipeline.night.one_core import one_core
from crawler.pipeline.services import open_services
from crawler.state.stop import StopReason
from crawler.turns import Turns
from crawler.web.pacer import Hosts

SECONDS_BETWEEN_SIGNS = 20.0
"""How often a lane says that it is there."""
BUSY_SECONDS = 60.0
"""A site that another worker holds is tried again after a lease's length."""
_LOOK_AROUND = 1.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LaneReport:
    """What a lane did in its time."""

    done: tuple[str, ...]
    failed: tuple[str, ...]
    left: int
    """Nights that wait for the next slice of the lane."""


@dataclass(slots=True)
class _Lane:
    name: str
    settings: Settings
    database: Database
    end: float
    stop_requested: Callable[[], bool]
    hosts: Hosts = field(default_factory=Hosts)
    turns: Turns = field(default_factory=Turns)
    working: dict[str, threading.Thread] = field(default_factory=dict)
    busy_until: dict[str, float] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def stopping(self) -> bool:
        return self.stop_requested() or time.monotonic() >= self.end

    def crawl(self, claimed: Handover) -> None:
        """One site; whatever happens is written down, and harms no other."""
        try:
            self._crawl(claimed)
        except SiteBusy:
            self.busy_until[claimed.site] = time.monotonic() + BUSY_SECONDS
            handovers.put_back(self.database, claimed)
        except TallyhoError as error:
            self._failed(claimed, error.message, retryable=error.retryable)
        except Exception as error:
            log.exception("%s: the crawl failed", claimed.site)
            self._failed(claimed, f"{type(error).__name__}: {error}", retryable=True)

    def _crawl(self, claimed: Handover) -> None:
        night = Night.from_dict(json.loads(claimed.night))
        site = find_site(claimed.site, self.settings.sites_dir)
        if not site.enabled or night.start_url not in ("", site.start_url):
            raise ConfigError("its site file was changed during the night", site=site.name)
        seconds = max(self.end - time.monotonic(), 0.0)
        watch = Watch(stop_requested=self.stop_requested, hosts=self.hosts, turns=self.turns)
        result = crawl_slice(site, self.settings, night, seconds, watch=watch)
        if not result.done or result.summary.stop_reason is StopReason.INTERRUPTED:
            handovers.put_back(self.database, claimed)
            return
        handovers.end(self.database, claimed, json.dumps(result.summary.counts()))
        self.done.append(claimed.site)

    def _failed(self, claimed: Handover, sentence: str, *, retryable: bool) -> None:
        self.failed.append(claimed.site)
        try:
            handovers.fail(self.database, claimed, sentence, retryable=retryable)
        except StorageError as error:
            # Not written down: the site waits, and crawls by itself when it loses patience.
            log.warning("%s: %s", claimed.site, error)

    def begin(self, limit: int) -> None:
        """Starts as many crawls as there is room for."""
        now = time.monotonic()
        busy = [site for site, until in self.busy_until.items() if until > now]
        without = [*busy, *self.working]
        for claimed in handovers.claim(self.database, self.name, limit, without):
            thread = threading.Thread(
                target=self.crawl, args=(claimed,), name=f"site-{claimed.site}", daemon=True
            )
            self.working[claimed.site] = thread
            thread.start()

    def reap(self) -> None:
        """Forgets the crawls that are over."""
        self.working = {site: thread for site, thread in self.working.items() if thread.is_alive()}


def run_lane(
    settings: Settings,
    name: str,
    *,
    seconds: float,
    at_once: int,
    stop_requested: Callable[[], bool] = lambda: False,
) -> LaneReport:
    """Crawl what was handed over to this lane for so many seconds, or until nothing is left.

    Killed at whatever moment, the next lane goes on with what was in work; the sites' leases keep a
    lane that was thought dead away from them.
    """
    allow_open_files(at_once * FILES_PER_SITE)
    with one_core(), rarely_collected(), open_services(settings) as services:
        database = services.database
        lane = _Lane(name, settings, database, time.monotonic() + seconds, stop_requested)
        handovers.free_claims(database, name)
        left, told_at = 1, 0.0
        while left or lane.working:
            lane.reap()
            try:
                if not lane.stopping() and len(lane.working) < at_once:
                    lane.begin(at_once - len(lane.working))
                if time.monotonic() >= told_at + SECONDS_BETWEEN_SIGNS or not lane.working:
                    left, told_at = handovers.keep_alive(database, name), time.monotonic()
            except StorageError as error:
                # The crawls that run wait for the catalog themselves.
                log.warning("%s", error)
            if lane.stopping() and not lane.working:
                break
            time.sleep(_LOOK_AROUND)
        return LaneReport(tuple(lane.done), tuple(lane.failed), left)
