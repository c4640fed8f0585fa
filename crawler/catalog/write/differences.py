"""What versions changed: which are still to be compared, and what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import and_, func, select

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import DIFFERENCE, RESOURCE, VERSION
from crawler.catalog.db.texts import MAX_TEXT, fit
from crawler.catalog.db.upsert import upsert

_AT_ONCE = 500
_OLD = VERSION.alias("old")


@dataclass(frozen=True, slots=True)
class Bytes:
    """The bytes of a version in the store."""

    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class VersionPair:
    """A version and the newest one before it whose bytes are there."""

    version_id: int
    url: str
    before: int
    """The number of the older one."""
    old: Bytes
    new: Bytes


def pairs_to_compare(database: Database, version_ids: Sequence[int]) -> list[VersionPair]:
    """Those of these versions that have one before them and were not compared with it yet."""
    pairs: list[VersionPair] = []
    newest_before = (
        select(func.max(_OLD.c.number))
        .where(
            _OLD.c.resource_id == VERSION.c.resource_id,
            _OLD.c.number < VERSION.c.number,
            _OLD.c.blob_removed_at.is_(None),
        )
        .scalar_subquery()
    )
    before = VERSION.alias("before")
    query = (
        select(
            VERSION.c.id,
            RESOURCE.c.url,
            VERSION.c.sha256,
            VERSION.c.size,
            before.c.number.label("before"),
            before.c.sha256.label("old_sha256"),
            before.c.size.label("old_size"),
        )
        .join(RESOURCE, RESOURCE.c.id == VERSION.c.resource_id)
        .join(
            before,
            and_(before.c.resource_id == VERSION.c.resource_id, before.c.number == newest_before),
        )
        .outerjoin(DIFFERENCE, DIFFERENCE.c.version_id == VERSION.c.id)
        .where(DIFFERENCE.c.version_id.is_(None), VERSION.c.blob_removed_at.is_(None))
        .order_by(VERSION.c.id)
    )
    with database.reading() as session:
        for start in range(0, len(version_ids), _AT_ONCE):
            some = version_ids[start : start + _AT_ONCE]
            pairs += [
                VersionPair(
                    row.id,
                    row.url,
                    row.before,
                    Bytes(row.old_sha256, row.old_size),
                    Bytes(row.sha256, row.size),
                )
                for row in session.connection().execute(query.where(VERSION.c.id.in_(some)))
            ]
    return pairs


def record_difference(database: Database, pair: VersionPair, summary: str) -> None:
    """Writes what a version changed; a repeated comparison replaces the one before."""
    with database.transaction() as session:
        values = {
            "before": pair.before,
            "change_summary": fit(summary, MAX_TEXT),
            "compared_at": database.now(session),
        }
        upsert(session, DIFFERENCE, {"version_id": pair.version_id}, values)
