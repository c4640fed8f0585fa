"""Files and datasets as they are read: one query for the fields of `File`, used everywhere."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, case, func, literal, select
from sqlalchemy.orm import Session

from crawler.catalog.db.models import DATASET, RESOURCE, SIGHTING, SITE, VERDICT, VERSION
from crawler.catalog.read.record import columns_of
from crawler.catalog.read.records import Dataset, File, FileDetail, SearchHit, Sighting, Version
from crawler.catalog.read.verdict import DATA_DOCS, Verdict
from crawler.catalog.search.documents import NOT_VALID, UNCHECKED

MAX_FILES = 50
"""Files listed with a dataset; `file_count` says how many there are."""
MAX_VERSIONS = 1000
"""Versions listed on a file's page: one a night for almost three years."""
MAX_ID = 2**31 - 1
"""What a database can hold as an id; a greater number names nothing."""

Wanted = tuple[str | None, str | None]
"""Format and verdict that were asked for; a file that has them stands for its dataset."""

_MIME = func.coalesce(func.nullif(VERSION.c.mime_detected, ""), VERSION.c.mime_declared)
_FILE_FIELDS: dict[str, ColumnElement[Any]] = {
    "site": SITE.c.name,
    "version": VERSION.c.number,
    "bytes": VERSION.c.size,
    "mime": _MIME,
    "published_at": func.coalesce(VERSION.c.published_at, DATASET.c.published_at),
}
_ALL_FILES: Select[Any] = (
    select(*columns_of(File, RESOURCE, VERSION, VERDICT, DATASET, named=_FILE_FIELDS))
    .select_from(RESOURCE)
    .join(DATASET, DATASET.c.id == RESOURCE.c.dataset_id)
    .join(SITE, SITE.c.id == RESOURCE.c.site_id)
    .join(VERSION, VERSION.c.id == RESOURCE.c.latest_version_id)
    .outerjoin(VERDICT, VERDICT.c.version_id == VERSION.c.id)
)
FILES = _ALL_FILES.where(RESOURCE.c.removed_at.is_(None))
"""Every file that was not taken down, with the fields of `File` as columns."""

_DETAIL = _ALL_FILES.add_columns(
    DATASET.c.title.label("dataset_title"),
    RESOURCE.c.removed_at,
    RESOURCE.c.removal_reason,
    RESOURCE.c.sightings.label("sightings_total"),
)
_DATASETS = select(*columns_of(Dataset, DATASET, named={"site": SITE.c.name})).join_from(
    DATASET, SITE
)
_VERSION_FIELDS: dict[str, ColumnElement[Any]] = {
    "bytes": VERSION.c.size,
    "change": VERSION.c.size - func.lag(VERSION.c.size).over(order_by=VERSION.c.number),
    "mime": _MIME,
    "available": VERSION.c.blob_removed_at.is_(None),
}
_VERSIONS = (
    select(*columns_of(Version, VERSION, VERDICT, named=_VERSION_FIELDS))
    .outerjoin(VERDICT, VERDICT.c.version_id == VERSION.c.id)
    .order_by(VERSION.c.number.desc())
)
_SIGHTINGS = select(*columns_of(Sighting, SIGHTING, named={})).order_by(
    SIGHTING.c.first_seen, SIGHTING.c.id
)
_DOCS_PAGE = case(
    (VERDICT.c.data_docs == "", ""),
    else_=literal(f"{DATA_DOCS}/") + SITE.c.name + "/" + VERDICT.c.data_docs,
)
_LATEST_VERDICT = (
    select(*columns_of(Verdict, VERDICT, named={"data_docs": _DOCS_PAGE}))
    .join_from(RESOURCE, VERDICT, VERDICT.c.version_id == RESOURCE.c.latest_version_id)
    .join(SITE, SITE.c.id == RESOURCE.c.site_id)
)


