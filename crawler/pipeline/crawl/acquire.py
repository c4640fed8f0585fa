"""The acquisition of one site, from its lock to its summary."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from crawler.catalog.write.heartbeat import Heartbeat
from crawler.catalog.write.lease import lease_of
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.pipeline.crawl.context import ANY_RUN, CrawlContext, RunPlan
from crawler.pipeline.crawl.crawl_loop import run_crawl
from crawler.pipeline.crawl.identity import (
    as_started,
    check_identity,
    is_of_another_site,
    previous_of,
    set_aside,
)
from crawler.pipeline.crawl.inheritance import inherit
from crawler.pipeline.crawl.metered import metered
from crawler.pipeline.crawl.outage import MAX_OUTAGE, OutageRetry
from crawler.pipeline.crawl.snapshots import Snapshots
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.pipeline.crawl.watch import Watch
from crawler.pipeline.services import open_services
from crawler.state.crawl_state import CrawlState
from crawler.state.lock import site_lock

MIN_FREE_BYTES = 200 * 1000**2
"""A disk with less room than this ends the crawl while its state can still be saved."""


def acquire(
    site: SiteConfig,
    settings: Settings,
    *,
    fresh: bool = False,
    watch: Watch | None = None,
    min_free_bytes: int = MIN_FREE_BYTES,
    max_outage: float = MAX_OUTAGE,
    plan: RunPlan = ANY_RUN,
    wall_clock: Callable[[], float] = time.time,
) -> CrawlSummary:
    """Crawl a site until it is complete, its budget is spent, or it is asked to stop.

    A crawl that was interrupted in whatever way is resumed, also on another machine that shares
    store and catalog. `fresh` starts again; files that were acquired stay. A run that is planned
    under an id starts again only once, however often it is called.
    """
    with crawl_context(
        site,
        settings,
        watch,
        max_outage,
        wall_clock,
        planned=bool(plan.run_id),
        fresh=fresh,
        run_id=plan.run_id,
    ) as context:
        return run_crawl(context, plan, min_free_bytes)


@contextmanager
def crawl_context(
    site: SiteConfig,
    settings: Settings,
    watch: Watch | None,
    max_outage: float,
    wall_clock: Callable[[], float],
    *,
    planned: bool,
    fresh: bool = False,
    run_id: str = "",
) -> Iterator[CrawlContext]:
    """Hold a site and open everything that its crawl reads and writes.

    A `planned` run takes strategy and seed from the state, whatever the site file says now. With a
    `run_id`, the state is set aside when that run starts a new crawl.
    """
    watch = watch or Watch()
    lock = settings.state_path(site.name).with_suffix(".lock")
    with site_lock(lock, site.name), open_services(settings) as services, ExitStack() as held:
        # Before the website: a page without a place to go is asked for in vain. The catalog is
        # asked by the lease, the disks by the loop; both before the first request, too.
        services.store.check()
        lease = held.enter_context(lease_of(services.database, site.name, settings.home))
        heartbeat = held.enter_context(Heartbeat(services.database, lease))
        shared = settings.is_shared
        snapshots = Snapshots(services.store, site.name, lease.fence) if shared else None
        with (
            closing(_open_state(site, settings, run_id, snapshots, fresh=fresh)) as state,
            metered(watch, site.name, heartbeat, snapshots) as watch,
        ):
            as_before = as_started(site, state, planned=planned)
            check_identity(as_before, state)
            yield CrawlContext(
                site=as_before,
                settings=settings,
                services=services,
                state=state,
                lease=lease,
                heartbeat=heartbeat,
                snapshots=snapshots,
                retry=OutageRetry(max_outage, watch.on_tick, watch.stop_requested),
                watch=watch,
                wall_clock=wall_clock,
            )


def _open_state(
    site: SiteConfig,
    settings: Settings,
    run_id: str,
    snapshots: Snapshots | None,
    *,
    fresh: bool,
) -> CrawlState:
    """The state of this machine, a newer snapshot of another machine's, or an empty one."""
    path, manifest = settings.state_path(site.name), settings.manifest_path(site.name)
    if fresh and not run_id:
        # Before it is opened: it may be a file that this version cannot read.
        return _set_aside_and_begin(site, path, manifest)
    state = CrawlState(path)
    try:
        if snapshots is not None and (newer := snapshots.newer_than(state)) is not None:
            state.close()
            snapshots.restore(newer, path)
            state = CrawlState(path)
        if run_id and _starts_again(site, state, run_id, fresh=fresh):
            state.close()
            state = _set_aside_and_begin(site, path, manifest)
    except BaseException:
        state.close()
        raise
    return state


def _set_aside_and_begin(site: SiteConfig, path: Path, manifest: Path) -> CrawlState:
    """A new crawl that knows of the last one what its strategy has learned."""
    set_aside(path, manifest)
    state = CrawlState(path)
    try:
        inherit(state, site, previous_of(path))
    except BaseException:
        state.close()
        raise
    return state


def _starts_again(site: SiteConfig, state: CrawlState, run_id: str, *, fresh: bool) -> bool:
    """Whether a planned run sets aside what the state holds: once, however often it is called."""
    if is_of_another_site(site, state):
        return True
    run = state.run()
    if not state.progress() or (run is not None and run.run_id == run_id):
        return False
    # A plan to resume what is complete here knows of a newer crawl, lost with its machine.
    return fresh or (run is not None and run.complete)


def is_complete(settings: Settings, site: SiteConfig) -> bool:
    """Whether the last run of this site left nothing to resume.

    ConfigError when that run was of another start page: then it says nothing of this one.
    """
    path = settings.state_path(site.name)
    if not path.exists():
        return False
    with closing(CrawlState(path)) as state:
        if is_of_another_site(site, state):
            check_identity(site, state)
        run = state.run()
    return run is not None and run.complete
