"""Takedowns: the bytes of a file go, the fact that it was there stays."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, bindparam, select, text, update
from sqlmodel import Session

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import DIFFERENCE, RESOURCE, VERDICT, VERSION
from crawler.catalog.db.texts import plain
from crawler.catalog.search.documents import update_document
from crawler.catalog.sql.file_tables import forget_readings
from crawler.storage.interface import ObjectStore

NEEDED = (
    select(VERSION.c.id)
    .where(VERSION.c.sha256 == bindparam("sha256"), VERSION.c.blob_removed_at.is_(None))
    .limit(1)
)
"""A version that has the bytes of a hash and has not let them go."""


@dataclass(frozen=True, slots=True)
class Discarded:
    """What became of blobs that some versions need no more."""

    deleted: int
    shared: int
    """Still there, as a version of another file has the same bytes."""


@dataclass(frozen=True, slots=True)
class Removal:
    """What a takedown did."""

    resource_id: int
    versions: int
    blobs: Discarded


def remove(
    database: Database,
    store: ObjectStore,
    resource_id: int,
    reason: str,
    *,
    at: datetime | None = None,
) -> Removal:
    """Takes a file down: no search finds it any more, and no crawl brings it back.

    LookupError when there is no such file. Once more finishes what a crash left undone.
    """
    at = at or datetime.now(UTC)
    with database.transaction() as session:
        connection = session.connection()
        query = select(RESOURCE).where(RESOURCE.c.id == resource_id).with_for_update()
        file = connection.execute(query).one_or_none()
        if file is None:
            raise LookupError(f"the catalog has no file {resource_id}")
        if file.removed_at is None:
            values = {"removed_at": at, "removal_reason": plain(reason, 2000)}
            connection.execute(update(RESOURCE).where(RESOURCE.c.id == resource_id).values(values))
        mark_removed(session, VERSION.c.resource_id == resource_id, at)
        hashes = connection.execute(
            select(VERSION.c.sha256).where(VERSION.c.resource_id == resource_id)
        ).scalars()
        versions = list(hashes)
        _forget_contents(session, resource_id)
        update_document(session, file.dataset_id)
    # First the mark, then the bytes: a crash between leaves an orphan, never a missing blob.
    return Removal(resource_id, len(versions), discard_blobs(database, store, versions))


def _forget_contents(session: Session, resource_id: int) -> None:
    """Keeps the verdicts, but nothing of what they say about its contents."""
    mine = select(VERSION.c.id).where(VERSION.c.resource_id == resource_id)
    session.connection().execute(
        update(VERDICT)
        .where(VERDICT.c.version_id.in_(mine))
        .values(profile={}, column_names=[], checks=[], reasons=[], data_docs="")
    )
    session.connection().execute(
        update(DIFFERENCE).where(DIFFERENCE.c.version_id.in_(mine)).values(change_summary="")
    )


def mark_removed(session: Session, which: ColumnElement[bool], at: datetime) -> None:
    """Marks the bytes of versions as gone."""
    session.connection().execute(
        update(VERSION).where(which, VERSION.c.blob_removed_at.is_(None)).values(blob_removed_at=at)
    )


def discard_blobs(database: Database, store: ObjectStore, hashes: Iterable[str]) -> Discarded:
    """Deletes the blobs that no version needs any more.

    No file can be ingested between the look and the deletion; one whose bytes were found in the
    store before it, and is ingested after it, has to look whether they are still there.
    """
    deleted = shared = 0
    for sha256 in sorted(set(hashes)):
        with database.transaction() as session:
            if not database.is_sqlite:
                session.connection().execute(text("LOCK TABLE version IN SHARE MODE"))
            if session.connection().execute(NEEDED, {"sha256": sha256}).first() is not None:
                shared += 1
                continue
            store.delete(sha256)
            forget_readings(store, sha256)
            deleted += 1
    return Discarded(deleted, shared)
