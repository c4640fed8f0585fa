"""How many versions of a file keep their bytes. The facts about older ones stay."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from sqlalchemy import select

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import RESOURCE, SITE, VERSION
from crawler.catalog.upkeep.removal import Discarded, discard_blobs, mark_removed
from crawler.storage.interface import ObjectStore

_BATCH = 500


Retention = int | Literal["all"]
"""How many versions of a file keep their bytes, the latest one at least."""


def parse_retention(written: str) -> Retention:
    """The retention that a person writes; ValueError when it is none."""
    wanted = written.strip().lower()
    if wanted == "all":
        return "all"
    if not (wanted.isascii() and wanted.isdigit() and int(wanted) > 0):
        raise ValueError(f"retention is 'all' or a number of versions, not {written[:40]!r}")
    return int(wanted)


@dataclass(frozen=True, slots=True)
class Retained:
    """What applying a retention did."""

    versions: int
    """Versions that lost their bytes."""
    blobs: Discarded


def apply_retention(
    database: Database, store: ObjectStore, retention: Retention, *, site: str = ""
) -> Retained:
    """Deletes the bytes of versions that are too old, of one site or of all."""
    versions = deleted = shared = 0
    if retention == "all":
        return Retained(0, Discarded(0, 0))
    query = (
        select(VERSION.c.id, VERSION.c.sha256)
        .join_from(VERSION, RESOURCE)
        .where(VERSION.c.blob_removed_at.is_(None))
        .where(VERSION.c.number <= RESOURCE.c.versions - retention)
        .order_by(VERSION.c.id)
        .limit(_BATCH)
    )
    if site:
        query = query.join(SITE, SITE.c.id == RESOURCE.c.site_id).where(SITE.c.name == site)
    while True:
        with database.transaction() as session:
            old = session.connection().execute(query).all()
            if old:
                which = VERSION.c.id.in_([row.id for row in old])
                mark_removed(session, which, datetime.now(UTC))
        blobs = discard_blobs(database, store, (row.sha256 for row in old))
        versions += len(old)
        deleted += blobs.deleted
        shared += blobs.shared
        if len(old) < _BATCH:
            return Retained(versions, Discarded(deleted, shared))
