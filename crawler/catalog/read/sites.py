"""The record of a site: how much of it is in the catalog."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import Field
from sqlalchemy import BigInteger, cast, func, select
from sqlalchemy.orm import Session

from crawler.catalog.db.count_schema import FILE_COUNT
from crawler.catalog.db.models import RUN, SITE
from crawler.catalog.read.record import Record, columns_of

_COUNTS = select(
    FILE_COUNT.c.site_id,
    FILE_COUNT.c.format,
    FILE_COUNT.c.verdict,
    *(
        cast(func.sum(FILE_COUNT.c[name]), BigInteger).label(name)
        for name in ("datasets", "files", "gone", "bytes")
    ),
).group_by(FILE_COUNT.c.site_id, FILE_COUNT.c.format, FILE_COUNT.c.verdict)
_LAST_RUNS = select(
    SITE.c.id,
    select(func.max(RUN.c.started_at))
    .where(RUN.c.site_id == SITE.c.id)
    .scalar_subquery()
    .label("last_run"),
)


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
    """All sites by name, or the one of that name."""
    known = select(SITE.c.id, *columns_of(Site, SITE, named={})).order_by(SITE.c.name)
    if name is not None:
        if "\x00" in name:
            return []
        known = known.where(SITE.c.name == name)
    rows = session.connection().execute(known).all()
    counted = _counts(session, [row.id for row in rows])
    last_runs = {row.id: row.last_run for row in session.connection().execute(_LAST_RUNS)}
    return [
        Site.of(
            row,
            datasets=sum(count.datasets for count in counts),
            files=sum(count.files for count in counts),
            bytes=sum(count.bytes for count in counts),
            gone=sum(count.gone for count in counts),
            formats=_by("format", counts),
            verdicts=_by("verdict", counts),
            last_run=last_runs[row.id],
        )
        for row in rows
        for counts in (counted.get(row.id, []),)
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


def _counts(session: Session, ids: Sequence[int]) -> dict[int, list[Any]]:
    """By site, the counts of its files by format and verdict."""
    by_site: dict[int, list[Any]] = {}
    query = _COUNTS.where(FILE_COUNT.c.site_id.in_(ids))
    for row in session.connection().execute(query):
        by_site.setdefault(row.site_id, []).append(row)
    return by_site


def _by(name: str, counts: Sequence[Any]) -> dict[str, int]:
    """Files by format or verdict, the most frequent first."""
    files: Counter[str] = Counter()
    for count in counts:
        files[getattr(count, name)] += count.files
    # A kind that was there once has a count of none.
    return dict(sorted((+files).items(), key=lambda one: (-one[1], one[0])))
