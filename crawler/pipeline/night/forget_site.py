"""Forgetting a site: its crawl state, snapshots and allotment go; its files stay unless asked."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import select

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import RESOURCE, SITE
from crawler.catalog.read.runs import known_sites, past_runs
from crawler.catalog.upkeep.removal import remove
from crawler.catalog.write.allotments import forget_allotment
from crawler.catalog.write.forgotten import note_forgotten
from crawler.catalog.write.lease import lease_of
from crawler.catalog.write.runs import close_run
from crawler.config.settings import Settings
from crawler.errors import NotInCatalog
from crawler.pipeline.services import Services, open_services
from crawler.state.lock import site_lock
from crawler.state.stop import StopReason

WHY = "the site was forgotten"


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What went."""

    site: str
    state_files: int
    """Of this machine: the crawl state and the manifest, with the ones before."""
    snapshots: int
    """In the store."""
    files_removed: int
    """Files that were taken down; their records say that they were there."""
    files_kept: int


def forget_site(
    settings: Settings, site: str, now: datetime, *, with_files: bool = False
) -> Forgotten:
    """Forget a site that nobody works on; SiteBusy when somebody does, NotInCatalog without one.

    Killed in between, it is called again.
    """
    path = settings.state_path(site)
    with open_services(settings) as services:
        known = any(other.name == site for other in known_sites(services.database))
        if not known and not path.exists():
            raise NotInCatalog(f"there is no site '{site}'")
        with site_lock(path.with_suffix(".lock"), site):
            if not known:
                return Forgotten(site, _delete_local(settings, site), 0, 0, 0)
            with lease_of(services.database, site, settings.home):
                return _forget(settings, services, site, now, with_files=with_files)


def _forget(
    settings: Settings, services: Services, site: str, now: datetime, *, with_files: bool
) -> Forgotten:
    database = services.database
    files = list(_files(database, site))
    for file in files if with_files else ():
        remove(database, services.store, file, WHY, at=now)
    for run in past_runs(database, site):
        close_run(database, run.id, StopReason.INTERRUPTED.value, WHY, now)
    forget_allotment(database, site)
    snapshots = list(services.store.objects(f"state/{site}/"))
    for key in snapshots:
        services.store.delete_object(key)
    gone = _delete_local(settings, site)
    note_forgotten(database, site, now)
    removed = len(files) if with_files else 0
    return Forgotten(site, gone, len(snapshots), removed, len(files) - removed)


def _files(database: Database, site: str) -> Iterator[int]:
    query = (
        select(RESOURCE.c.id)
        .join_from(RESOURCE, SITE)
        .where(SITE.c.name == site, RESOURCE.c.removed_at.is_(None))
        .order_by(RESOURCE.c.id)
    )
    with database.reading() as session:
        yield from [int(row.id) for row in session.connection().execute(query)]


def _delete_local(settings: Settings, site: str) -> int:
    """Takes away what this machine has of the crawl; the lock stays, as it is held."""
    paths = (settings.state_path(site), settings.manifest_path(site))
    found = [file for path in paths for file in _with_companions(path)]
    for file in found:
        file.unlink()
    return len(found)


def _with_companions(path: Path) -> list[Path]:
    """The file, what SQLite keeps beside it, the mark of a step, and the generation before."""
    names = [path.name, f"{path.stem}.previous{path.suffix}"]
    beside = [f"{name}{part}" for name in names for part in ("", "-wal", "-shm")]
    files = [path.with_name(name) for name in (*beside, f"{path.stem}.step")]
    return [file for file in files if file.is_file()]
