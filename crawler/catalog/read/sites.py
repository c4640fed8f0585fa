"""The record of a site: how much of it is in the catalog."""

from datetime import datetime
from typing import Any

from pydantic import Field
from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from crawler.catalog.db.models import RESOURCE, RUN, SITE, VERDICT, VERSION
from crawler.catalog.read.record import Record, columns_of
from crawler.catalog.search.tokens import UNCHECKED


class Site(Record):
    """A website, and how much of it is in the catalog."""

    name: str = Field(examples=["demo"])
    """The name of its site file."""
    start_url: str = Field(examples=["https://stats.example/"])
    """Where its crawl starts."""
    datasets: int = Field(examples=[120])
    """Datasets with at least one file that was not taken down."""
    files: int = Field(examples=[140])
    """Files that were not taken down."""
    bytes: int = Field(examples=[9182736])
    """Of the latest versions."""
    gone: int = Field(examples=[2])
    """Files that the site does not have any more."""
    formats: dict[str, int] = Field(examples=[{"csv": 100, "excel": 40}])
    """Files by format, the most frequent first."""
    verdicts: dict[str, int] = Field(examples=[{"valid": 120, "suspect": 20}])
    """Files by the verdict on their latest version, `unchecked` among them; most frequent first."""
    last_run: datetime | None = Field(examples=["2026-03-02T01:12:40Z"])
    """When the last run started."""
    title: str = Field(default="", examples=["Statistics Office of Nowhere"])
    """What people call it. This and the following are keys of the site file; they may be empty."""
    publisher: str = Field(default="", examples=["Statistics Office"])
    """Who publishes its data; it stands for files whose pages name no publisher."""
    licence: str = Field(default="", examples=["https://creativecommons.org/licenses/by/4.0/"])
    """The licence of files whose pages name none."""
    homepage: str = Field(default="", examples=["https://stats.example/about"])
    """Where people learn about it."""


def sites(session: Session, name: str | None = None) -> list[Site]:
    """All sites by name, or the one of that name.

    It counts every file, so it is no page to show a thousand times a minute.
    """
    known = select(SITE.c.id, *columns_of(Site, SITE, named={})).order_by(SITE.c.name)
    if name is not None:
        if "\x00" in name:
            return []
        known = known.where(SITE.c.name == name)
    rows = session.connection().execute(known).all()
    ids = [row.id for row in rows]
    here = (RESOURCE.c.removed_at.is_(None), RESOURCE.c.site_id.in_(ids))
    formats = _by_format(session, here)
    verdicts = _by_verdict(session, here)
    datasets = _value_by_site(
        session,
        select(RESOURCE.c.site_id, func.count(RESOURCE.c.dataset_id.distinct()))
        .where(*here)
        .group_by(RESOURCE.c.site_id),
    )
    last_runs = _value_by_site(
        session,
        select(RUN.c.site_id, func.max(RUN.c.started_at))
        .where(RUN.c.site_id.in_(ids))
        .group_by(RUN.c.site_id),
    )
    return [
        Site.of(
            row,
            datasets=datasets.get(row.id, 0),
            files=sum(group.files for group in formats.get(row.id, ())),
            bytes=int(sum(group.bytes for group in formats.get(row.id, ()))),
            gone=int(sum(group.gone for group in formats.get(row.id, ()))),
            formats={group.format: group.files for group in formats.get(row.id, ())},
            verdicts={group.verdict: group.files for group in verdicts.get(row.id, ())},
            last_run=last_runs.get(row.id),
        )
        for row in rows
    ]


def never_crawled(name: str, start_url: str) -> Site:
    """A site that has a site file, and nothing in the catalog yet."""
    return Site(
        name=name,
        start_url=start_url,
        datasets=0,
        files=0,
        bytes=0,
        gone=0,
        formats={},
        verdicts={},
        last_run=None,
    )


def site(session: Session, name: str) -> Site | None:
    """One site; None when the catalog does not know it."""
    return next(iter(sites(session, name)), None)


def _by_format(session: Session, here: Any) -> dict[int, list[Any]]:
    return _rows_by_site(
        session,
        select(
            RESOURCE.c.site_id,
            RESOURCE.c.format,
            func.count().label("files"),
            func.sum(case((RESOURCE.c.gone_since.is_(None), 0), else_=1)).label("gone"),
            func.sum(VERSION.c.size).label("bytes"),
        )
        .join(VERSION, VERSION.c.id == RESOURCE.c.latest_version_id)
        .where(*here)
        .group_by(RESOURCE.c.site_id, RESOURCE.c.format)
        .order_by(func.count().desc(), RESOURCE.c.format),
    )


def _by_verdict(session: Session, here: Any) -> dict[int, list[Any]]:
    verdict = func.coalesce(VERDICT.c.verdict, UNCHECKED).label("verdict")
    return _rows_by_site(
        session,
        select(RESOURCE.c.site_id, verdict, func.count().label("files"))
        .outerjoin(VERDICT, VERDICT.c.version_id == RESOURCE.c.latest_version_id)
        .where(*here)
        .group_by(RESOURCE.c.site_id, verdict)
        .order_by(func.count().desc(), verdict),
    )


def _rows_by_site(session: Session, query: Any) -> dict[int, list[Any]]:
    by_site: dict[int, list[Any]] = {}
    for row in session.connection().execute(query):
        by_site.setdefault(row.site_id, []).append(row)
    return by_site


def _value_by_site(session: Session, query: Any) -> dict[int, Any]:
    return {row[0]: row[1] for row in session.connection().execute(query)}
