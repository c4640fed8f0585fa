"""The acquisition of one site, from its lock to its summary."""

import socket
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from crawler.catalog.write.lease import Heartbeat, acquire_lease, release
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.engine.stop import StopReason
from crawler.errors import StorageError
from crawler.pipeline.crawl.crawl_run import ANY_RUN, CrawlRun, RunPlan
from crawler.pipeline.crawl.identity import (
    as_begun,
    check_identity,
    is_of_another_site,
    last_fence,
    set_aside,
)
from crawler.pipeline.crawl.patience import LONGEST_OUTAGE, Patience
from crawler.pipeline.crawl.run_record import read_run
from crawler.pipeline.crawl.snapshots import Snapshots
from crawler.pipeline.crawl.step_watch import StepTooLarge
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.pipeline.crawl.watch import Watch
from crawler.pipeline.services import open_services
from crawler.state.crawl_state import CrawlState
from crawler.state.lock import site_lock
from crawler.strategies.make import require_live

LEAST_FREE_BYTES = 200 * 1000**2
"""A disk with less room than this ends the crawl while its state can still be saved."""


def acquire(
    site: SiteConfig,
    settings: Settings,
    *,
    fresh: bool = False,
    watch: Watch | None = None,
    least_free_bytes: int = LEAST_FREE_BYTES,
    longest_outage: float = LONGEST_OUTAGE,
    plan: RunPlan = ANY_RUN,
) -> CrawlSummary:
    """Crawl a site until it is done, its budget is spent, or somebody asks it to stop.

    A crawl that was interrupted in whatever way goes on where it was, also on another machine that
    shares store and catalog. `fresh` begins again; files that were acquired stay. A run that is
    planned under an id begins again only once, however often it is called.
    """
    require_live(site.strategy)
    watch = watch or Watch()
    patience = Patience(longest_outage, watch.on_tick, watch.stop_requested)
    path = settings.state_path(site.name)
    with site_lock(path.with_suffix(".lock"), site.name), open_services(settings) as services:
        lease = acquire_lease(services.database, site.name, _holder(settings))
        try:
            with Heartbeat(services.database, lease) as heartbeat:
                snapshots = None
                if settings.is_shared:
                    snapshots = Snapshots(services.store, site.name, lease.fence)
                    if plan.run_id or not fresh:
                        snapshots.restore(path, last_fence(path))
                if _begins_again(site, path, plan, fresh=fresh):
                    set_aside(path, settings.manifest_path(site.name))
                with closing(CrawlState(path)) as state:
                    begun = as_begun(site, state, planned=bool(plan.run_id))
                    check_identity(begun, state)
                    state.set_meta({"fence": str(lease.fence)})
                    while True:
                        run = CrawlRun(
                            begun,
                            settings,
                            services,
                            state,
                            lease,
                            heartbeat,
                            snapshots,
                            patience,
                            plan,
                        )
                        try:
                            return run.to_its_end(watch, least_free_bytes)
                        except StepTooLarge:
                            # The run resumes from its last committed step, and skips that URL.
                            plan = replace(plan, run_id=run.run_id)
        finally:
            with suppress(StorageError):  # it ends by itself
                release(services.database, lease)


def _begins_again(site: SiteConfig, path: Path, plan: RunPlan, *, fresh: bool) -> bool:
    if not plan.run_id or not path.exists():
        return fresh
    with closing(CrawlState(path)) as state:
        if is_of_another_site(site, state):
            return True
        run = read_run(state)
        if not state.progress() or (run is not None and run.run_id == plan.run_id):
            return False
        # A plan to go on with what is complete here knows of a newer crawl, lost with its machine.
        complete = run is not None and run.stop_reason is not None and run.stop_reason.complete
        return fresh or complete


def is_complete(settings: Settings, site: SiteConfig) -> bool:
    """Whether the last run of this site left nothing to go on with."""
    path = settings.state_path(site.name)
    if not path.exists():
        return False
    with closing(CrawlState(path)) as state:
        reason = state.meta().get("stop_reason", "")
    return bool(reason) and StopReason(reason).complete


def _holder(settings: Settings) -> str:
    """This home on this machine: after a crash it takes over at once, by its file lock."""
    return f"{socket.gethostname()}:{settings.home}"
