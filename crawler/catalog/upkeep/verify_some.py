"""A bounded part of the verification: some blobs a night, until all were read, then again."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import VERSION
from crawler.catalog.db.upsert import bookmark, move_bookmark
from crawler.catalog.upkeep.verify import Problem, ProblemKind, hash_of_blob, is_needed
from crawler.storage.interface import ObjectStore

_NAME = "verified blobs"
_PAGE = 200


@dataclass(frozen=True, slots=True)
class PartlyVerified:
    """What was looked at, and what was wrong."""

    blobs: int
    bytes: int
    problems: tuple[Problem, ...]
    whole: bool
    """Whether the end was reached; the next night starts from the first blob."""


def verify_some(
    database: Database,
    store: ObjectStore,
    *,
    max_blobs: int,
    max_bytes: int,
    now: datetime,
    nights: int | None = None,
) -> PartlyVerified:
    """Reads and hashes the blobs after those of the last night, as far as the limits allow.

    With `nights`, at least as many as it takes to have read all of them within that time.
    """
    if nights is not None:
        # Either limit may end a night, so each alone must need half of them at most.
        blobs, size = _stored(database)
        max_blobs = max(max_blobs, -(-2 * blobs // nights))
        max_bytes = max(max_bytes, -(-2 * size // nights))
    with database.reading() as session:
        after = bookmark(session, _NAME)
    blobs = size = 0
    problems: list[Problem] = []
    while True:
        page = _expected(database, after)
        for sha256, expected in page:
            if blobs >= max_blobs or size >= max_bytes:
                _move(database, after, now)
                return PartlyVerified(blobs, size, tuple(problems), whole=False)
            problem = _problem(database, store, sha256, expected)
            if problem is not None:
                problems.append(problem)
            blobs, size, after = blobs + 1, size + expected, sha256
        if len(page) < _PAGE:
            _move(database, "", now)
            return PartlyVerified(blobs, size, tuple(problems), whole=True)
        _move(database, after, now)


def _problem(database: Database, store: ObjectStore, sha256: str, expected: int) -> Problem | None:
    size = store.size(sha256)
    if size is None:
        # A takedown may have come between the catalog's page and this.
        return Problem(ProblemKind.MISSING_BLOB, sha256) if is_needed(database, sha256) else None
    if size != expected:
        detail = f"{size} bytes, the catalog says {expected}"
        return Problem(ProblemKind.WRONG_SIZE, sha256, detail)
    if (actual := hash_of_blob(store, sha256)) != sha256:
        return Problem(ProblemKind.WRONG_HASH, sha256, f"the bytes have {actual}")
    return None


def _expected(database: Database, after: str) -> list[tuple[str, int]]:
    query = (
        select(VERSION.c.sha256, func.max(VERSION.c.size).label("size"))
        .where(VERSION.c.sha256 > after, VERSION.c.blob_removed_at.is_(None))
        .group_by(VERSION.c.sha256)
        .order_by(VERSION.c.sha256)
        .limit(_PAGE)
    )
    with database.reading() as session:
        return [(row.sha256, int(row.size)) for row in session.connection().execute(query)]


def _stored(database: Database) -> tuple[int, int]:
    """How many blobs there are, and how many bytes they have."""
    each = (
        select(func.max(VERSION.c.size).label("size"))
        .where(VERSION.c.blob_removed_at.is_(None))
        .group_by(VERSION.c.sha256)
        .subquery()
    )
    query = select(func.count(), func.sum(each.c.size)).select_from(each)
    with database.reading() as session:
        blobs, size = session.connection().execute(query).one()
    return int(blobs), int(size or 0)


def _move(database: Database, position: str, now: datetime) -> None:
    with database.transaction() as session:
        move_bookmark(session, _NAME, position, now)
