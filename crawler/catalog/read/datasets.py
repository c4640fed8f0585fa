"""All that is known about one file and its dataset, as pages, API and commands show it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy.orm import Session
from sqlmodel import col

from crawler.catalog.db.models import Dataset, Resource, Sighting, Site, Verdict, Version
from crawler.catalog.read.citation import citation
from crawler.catalog.read.items import FileItem, jsonable, load_items
from crawler.catalog.read.verdict_detail import VerdictDetail, verdict_detail

MOST_VERSIONS = 1000
"""Versions listed on a file's page: one a night for almost three years."""
MOST_SIGHTINGS = 100

LARGEST_ID = 2**31 - 1
"""What a database can hold as an id; a greater number names nothing."""


@dataclass(frozen=True, slots=True)
class VersionDetail:
    """The bytes of a file at one time."""

    number: int
    bytes: int
    change: int | None
    """Bytes more or less than the version before; None for the first."""
    sha256: str
    mime: str
    """As detected, else as declared."""
    etag: str
    last_modified: str
    published_at: datetime | None
    fetched_at: datetime
    run_id: str
    available: bool
    """False when the bytes were removed; that they existed stays known."""
    verdict: str | None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return jsonable(asdict(self))


@dataclass(frozen=True, slots=True)
class SightingDetail:
    """A page that links to the file."""

    page_url: str
    page_title: str
    anchor: str
    tag_path: str
    action: int | None
    first_seen: datetime
    last_seen: datetime


