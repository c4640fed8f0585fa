"""Files and datasets as they are read, of today or as of a time."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, case, func, literal, select
from sqlalchemy.orm import Session

from crawler.catalog.db.models import (
    DATASET,
    DIFFERENCE,
    RESOURCE,
    SIGHTING,
    SITE,
    VERDICT,
    VERSION,
)
from crawler.catalog.read.file_query import CHANGE_SUMMARY, MIME, SAID, all_files
from crawler.catalog.read.file_query import files as files_query
from crawler.catalog.read.record import columns_of
from crawler.catalog.read.records import Dataset, File, FileDetail, SearchHit, Sighting, Version
from crawler.catalog.read.verdict import DATA_DOCS, Verdict
from crawler.catalog.search.tokens import NOT_VALID, UNCHECKED

MAX_FILES = 50
"""Files listed with a dataset; `file_count` says how many there are."""
MAX_VERSIONS = 1000
"""Versions listed on a file's page: one a night for almost three years."""
MAX_ID = 2**31 - 1
"""What a database can hold as an id; a greater number names nothing."""

Wanted = tuple[str | None, str | None]
"""Format and verdict that were asked for; a file that has them stands for its dataset."""

_DETAIL = (
    DATASET.c.title.label("dataset_title"),
    SITE.c.title.label("site_title"),
    RESOURCE.c.removed_at,
    RESOURCE.c.removal_reason,
    RESOURCE.c.sightings.label("sightings_total"),
)
_DATASETS = select(*columns_of(Dataset, DATASET, named={"site": SITE.c.name, **SAID})).join_from(
    DATASET, SITE
)
_VERSION_FIELDS: dict[str, ColumnElement[Any]] = {
    "bytes": VERSION.c.size,
    "change": VERSION.c.size - func.lag(VERSION.c.size).over(order_by=VERSION.c.number),
    "mime": MIME,
    "available": VERSION.c.blob_removed_at.is_(None),
    "change_summary": CHANGE_SUMMARY,
}
_SIGHTINGS = select(*columns_of(Sighting, SIGHTING, named={})).order_by(
    SIGHTING.c.first_seen, SIGHTING.c.id
)
_DOCS_PAGE = case(
    (VERDICT.c.data_docs == "", ""),
    else_=literal(f"{DATA_DOCS}/") + SITE.c.name + "/" + VERDICT.c.data_docs,
)
_VERDICT = (
    select(*columns_of(Verdict, VERDICT, named={"data_docs": _DOCS_PAGE}))
    .join_from(RESOURCE, VERSION, VERSION.c.resource_id == RESOURCE.c.id)
    .join(VERDICT, VERDICT.c.version_id == VERSION.c.id)
    .join(SITE, SITE.c.id == RESOURCE.c.site_id)
)


def file_detail(session: Session, file_id: int, as_of: datetime | None = None) -> FileDetail | None:
    """The file with this ID, as of a time; None when there is none, or was none then.

    Files that were taken down are shown too.
    """
    if not 0 < file_id <= MAX_ID:
        return None
    connection = session.connection()
    detail = all_files(as_of).add_columns(*_DETAIL).where(RESOURCE.c.id == file_id)
    row = connection.execute(detail).first()
    if row is None:
        return None
    checked = _VERDICT.where(RESOURCE.c.id == file_id, VERSION.c.number == row.version)
    seen = _SIGHTINGS.where(SIGHTING.c.resource_id == file_id)
    if as_of is not None:
        checked = checked.where(VERDICT.c.decided_at <= as_of)
        seen = seen.where(SIGHTING.c.first_seen <= as_of)
    verdict = connection.execute(checked).first()
    sightings = connection.execute(seen)
    files = _files_of(connection, [row.dataset_id], as_of=as_of).get(row.dataset_id, [])
    return FileDetail.of(
        row,
        check=None if verdict is None else Verdict.of(verdict),
        versions=history(session, file_id, as_of=as_of),
        sightings=[Sighting.of(sighting) for sighting in sightings],
        files=[File.of(file) for file in files],
    )


def history(
    session: Session,
    file_id: int,
    limit: int | None = MAX_VERSIONS,
    as_of: datetime | None = None,
) -> list[Version]:
    """The versions of a file that it has, or had at a time, the newest first."""
    if not 0 < file_id <= MAX_ID:
        return []
    query = _versions(as_of).where(VERSION.c.resource_id == file_id).limit(limit)
    return [Version.of(row) for row in session.connection().execute(query)]


def _versions(as_of: datetime | None) -> Select[Any]:
    verdict: ColumnElement[bool] = VERDICT.c.version_id == VERSION.c.id
    if as_of is not None:
        verdict = and_(verdict, VERDICT.c.decided_at <= as_of)
    query = (
        select(*columns_of(Version, VERSION, VERDICT, named=_VERSION_FIELDS))
        .outerjoin(VERDICT, verdict)
        .outerjoin(DIFFERENCE, DIFFERENCE.c.version_id == VERSION.c.id)
        .order_by(VERSION.c.number.desc())
    )
    return query if as_of is None else query.where(VERSION.c.fetched_at <= as_of)


def datasets(
    connection: Connection,
    ids: Sequence[int],
    *,
    max_files: int | None = MAX_FILES,
    as_of: datetime | None = None,
) -> list[Dataset]:
    """The datasets with these ids, in this order; one without files is left out."""
    if not ids:
        return []
    files = _files_of(connection, ids, max_files=max_files, as_of=as_of)
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


def dataset(session: Session, dataset_id: int, as_of: datetime | None = None) -> Dataset | None:
    """The dataset with this id, all its files with it; None when there is none."""
    if not 0 < dataset_id <= MAX_ID:
        return None
    found = datasets(session.connection(), [dataset_id], max_files=None, as_of=as_of)
    return next(iter(found), None)


def hits(
    connection: Connection,
    dataset_ids: Sequence[int],
    *,
    wanted: Wanted = (None, None),
    as_of: datetime | None = None,
) -> list[SearchHit]:
    """The datasets with these ids, in this order, each by the file that was asked for."""
    if not dataset_ids:
        return []
    files = _files_of(connection, dataset_ids, wanted=wanted, as_of=as_of)
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
    as_of: datetime | None = None,
) -> dict[int, list[Row[Any]]]:
    """Files that were asked for first, then those that are not gone, then by age."""
    gone: ColumnElement[bool] = RESOURCE.c.gone_since.is_not(None)
    if as_of is not None:
        gone = and_(gone, RESOURCE.c.gone_since <= as_of)
    order: list[Any] = [case((gone, 1), else_=0), RESOURCE.c.id]
    if conditions := list(conditions_of(wanted)):
        order.insert(0, case((and_(*conditions), 0), else_=1))
    one_dataset = RESOURCE.c.dataset_id
    ranked = (
        files_query(as_of)
        .add_columns(
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


def conditions_of(wanted: Wanted) -> Iterable[ColumnElement[bool]]:
    """What a file must be to be the one that was asked for."""
    file_format, verdict = wanted
    if file_format is not None:
        yield RESOURCE.c.format == file_format
    if verdict == NOT_VALID:
        yield VERDICT.c.verdict != "valid"
    elif verdict == UNCHECKED:
        yield VERDICT.c.verdict.is_(None)
    elif verdict is not None:
        yield VERDICT.c.verdict == verdict
