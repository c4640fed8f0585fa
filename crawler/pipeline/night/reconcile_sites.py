"""Every site's crawl state compared with catalog and store, on the machine that has the states."""

import socket
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import datetime

from crawler.catalog.write.ingest import Ingest
from crawler.catalog.write.lease import LeaseHeld, acquire_lease, release
from crawler.catalog.write.runs import begin_run
from crawler.config.settings import Settings
from crawler.errors import SiteBusy
from crawler.pipeline.crawl.keeping import kept_file
from crawler.pipeline.crawl.reconcile import Reconciled, reconcile
from crawler.pipeline.services import Services
from crawler.state.crawl_state import CrawlState
from crawler.state.lock import site_lock
from crawler.state.reports import kept_target


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
            with site_lock(path.with_suffix(".lock"), name):
                holder = f"{socket.gethostname()}:{settings.home}"
                lease = acquire_lease(services.database, name, holder)
                try:
                    with closing(CrawlState(path)) as state:
                        done = reconcile(
                            state, services, name, _recorder(state, services, lease, now)
                        )
                finally:
                    release(services.database, lease)
        except SiteBusy:
            continue
        if done:
            repaired[name] = done
    return repaired


def _recorder(
    state: CrawlState, services: Services, lease: LeaseHeld, now: datetime
) -> Callable[[int], None]:
    """Records the target of a link under the run that the state remembers."""
    ingest: Ingest | None = None

    def record(link: int) -> None:
        nonlocal ingest
        if ingest is None:
            meta = state.meta()
            begin_run(
                services.database,
                run_id=meta["run_id"],
                site=lease.site,
                start_url=meta["start_url"],
                strategy="",
                started_at=now,
                fence=lease.fence,
            )
            ingest = Ingest(
                services.database, lease.site, meta["start_url"], meta["run_id"], lease.fence
            )
        target = kept_target(state, link)
        if target is not None:
            ingest.keep(kept_file(target))

    return record