@dataclass(frozen=True, slots=True)
class DatasetDetail:
    """A file with its dataset, versions, verdict and sightings."""

    id: int
    dataset_id: int
    site: str
    url: str
    title: str
    file_name: str
    format: str
    bytes: int | None
    """Of the newest version; None when nothing was ever kept."""
    sha256: str | None
    first_seen: datetime
    last_seen: datetime
    gone_since: datetime | None
    removed_at: datetime | None
    removal_reason: str
    verdict: str | None
    dataset_title: str
    page_url: str
    page_title: str
    language: str
    licence: str
    publisher: str
    published_at: datetime | None
    citation: str
    check: VerdictDetail | None
    versions: tuple[VersionDetail, ...]
    """The newest first."""
    versions_total: int
    sightings: tuple[SightingDetail, ...]
    sightings_total: int
    files: tuple[FileItem, ...]
    """All files of the dataset, this one among them unless it was removed."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return jsonable(asdict(self))


def dataset_of(session: Session, resource_id: int) -> DatasetDetail | None:
    """The file with this id; None when there is none. Removed files are told as removed."""
    if not 0 < resource_id <= LARGEST_ID:
        return None
    connection = session.connection()
    row = connection.execute(_RESOURCE.where(col(Resource.id) == resource_id)).first()
    if row is None:
        return None
    versions = history_of(session, resource_id)
    newest = versions[0] if versions else None
    items = load_items(connection, [row.dataset_id])
    published_at = (newest.published_at if newest else None) or row.published_at
    return DatasetDetail(
        id=row.id,
        dataset_id=row.dataset_id,
        site=row.site,
        url=row.url,
        title=row.title,
        file_name=row.file_name,
        format=row.format,
        bytes=newest.bytes if newest else None,
        sha256=newest.sha256 if newest else None,
        first_seen=row.first_seen,
        last_seen=row.last_seen,
        gone_since=row.gone_since,
        removed_at=row.removed_at,
        removal_reason=row.removal_reason,
        verdict=newest.verdict if newest else None,
        dataset_title=row.dataset_title,
        page_url=row.page_url,
        page_title=row.page_title,
        language=row.language,
        licence=row.licence,
        publisher=row.publisher,
        published_at=published_at,
        citation=citation(
            title=row.title,
            publisher=row.publisher,
            site=row.site,
            url=row.url,
            published_at=published_at,
            fetched_at=newest.fetched_at if newest else None,
            version=newest.number if newest else None,
            sha256=newest.sha256 if newest else None,
        ),
        check=_check(connection, row.latest_version_id),
        versions=tuple(versions),
        versions_total=max(row.versions, len(versions)),
        sightings=tuple(_sightings(connection, resource_id)),
        sightings_total=row.sightings,
        files=items[0].files if items else (),
    )


def history_of(
    session: Session, resource_id: int, most: int = MOST_VERSIONS
) -> list[VersionDetail]:
    """The versions of a file, the newest first."""
    if not 0 < resource_id <= LARGEST_ID:
        return []
    query = (
        _VERSIONS.where(col(Version.resource_id) == resource_id)
        .order_by(col(Version.number).desc())
        .limit(most + 1)
    )
    rows = session.connection().execute(query).all()
    older: Sequence[Any] = [*rows, None][1:]
    return [_version(row, before) for row, before in zip(rows, older, strict=True)][:most]


_RESOURCE: Any = (
    select(
        col(Resource.id),
        col(Resource.dataset_id),
        col(Site.name).label("site"),
        col(Resource.url),
        col(Resource.title),
        col(Resource.file_name),
        col(Resource.format),
        col(Resource.first_seen),
        col(Resource.last_seen),
        col(Resource.gone_since),
        col(Resource.removed_at),
        col(Resource.removal_reason),
        col(Resource.latest_version_id),
        col(Resource.versions),
        col(Resource.sightings),
        col(Dataset.title).label("dataset_title"),
        col(Dataset.page_url),
        col(Dataset.page_title),
        col(Dataset.language),
        col(Dataset.licence),
        col(Dataset.publisher),
        col(Dataset.published_at),
    )
    .join(Dataset, col(Dataset.id) == col(Resource.dataset_id))
    .join(Site, col(Site.id) == col(Resource.site_id))
)
_VERSIONS: Any = select(
    col(Version.number),
    col(Version.sha256),
    col(Version.size),
    col(Version.mime_declared),
    col(Version.mime_detected),
    col(Version.etag),
    col(Version.last_modified),
    col(Version.published_at),
    col(Version.fetched_at),
    col(Version.run_id),
    col(Version.blob_removed_at),
    col(Verdict.verdict),
).outerjoin(Verdict, col(Verdict.version_id) == col(Version.id))


def _version(row: Any, before: Any) -> VersionDetail:
    return VersionDetail(
        number=row.number,
        bytes=row.size,
        change=None if before is None else row.size - before.size,
        sha256=row.sha256,
        mime=row.mime_detected or row.mime_declared,
        etag=row.etag,
        last_modified=row.last_modified,
        published_at=row.published_at,
        fetched_at=row.fetched_at,
        run_id=row.run_id,
        available=row.blob_removed_at is None,
        verdict=row.verdict,
    )


def _check(connection: Connection, version_id: int | None) -> VerdictDetail | None:
    query = select(
        col(Verdict.verdict),
        col(Verdict.kind),
        col(Verdict.rows),
        col(Verdict.columns),
        col(Verdict.column_names),
        col(Verdict.checks),
        col(Verdict.reasons),
        col(Verdict.profile),
        col(Verdict.data_docs),
        col(Verdict.validator),
        col(Verdict.decided_at),
    ).where(col(Verdict.version_id) == version_id)
    row = connection.execute(query).first()
    return verdict_detail(row) if row is not None else None


def _sightings(connection: Connection, resource_id: int) -> list[SightingDetail]:
    query = (
        select(
            col(Sighting.page_url),
            col(Sighting.page_title),
            col(Sighting.anchor),
            col(Sighting.tag_path),
            col(Sighting.action),
            col(Sighting.first_seen),
            col(Sighting.last_seen),
        )
        .where(col(Sighting.resource_id) == resource_id)
        .order_by(col(Sighting.first_seen), col(Sighting.id))
        .limit(MOST_SIGHTINGS)
    )
    return [SightingDetail(**row._mapping) for row in connection.execute(query)]