def file_detail(session: Session, file_id: int) -> FileDetail | None:
    """The file with this ID; None when there is none. Files that were taken down are shown too."""
    if not 0 < file_id <= MAX_ID:
        return None
    connection = session.connection()
    row = connection.execute(_DETAIL.where(RESOURCE.c.id == file_id)).first()
    if row is None:
        return None
    verdict = connection.execute(_LATEST_VERDICT.where(RESOURCE.c.id == file_id)).first()
    sightings = connection.execute(_SIGHTINGS.where(SIGHTING.c.resource_id == file_id))
    files = _files_of(connection, [row.dataset_id]).get(row.dataset_id, [])
    return FileDetail.of(
        row,
        check=None if verdict is None else Verdict.of(verdict),
        versions=history(session, file_id),
        sightings=[Sighting.of(sighting) for sighting in sightings],
        files=[File.of(file) for file in files],
    )


def history(session: Session, file_id: int, limit: int | None = MAX_VERSIONS) -> list[Version]:
    """The versions of a file, the newest first."""
    if not 0 < file_id <= MAX_ID:
        return []
    query = _VERSIONS.where(VERSION.c.resource_id == file_id).limit(limit)
    return [Version.of(row) for row in session.connection().execute(query)]


def datasets(
    connection: Connection, ids: Sequence[int], *, max_files: int | None = MAX_FILES
) -> list[Dataset]:
    """The datasets with these ids, in this order; one without files is left out."""
    if not ids:
        return []
    files = _files_of(connection, ids, max_files=max_files)
    rows = {row.id: row for row in connection.execute(_DATASETS.where(DATASET.c.id.in_(ids)))}
    return [
        Dataset.of(
            rows[key],
            file_count=files[key][0].file_count,
            files=[File.of(file) for file in files[key]],
        )
        for key in ids
        if key in rows and key in files
    ]


def dataset(session: Session, dataset_id: int) -> Dataset | None:
    """The dataset with this id, all its files with it; None when there is none."""
    if not 0 < dataset_id <= MAX_ID:
        return None
    return next(iter(datasets(session.connection(), [dataset_id], max_files=None)), None)


def hits(
    connection: Connection, dataset_ids: Sequence[int], *, wanted: Wanted = (None, None)
) -> list[SearchHit]:
    """The datasets with these ids, in this order, each by the file that was asked for."""
    if not dataset_ids:
        return []
    files = _files_of(connection, dataset_ids, wanted=wanted)
    return [
        SearchHit.of(files[key][0], files=[File.of(file) for file in files[key]])
        for key in dataset_ids
        if key in files
    ]


def _files_of(
    connection: Connection,
    dataset_ids: Sequence[int],
    *,
    wanted: Wanted = (None, None),
    max_files: int | None = MAX_FILES,
) -> dict[int, list[Row[Any]]]:
    """Files that were asked for first, then those that are not gone, then by age."""
    order: list[Any] = [case((RESOURCE.c.gone_since.is_(None), 0), else_=1), RESOURCE.c.id]
    if conditions := list(_conditions(wanted)):
        order.insert(0, case((and_(*conditions), 0), else_=1))
    one_dataset = RESOURCE.c.dataset_id
    ranked = (
        FILES.add_columns(
            func.row_number().over(partition_by=one_dataset, order_by=order).label("place"),
            func.count().over(partition_by=one_dataset).label("file_count"),
        )
        .where(RESOURCE.c.dataset_id.in_(dataset_ids))
        .subquery()
    )
    query = select(ranked).order_by(ranked.c.place)
    if max_files is not None:
        query = query.where(ranked.c.place <= max_files)
    by_dataset: dict[int, list[Row[Any]]] = {}
    for row in connection.execute(query):
        by_dataset.setdefault(row.dataset_id, []).append(row)
    return by_dataset


def _conditions(wanted: Wanted) -> Iterable[ColumnElement[bool]]:
    file_format, verdict = wanted
    if file_format is not None:
        yield RESOURCE.c.format == file_format
    if verdict == NOT_VALID:
        yield VERDICT.c.verdict != "valid"
    elif verdict == UNCHECKED:
        yield VERDICT.c.verdict.is_(None)
    elif verdict is not None:
        yield VERDICT.c.verdict == verdict
