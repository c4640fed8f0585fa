"""How many versions of a file keep their bytes. The facts about older ones stay."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import select

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import RESOURCE, SITE, VERSION
from crawler.catalog.upkeep.removal import Discarded, discard_blobs, mark_removed
from crawler.storage.interface import ObjectStore

_BATCH = 500


@dataclass(frozen=True, slots=True)
class Retention:
    """A number of versions, or all of them."""

    versions: int | None = None

    def __post_init__(self) -> None:
        if self.versions is not None and self.versions < 1:
            raise ValueError("at least the latest version is kept")

    def __str__(self) -> str:
        return "all" if self.versions is None else str(self.versions)


KEEP_ALL = Retention()


def parse_retention(setting: str | int) -> Retention:
    """The retention of a setting, `all` or a number of versions; ValueError when it is neither."""
    written = str(setting).strip().lower()
    if written == "all":
        return KEEP_ALL
    if not (written.isascii() and written.isdigit() and int(written) > 0):
        raise ValueError(f"retention is 'all' or a number of versions, not {str(setting)[:40]!r}")
    return Retention(int(written))


@dataclass(frozen=True, slots=True)
class Retained:
    """What applying a retention did."""

    versions: int
    """Versions that lost their bytes."""
    blobs: Discarded


def apply_retention(
    database: Database,
    store: ObjectStore,
    retention: Retention,
    *,
    site: str = "",
    at: datetime | None = None,
) -> Retained:
    """Deletes the bytes of versions that are too old, of one site or of all."""
    at = at or datetime.now(UTC)
    versions = deleted = shared = 0
    if retention.versions is None:
        return Retained(0, Discarded(0, 0))
    query = (
        select(VERSION.c.id, VERSION.c.sha256)
        .join_from(VERSION, RESOURCE)
        .where(VERSION.c.blob_removed_at.is_(None))
        .where(VERSION.c.number <= RESOURCE.c.versions - retention.versions)
        .order_by(VERSION.c.id)
        .limit(_BATCH)
    )
    if site:
        query = query.join(SITE, SITE.c.id == RESOURCE.c.site_id).where(SITE.c.name == site)
    while True:
        with database.transaction() as session:
            old = session.connection().execute(query).all()
            if old:
                mark_removed(session, VERSION.c.id.in_([row.id for row in old]), at)
        blobs = discard_blobs(database, store, (row.sha256 for row in old))
        versions += len(old)
        deleted += blobs.deleted
        shared += blobs.shared
        if len(old) < _BATCH:
            return Retained(versions, Discarded(deleted, shared))
