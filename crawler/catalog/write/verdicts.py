"""Verdicts on versions: what is still to be checked, and what validation found out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from sqlalchemy import and_, or_, select
from sqlmodel import Session

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import RESOURCE, SITE, VERDICT, VERSION
from crawler.catalog.db.texts import MAX_TEXT, fit
from crawler.catalog.db.upsert import upsert
from crawler.catalog.read.verdict import profile_of
from crawler.catalog.search.documents import update_documents
from crawler.validation.outcome import Judgement, Outcome, Profile

MAX_COLUMN_NAMES = 1000
"""Names that a version is found by, of all its tables together."""
MAX_COUNT = 2**31 - 1
"""What a database can hold as a count; metadata of a hostile file may claim more."""

_PAGE = 5_000
_AT_ONCE = 500
"""Parameters of one statement; SQLite has a limit."""
_COMPARABLE = (Judgement.VALID.value, Judgement.SUSPECT.value)

_EARLIER = VERSION.alias("earlier")
_EARLIER_VERDICT = VERDICT.alias("earlier_verdict")
_PREVIOUS = (
    select(_EARLIER.c.id)
    .join(_EARLIER_VERDICT, _EARLIER_VERDICT.c.version_id == _EARLIER.c.id)
    .where(
        _EARLIER.c.resource_id == VERSION.c.resource_id,
        _EARLIER.c.number < VERSION.c.number,
        _EARLIER_VERDICT.c.verdict.in_(_COMPARABLE),
    )
    .order_by(_EARLIER.c.number.desc())
    .limit(1)
    .scalar_subquery()
)
_TO_CHECK = (
    select(
        VERSION.c.id.label("version_id"),
        VERSION.c.resource_id,
        VERSION.c.number,
        SITE.c.name.label("site"),
        VERSION.c.sha256,
        VERSION.c.size,
        RESOURCE.c.url,
        VERSION.c.mime_declared,
        _PREVIOUS.label("previous"),
    )
    .join(RESOURCE, RESOURCE.c.id == VERSION.c.resource_id)
    .join(SITE, SITE.c.id == RESOURCE.c.site_id)
    .outerjoin(VERDICT, VERDICT.c.version_id == VERSION.c.id)
    .where(VERSION.c.blob_removed_at.is_(None))
)

_PROFILES = select(VERDICT.c.version_id, VERDICT.c.profile)


@dataclass(frozen=True, slots=True)
class Pending:
    """A version whose bytes are there and that may be checked."""

    version_id: int
    resource_id: int


@dataclass(frozen=True, slots=True)
class VersionToCheck:
    """A version with what the web said it is."""

    version_id: int
    resource_id: int
    number: int
    site: str
    sha256: str
    size: int
    url: str
    mime_declared: str
    previous: Profile | None
    """Of the newest version before it that was a dataset."""


@dataclass(frozen=True, slots=True)
class VerdictRecord:
    """What is written about one version."""

    version_id: int
    outcome: Outcome
    data_docs: str = ""


def pending_versions(
    database: Database, *, site: str | None = None, everything: bool = False
) -> Iterator[Pending]:
    """Versions without a verdict, or all, those of one file together and the oldest first."""
    query = (
        select(VERSION.c.id, VERSION.c.resource_id, VERSION.c.number)
        .join(RESOURCE, RESOURCE.c.id == VERSION.c.resource_id)
        .where(VERSION.c.blob_removed_at.is_(None))
        .order_by(VERSION.c.resource_id, VERSION.c.number)
        .limit(_PAGE)
    )
    if site is not None:
        query = query.join(SITE, SITE.c.id == RESOURCE.c.site_id).where(SITE.c.name == site)
    if not everything:
        query = query.outerjoin(VERDICT, VERDICT.c.version_id == VERSION.c.id).where(
            VERDICT.c.version_id.is_(None)
        )
    resource, number = 0, 0
    while True:
        beyond = or_(
            VERSION.c.resource_id > resource,
            and_(VERSION.c.resource_id == resource, VERSION.c.number > number),
        )
        with database.reading() as session:
            rows = session.connection().execute(query.where(beyond)).all()
        yield from (Pending(row.id, row.resource_id) for row in rows)
        if len(rows) < _PAGE:
            return
        resource, number = rows[-1].resource_id, rows[-1].number


def versions_to_check(
    database: Database, version_ids: Sequence[int], *, again: bool = False
) -> list[VersionToCheck]:
    """These versions in the order of their files and numbers.

    Left out are those without bytes, and those that have a verdict, unless it is to be renewed.
    """
    query = _TO_CHECK if again else _TO_CHECK.where(VERDICT.c.version_id.is_(None))
    to_check: list[VersionToCheck] = []
    with database.reading() as session:
        connection = session.connection()
        for ids in _parts(version_ids):
            rows = connection.execute(query.where(VERSION.c.id.in_(ids))).all()
            before = [row.previous for row in rows if row.previous is not None]
            stored = connection.execute(_PROFILES.where(VERDICT.c.version_id.in_(before)))
            profiles = {row.version_id: profile_of(row.profile) for row in stored}
            to_check += [
                VersionToCheck(
                    **{**row._mapping, "previous": _with_tables(profiles.get(row.previous))}
                )
                for row in rows
            ]
    return sorted(to_check, key=lambda one: (one.resource_id, one.number))


def record_verdicts(database: Database, records: Sequence[VerdictRecord]) -> int:
    """Writes verdicts in one transaction and returns their number; a repeated one counts once.

    The search finds the files by their columns and verdicts from then on. What was taken down in
    the meantime gets no verdict.
    """
    by_id = {record.version_id: record for record in records}
    with database.transaction() as session:
        datasets = _living(session, sorted(by_id))
        # In one order everywhere: two that write at once wait for each other, never in a circle.
        for version_id in datasets:
            _write(session, by_id[version_id], database)
        update_documents(session, sorted(set(datasets.values())))
    return len(datasets)


def column_names(profile: Profile) -> list[str]:
    """The different names of the columns of all tables, as many as a search is to know."""
    names = dict.fromkeys(column.name for table in profile.tables for column in table.columns)
    return [name for name in names if name][:MAX_COLUMN_NAMES]


def _living(session: Session, version_ids: Sequence[int]) -> dict[int, int]:
    """Versions to their datasets, without the files that were taken down."""
    datasets: dict[int, int] = {}
    for ids in _parts(version_ids):
        rows = session.connection().execute(
            select(VERSION.c.id, RESOURCE.c.dataset_id)
            .join(RESOURCE, RESOURCE.c.id == VERSION.c.resource_id)
            .where(VERSION.c.id.in_(ids), RESOURCE.c.removed_at.is_(None))
            .order_by(VERSION.c.id)
        )
        datasets.update((row.id, row.dataset_id) for row in rows)
    return datasets


def _write(session: Session, record: VerdictRecord, database: Database) -> None:
    outcome = record.outcome
    said = _fit(outcome.model_dump(mode="json"))
    values = {
        "verdict": outcome.verdict.value,
        "kind": outcome.kind.value,
        "rows": _counted(outcome.rows),
        "columns": _counted(outcome.columns),
        "column_names": _fit(column_names(outcome.profile)),
        "checks": said["checks"],
        "reasons": said["reasons"],
        "profile": said["profile"],
        "period_start": said["coverage"]["period_start"],
        "period_end": said["coverage"]["period_end"],
        "frequency": said["coverage"]["frequency"] or "",
        "places": said["coverage"]["places"],
        "dimension_values": said["coverage"]["values"],
        "data_docs": record.data_docs,
        "validator": version("tallyho")[:31],
        "decided_at": database.now(session),
    }
    upsert(session, VERDICT, {"version_id": record.version_id}, values)


def _with_tables(profile: Profile | None) -> Profile | None:
    return profile if profile is not None and profile.tables else None


def _counted(number: int | None) -> int | None:
    return None if number is None else min(number, MAX_COUNT)


def _fit(value: Any) -> Any:
    """The same with every text as both databases can keep it and pages can show it."""
    if isinstance(value, str):
        return fit(value, MAX_TEXT)
    if isinstance(value, dict):
        return {name: _fit(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_fit(part) for part in value]
    return value


def _parts(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for begin in range(0, len(ids), _AT_ONCE):
        yield ids[begin : begin + _AT_ONCE]
