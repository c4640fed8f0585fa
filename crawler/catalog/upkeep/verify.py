"""Do catalog and store agree? Both are read side by side in the order of SHA-256.

Memory does not grow with the catalog: of each kind of problem all are counted and the first kept.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, bindparam, case, func, select, text

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import VERSION
from crawler.catalog.upkeep.removal import NEEDED
from crawler.catalog.write.runs import active_runs
from crawler.storage.hashes import hash_of
from crawler.storage.interface import Blob, ObjectStore

MAX_LISTED = 1000
"""Problems of one kind that are listed."""
GRACE = timedelta(hours=1)
"""A blob is in the store before its version is in the catalog; this is how long it may take."""

_PAGE = 2000
_EXPECTED = (
    select(
        VERSION.c.sha256,
        func.min(VERSION.c.size).label("min_size"),
        func.max(VERSION.c.size).label("max_size"),
        func.sum(case((VERSION.c.blob_removed_at.is_(None), 1), else_=0)).label("living"),
    )
    .where(VERSION.c.sha256 > bindparam("after"))
    .group_by(VERSION.c.sha256)
    .order_by(VERSION.c.sha256)
    .limit(_PAGE)
)
_DANGLING = {
    "version without resource": """
        SELECT version.id FROM version LEFT JOIN resource ON resource.id = version.resource_id
        WHERE resource.id IS NULL""",
    "resource without dataset": """
        SELECT resource.id FROM resource LEFT JOIN dataset ON dataset.id = resource.dataset_id
        WHERE dataset.id IS NULL""",
    "resource without latest version": """
        SELECT resource.id FROM resource LEFT JOIN version
        ON version.id = resource.latest_version_id AND version.resource_id = resource.id
        WHERE version.id IS NULL""",
    "sighting without resource": """
        SELECT sighting.id FROM sighting LEFT JOIN resource ON resource.id = sighting.resource_id
        WHERE resource.id IS NULL""",
    "resource with a wrong count of versions": """
        SELECT resource.id FROM resource WHERE resource.versions <> (
            SELECT count(*) FROM version WHERE version.resource_id = resource.id)""",
    "dataset without search document": """
        SELECT dataset.id FROM dataset LEFT JOIN search_document
        ON search_document.dataset_id = dataset.id
        WHERE search_document.dataset_id IS NULL AND EXISTS (
            SELECT 1 FROM resource
            WHERE resource.dataset_id = dataset.id AND resource.removed_at IS NULL)""",
    "verdict without version": """
        SELECT verdict.version_id FROM verdict
        LEFT JOIN version ON version.id = verdict.version_id WHERE version.id IS NULL""",
}

Expected = Row[*tuple[Any, ...]]
"""What the versions with one hash say of its blob: sizes, and how many have not let it go."""


class ProblemKind(StrEnum):
    """What can be wrong between catalog and store."""

    MISSING_BLOB = "missing_blob"
    """A version has no bytes in the store."""
    ORPHAN_BLOB = "orphan_blob"
    """Bytes in the store that no version needs."""
    WRONG_SIZE = "wrong_size"
    WRONG_HASH = "wrong_hash"
    """The bytes are not those that their name says; only looked for by a deep verification."""
    DANGLING_ROW = "dangling_row"
    """A row of the catalog that points to nothing, or says something else than the others."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong."""

    kind: ProblemKind
    what: str
    """The SHA-256 of a blob, or the id of a row."""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Verification:
    """What a verification found."""

    blobs: int
    """Blobs that were compared."""
    counts: dict[ProblemKind, int]
    problems: list[Problem]
    """The first of each kind."""
    spared: int = 0
    """Blobs without a version that a run may just be about to record."""


class _Findings:
    def __init__(self) -> None:
        self.counts: Counter[ProblemKind] = Counter()
        self.problems: list[Problem] = []

    def add(self, kind: ProblemKind, what: str, detail: str = "") -> None:
        self.counts[kind] += 1
        if self.counts[kind] <= MAX_LISTED:
            self.problems.append(Problem(kind, what, detail))


def verify(
    database: Database,
    store: ObjectStore,
    *,
    deep: bool = False,
    spare_young: bool = True,
    now: datetime | None = None,
) -> Verification:
    """Compares catalog and store; `deep` reads every blob and hashes it.

    With `spare_young`, blobs of the last hour are no orphans while a run is active.
    """
    findings = _Findings()
    spare_since = None
    if spare_young and active_runs(database):
        spare_since = (now or datetime.now(UTC)) - GRACE
    blobs = spared = 0
    for expected, blob in _side_by_side(_expected(database), store.blobs()):
        blobs += blob is not None
        if expected is None or not expected.living:
            if blob is None or is_needed(database, blob.sha256):
                continue
            if spare_since and blob.stored_at is not None and blob.stored_at > spare_since:
                spared += 1
                continue
            findings.add(ProblemKind.ORPHAN_BLOB, blob.sha256, f"{blob.size} bytes")
        elif blob is None:
            # Its version may have come, or gone, since the page of the catalog was read.
            if is_needed(database, expected.sha256) and not store.exists(expected.sha256):
                findings.add(ProblemKind.MISSING_BLOB, expected.sha256)
        else:
            _compare(store, expected, blob, findings, deep=deep)
    _find_dangling(database, findings)
    return Verification(blobs, dict(findings.counts), findings.problems, spared)


def _compare(
    store: ObjectStore, expected: Expected, blob: Blob, findings: _Findings, *, deep: bool
) -> None:
    if not expected.min_size == expected.max_size == blob.size:
        sizes = sorted({expected.min_size, expected.max_size})
        detail = f"{blob.size} bytes, the catalog says {' and '.join(map(str, sizes))}"
        findings.add(ProblemKind.WRONG_SIZE, blob.sha256, detail)
    if deep and (actual := hash_of_blob(store, blob.sha256)) != blob.sha256:
        findings.add(ProblemKind.WRONG_HASH, blob.sha256, f"the bytes have {actual}")


def hash_of_blob(store: ObjectStore, sha256: str) -> str:
    """The SHA-256 that the bytes of a blob have in truth."""
    with store.open_unchecked(sha256) as file:
        return hash_of(file)


def _expected(database: Database) -> Iterator[Expected]:
    after = ""
    while True:
        with database.reading() as session:
            rows = session.connection().execute(_EXPECTED, {"after": after}).all()
        yield from rows
        if len(rows) < _PAGE:
            return
        after = rows[-1].sha256


def is_needed(database: Database, sha256: str) -> bool:
    """Whether a version in the catalog has these bytes, and they were not let go."""
    with database.reading() as session:
        return session.connection().execute(NEEDED, {"sha256": sha256}).first() is not None


def _side_by_side(
    expected: Iterator[Expected], blobs: Iterator[Blob]
) -> Iterator[tuple[Expected | None, Blob | None]]:
    """Both sides merged: what stands on one side only comes with None."""
    left, right = next(expected, None), next(blobs, None)
    while left is not None or right is not None:
        if right is None or (left is not None and left.sha256 < right.sha256):
            yield left, None
            left = next(expected, None)
        elif left is None or right.sha256 < left.sha256:
            yield None, right
            right = next(blobs, None)
        else:
            yield left, right
            left, right = next(expected, None), next(blobs, None)


def _find_dangling(database: Database, findings: _Findings) -> None:
    for name, query in _DANGLING.items():
        with database.reading() as session:
            connection = session.connection(execution_options={"yield_per": _PAGE})
            for row in connection.execute(text(query)):
                findings.add(ProblemKind.DANGLING_ROW, str(row[0]), name)
