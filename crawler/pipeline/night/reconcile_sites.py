"""Every site's crawl state compared with catalog and store, on the machine that has the states."""

from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import datetime
from functools import cache, partial

from crawler.catalog.write.ingest import Ingest
from crawler.catalog.write.lease import LeaseHeld, lease_of
from crawler.catalog.write.runs import start_run
from crawler.config.settings import Settings
from crawler.errors import SiteBusy, StateUnreadable
from crawler.pages.kept_file import KeptFile
from crawler.pipeline.crawl.reconcile import Reconciled, reconcile
from crawler.pipeline.services import Services
from crawler.state.crawl_state import CrawlState
from crawler.state.lock import site_lock


def reconcile_sites(
    settings: Settings, services: Services, names: Iterable[str], now: datetime
) -> dict[str, Reconciled]:
    """What was repaired, by site; a site that a run holds repairs itself when it starts."""
    repaired = {}
    for name in names:
        path = settings.state_path(name)
        if not path.exists():
            continue
        try:
            with (
                site_lock(path.with_suffix(".lock"), name),
                lease_of(services.database, name, settings.home) as lease,
                closing(CrawlState(path)) as state,
            ):
                done = reconcile(state, services, name, _recorder(state, services, lease, now))
        except SiteBusy:
            continue
        if done:
            repaired[name] = done
    return repaired


def _recorder(
    state: CrawlState, services: Services, lease: LeaseHeld, now: datetime
) -> Callable[[KeptFile], None]:
    """Records a file under the last run of the state."""
    ingest = cache(partial(_ingest, state, services, lease, now))

    def record(file: KeptFile) -> None:
        ingest().keep(file)

    return record


def _ingest(state: CrawlState, services: Services, lease: LeaseHeld, now: datetime) -> Ingest:
    identity, run = state.identity(), state.run()
    if identity is None or run is None:
        raise StateUnreadable(f"{state.path} has files, but neither a site nor a run")
    start_run(
        services.database,
        run_id=run.run_id,
        site=lease.site,
        start_url=identity.start_url,
        strategy="",
        started_at=run.started_at or now,
        kind=run.kind,
        fence=lease.fence,
    )
    return Ingest(services.database, lease.site, identity.start_url, run.run_id, lease.fence)
