"""Catalog items as lists show them: a dataset with its files, each in its latest version."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel
from sqlalchemy import ColumnElement, Connection, and_, case, func, select
from sqlmodel import col

from crawler.catalog.db.models import Dataset, Resource, Site, Verdict, Version
from crawler.catalog.search.documents import NOT_VALID, UNCHECKED

MOST_FILES = 50
"""Files listed with a dataset; `file_count` tells how many there are."""

Wanted = tuple[str | None, str | None]
"""Format and verdict that were asked for; a file that has them stands for its dataset."""


@dataclass(frozen=True, slots=True)
class FileItem:
    """A file in its latest version."""

    id: int
    site: str
    url: str
    title: str
    format: str
    bytes: int
    sha256: str
    first_seen: datetime
    last_seen: datetime
    gone_since: datetime | None
    verdict: str | None
    file_name: str
    mime: str
    version: int
    fetched_at: datetime
    rows: int | None
    columns: int | None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return jsonable(asdict(self))


@dataclass(frozen=True, slots=True)
class DatasetItem:
    """A dataset; id, URL, format, size and the like are those of its first file."""

    id: int
    dataset_id: int
    site: str
    url: str
    title: str
    format: str
    bytes: int
    sha256: str
    first_seen: datetime
    last_seen: datetime
    gone_since: datetime | None
    verdict: str | None
    page_url: str
    page_title: str
    language: str
    licence: str
    publisher: str
    published_at: datetime | None
    file_count: int
    files: tuple[FileItem, ...]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return jsonable(asdict(self))


def jsonable(values: dict[str, Any]) -> dict[str, Any]:
    """The same with times as ISO 8601 text and models as mappings, at every depth."""
    return {name: _jsonable(value) for name, value in values.items()}


def load_items(
    connection: Connection, dataset_ids: Sequence[int], *, wanted: Wanted = (None, None)
) -> list[DatasetItem]:
    """The datasets with these ids, in this order; one without files is left out."""
    if not dataset_ids:
        return []
    files: dict[int, list[Any]] = {}
    for row in connection.execute(_files(dataset_ids, wanted)):
        files.setdefault(row.dataset_id, []).append(row)
    datasets = {row.id: row for row in connection.execute(_datasets(dataset_ids))}
    return [
        _item(datasets[key], files[key]) for key in dataset_ids if key in datasets and key in files
    ]


def _datasets(dataset_ids: Sequence[int]) -> Any:
    return (
        select(
            col(Dataset.id),
            col(Site.name).label("site"),
            col(Dataset.title),
            col(Dataset.page_url),
            col(Dataset.page_title),
            col(Dataset.language),
            col(Dataset.licence),
            col(Dataset.publisher),
            col(Dataset.published_at),
            col(Dataset.first_seen),
            col(Dataset.last_seen),
        )
        .join(Site, col(Site.id) == col(Dataset.site_id))
        .where(col(Dataset.id).in_(dataset_ids))
    )


def _files(dataset_ids: Sequence[int], wanted: Wanted) -> Any:
    """Files that were asked for first, then those that are not gone, then by age."""
    order: list[Any] = [
        case((col(Resource.gone_since).is_(None), 0), else_=1),
        col(Resource.id),
    ]
    if conditions := list(_conditions(wanted)):
        order.insert(0, case((and_(*conditions), 0), else_=1))
    ranked = (
        select(
            col(Resource.dataset_id),
            col(Resource.id),
            col(Resource.url),
            col(Resource.title),
            col(Resource.format),
            col(Version.size),
            col(Version.sha256),
            col(Resource.first_seen),
            col(Resource.last_seen),
            col(Resource.gone_since),
            col(Verdict.verdict),
            col(Resource.file_name),
            col(Version.mime_detected),
            col(Version.number),
            col(Version.fetched_at),
            col(Verdict.rows),
            col(Verdict.columns),
            func.row_number()
            .over(partition_by=col(Resource.dataset_id), order_by=order)
            .label("place"),
            func.count().over(partition_by=col(Resource.dataset_id)).label("file_count"),
        )
        .join(Version, col(Version.id) == col(Resource.latest_version_id))
        .outerjoin(Verdict, col(Verdict.version_id) == col(Version.id))
        .where(col(Resource.dataset_id).in_(dataset_ids), col(Resource.removed_at).is_(None))
        .subquery()
    )
    return select(ranked).where(ranked.c.place <= MOST_FILES).order_by(ranked.c.place)


def _conditions(wanted: Wanted) -> Iterable[ColumnElement[bool]]:
    file_format, verdict = wanted
    if file_format is not None:
        yield col(Resource.format) == file_format
    if verdict == NOT_VALID:
        yield col(Verdict.verdict) != "valid"
    elif verdict == UNCHECKED:
        yield col(Verdict.verdict).is_(None)
    elif verdict is not None:
        yield col(Verdict.verdict) == verdict


def _item(dataset: Any, rows: Sequence[Any]) -> DatasetItem:
    files = tuple(_file(dataset.site, row) for row in rows)
    first = files[0]
    return DatasetItem(
        id=first.id,
        dataset_id=dataset.id,
        site=dataset.site,
        url=first.url,
        title=dataset.title,
        format=first.format,
        bytes=first.bytes,
        sha256=first.sha256,
        first_seen=dataset.first_seen,
        last_seen=dataset.last_seen,
        gone_since=first.gone_since,
        verdict=first.verdict,
        page_url=dataset.page_url,
        page_title=dataset.page_title,
        language=dataset.language,
        licence=dataset.licence,
        publisher=dataset.publisher,
        published_at=dataset.published_at,
        file_count=rows[0].file_count,
        files=files,
    )


def _file(site: str, row: Any) -> FileItem:
    return FileItem(
        id=row.id,
        site=site,
        url=row.url,
        title=row.title,
        format=row.format,
        bytes=row.size,
        sha256=row.sha256,
        first_seen=row.first_seen,
        last_seen=row.last_seen,
        gone_since=row.gone_since,
        verdict=row.verdict,
        file_name=row.file_name,
        mime=row.mime_detected,
        version=row.number,
        fetched_at=row.fetched_at,
        rows=row.rows,
        columns=row.columns,
    )


def _jsonable(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, dict):
        return jsonable(value)
    if isinstance(value, list | tuple):
        return [_jsonable(part) for part in value]
    return value
