"""The one query for the fields of `File`: of today, or as the catalog stood at another time."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, select

from crawler.catalog.db.models import (
    DATASET,
    DIFFERENCE,
    RESOURCE,
    SITE,
    VERDICT,
    VERSION,
)
from crawler.catalog.read.record import columns_of
from crawler.catalog.read.records import File

CHANGE_SUMMARY = func.coalesce(DIFFERENCE.c.change_summary, "")
MIME = func.coalesce(func.nullif(VERSION.c.mime_detected, ""), VERSION.c.mime_declared)
SAID: dict[str, ColumnElement[Any]] = {
    name: func.coalesce(func.nullif(DATASET.c[name], ""), SITE.c[name])
    for name in ("licence", "publisher")
}
"""What the page says, else what the site file says."""
_FIELDS: dict[str, ColumnElement[Any]] = {
    "site": SITE.c.name,
    "version": VERSION.c.number,
    "bytes": VERSION.c.size,
    "mime": MIME,
    "published_at": func.coalesce(VERSION.c.published_at, DATASET.c.published_at),
    "change_summary": CHANGE_SUMMARY,
    **SAID,
}


def all_files(as_of: datetime | None = None) -> Select[Any]:
    """Every file with the fields of `File` as columns, those that were taken down among them.

    As of a time, the versions and the verdicts that were there then; titles, pages and publishers
    are known as they are today.
    """
    return _TODAY if as_of is None else _query(as_of)


def files(as_of: datetime | None = None) -> Select[Any]:
    """The same without those that were taken down."""
    return FILES if as_of is None else all_files(as_of).where(RESOURCE.c.removed_at.is_(None))


def _query(as_of: datetime | None) -> Select[Any]:
    fields = _FIELDS
    latest: ColumnElement[bool] = VERSION.c.id == RESOURCE.c.latest_version_id
    verdict: ColumnElement[bool] = VERDICT.c.version_id == VERSION.c.id
    if as_of is not None:
        latest = VERSION.c.id == _version_at(as_of)
        verdict = and_(verdict, VERDICT.c.decided_at <= as_of)
        gone, seen = RESOURCE.c.gone_since, RESOURCE.c.last_seen
        fields = fields | {
            "gone_since": case((gone <= as_of, gone), else_=None),
            "last_seen": case((seen <= as_of, seen), else_=VERSION.c.fetched_at),
        }
    return (
        select(*columns_of(File, RESOURCE, VERSION, VERDICT, DATASET, named=fields))
        .select_from(RESOURCE)
        .join(DATASET, DATASET.c.id == RESOURCE.c.dataset_id)
        .join(SITE, SITE.c.id == RESOURCE.c.site_id)
        .join(VERSION, latest)
        .outerjoin(VERDICT, verdict)
        .outerjoin(DIFFERENCE, DIFFERENCE.c.version_id == VERSION.c.id)
    )


def _version_at(as_of: datetime) -> Any:
    older = VERSION.alias("older")
    return (
        select(older.c.id)
        .where(older.c.resource_id == RESOURCE.c.id, older.c.fetched_at <= as_of)
        .order_by(older.c.number.desc())
        .limit(1)
        .correlate(RESOURCE)
        .scalar_subquery()
    )


# Made once: making a statement takes longer than running it.
_TODAY = _query(None)
FILES = _TODAY.where(RESOURCE.c.removed_at.is_(None))
"""Every file that was not taken down, as it is today."""
