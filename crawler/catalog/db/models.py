"""The catalog's tables. Times are UTC; migrations/ makes and changes them."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, String, Table, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from crawler.catalog.db.utc_datetime import UtcDateTime
from crawler.state.run import RunKind

MISSES_UNTIL_GONE = 2
"""Nights in a row without a file after which it counts as gone."""


def time_column(*, index: bool = False, nullable: bool = False) -> Any:
    """A point in time."""
    return Field(default=None, sa_column=Column(UtcDateTime(), nullable=nullable, index=index))


def _short_text() -> Any:
    return Field(default="", sa_column=Column(String(31), nullable=False, server_default=""))


def _text() -> Any:
    return Field(default="", sa_column=Column(Text, nullable=False, server_default=""))


def _json(kind: type[list[Any]] | type[dict[str, Any]], default: str | None = None) -> Any:
    column = Column(JSON, nullable=False, server_default=default)
    return Field(default_factory=kind, sa_column=column)


class SiteRow(SQLModel, table=True):
    """A website."""

    __tablename__ = "site"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True, max_length=63)
    start_url: str = Field(sa_column=Column(Text, nullable=False))
    title: str = _text()
    """This and the following are keys of the site file, as the last run found them."""
    publisher: str = _text()
    licence: str = _text()
    homepage: str = _text()
    created_at: datetime = time_column()


class RunRow(SQLModel, table=True):
    """One run over a site; without an end it is running, or its process died."""

    __tablename__ = "crawl_run"

    id: str = Field(primary_key=True, max_length=63)
    site_id: int = Field(foreign_key="site.id", index=True)
    kind: RunKind = Field(sa_column=Column(String(16), nullable=False))
    strategy: str = Field(max_length=63)
    night: str = Field(default="", sa_column=Column(String(250), nullable=False, server_default=""))
    """The night that worked on it last: in Airflow the id of the DAG run."""
    fence: int = 0
    started_at: datetime = time_column(index=True)
    ended_at: datetime | None = time_column(nullable=True)
    stop_reason: str = Field(default="", max_length=63)
    stop_detail: str = Field(default="", sa_column=Column(Text, nullable=False))
    requests: int = 0
    heads: int = 0
    pages: int = 0
    targets: int = 0
    bytes_received: int = Field(default=0, sa_column=Column(BigInteger, nullable=False))
    new_versions: int = 0
    skipped: dict[str, int] = _json(dict)
    curve: list[list[int]] = _json(list)
    """Pairs of requests and targets found by then, at most a few hundred."""
    actions: list[dict[str, Any]] = _json(list)
    """The best actions: tag path, selections, mean reward."""


class DatasetRow(SQLModel, table=True):
    """Files of the same data in several formats or languages: same page, same title."""

    __tablename__ = "dataset"
    __table_args__ = (UniqueConstraint("site_id", "key"),)

    id: int | None = Field(default=None, primary_key=True)
    site_id: int = Field(foreign_key="site.id", index=True)
    key: str = Field(max_length=32)
    """Hash of the page and the normalised title."""
    title: str = Field(sa_column=Column(Text, nullable=False))
    page_url: str = Field(default="", sa_column=Column(Text, nullable=False))
    page_title: str = Field(default="", sa_column=Column(Text, nullable=False))
    language: str = Field(default="", max_length=35)
    licence: str = Field(default="", sa_column=Column(Text, nullable=False))
    publisher: str = Field(default="", sa_column=Column(Text, nullable=False))
    published_at: datetime | None = time_column(nullable=True)
    first_seen: datetime = time_column(index=True)
    last_seen: datetime = time_column(index=True)


class ResourceRow(SQLModel, table=True):
    """A file's address on a site. Its id is the ID that people and scripts use."""

    __tablename__ = "resource"
    __table_args__ = (UniqueConstraint("site_id", "url_key"),)

    id: int | None = Field(default=None, primary_key=True)
    site_id: int = Field(foreign_key="site.id", index=True)
    dataset_id: int = Field(foreign_key="dataset.id", index=True)
    url_key: str = Field(max_length=32)
    """Hash of the canonical URL."""
    url: str = Field(sa_column=Column(Text, nullable=False))
    """As it was found."""
    file_name: str = Field(default="", sa_column=Column(Text, nullable=False))
    title: str = Field(sa_column=Column(Text, nullable=False))
    format: str = Field(max_length=31, index=True)
    """Target group: csv, excel, ods, ..."""
    first_seen: datetime = time_column(index=True)
    last_seen: datetime = time_column(index=True)
    gone_since: datetime | None = time_column(nullable=True)
    missed: int = 0
    """Nights in a row on which the server said 404 or 410."""
    missed_at: datetime | None = time_column(nullable=True)
    """When the last of them was counted."""
    removed_at: datetime | None = time_column(nullable=True)
    removal_reason: str = Field(default="", sa_column=Column(Text, nullable=False))
    latest_version_id: int | None = Field(default=None, index=True)
    versions: int = 0
    sightings: int = 0
    """How often a link to it was seen, also beyond the sightings that are kept."""


class VersionRow(SQLModel, table=True):
    """The bytes of a resource at one time."""

    __tablename__ = "version"
    __table_args__ = (UniqueConstraint("resource_id", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    resource_id: int = Field(foreign_key="resource.id", index=True)
    number: int
    sha256: str = Field(max_length=64, index=True)
    size: int = Field(sa_column=Column(BigInteger, nullable=False))
    mime_declared: str = Field(default="", sa_column=Column(Text, nullable=False))
    mime_detected: str = Field(default="", max_length=127)
    etag: str = Field(default="", sa_column=Column(Text, nullable=False))
    last_modified: str = Field(default="", max_length=63)
    content_language: str = Field(
        default="", sa_column=Column(String(127), nullable=False, server_default="")
    )
    published_at: datetime | None = time_column(nullable=True)
    modified_at: datetime | None = time_column(nullable=True)
    """The Last-Modified header as a time, where it is a date of the file."""
    fetched_at: datetime = time_column(index=True)
    run_id: str = Field(foreign_key="crawl_run.id", index=True)
    blob_removed_at: datetime | None = time_column(nullable=True)
    """By a takedown or by retention: the fact stays, the bytes are gone."""


class SightingRow(SQLModel, table=True):
    """A page that links to a resource; a bounded number is kept per resource."""

    __tablename__ = "sighting"
    __table_args__ = (UniqueConstraint("resource_id", "page_key"),)

    id: int | None = Field(default=None, primary_key=True)
    resource_id: int = Field(foreign_key="resource.id", index=True)
    page_key: str = Field(max_length=32)
    page_url: str = Field(sa_column=Column(Text, nullable=False))
    page_title: str = Field(default="", sa_column=Column(Text, nullable=False))
    anchor: str = Field(default="", sa_column=Column(Text, nullable=False))
    headings: str = _text()
    """What the link stands below on the page."""
    tag_path: str = Field(default="", sa_column=Column(Text, nullable=False))
    action: int | None = None
    first_seen: datetime = time_column()
    last_seen: datetime = time_column()


class VerdictRow(SQLModel, table=True):
    """What validation found out about a version."""

    __tablename__ = "verdict"

    version_id: int = Field(foreign_key="version.id", primary_key=True)
    verdict: str = Field(max_length=31, index=True)
    """valid, suspect, document, broken, not_a_dataset."""
    kind: str = Field(default="", max_length=31)
    """What the bytes are, whatever name and server say."""
    rows: int | None = None
    columns: int | None = None
    column_names: list[str] = _json(list)
    checks: list[dict[str, Any]] = _json(list)
    reasons: list[dict[str, Any]] = _json(list)
    profile: dict[str, Any] = _json(dict, "{}")
    """Tables, columns, pages, language: what is in the file."""
    period_start: str = _short_text()
    """The first period that its tables cover: 2019, 2019-03, 2019-Q1, 2019-03-31."""
    period_end: str = _short_text()
    frequency: str = _short_text()
    """How far its periods are apart: year, quarter, month, ..."""
    places: list[str] = _json(list, "[]")
    """Names and codes in its columns of places, the first of them."""
    dimension_values: list[str] = _json(list, "[]")
    """Values of its other columns of texts, the first of them."""
    data_docs: str = Field(default="", sa_column=Column(Text, nullable=False, server_default=""))
    """The page of its checks below data-docs/<site>/ in the store; empty when there is none."""
    validator: str = Field(
        default="", sa_column=Column(String(31), nullable=False, server_default="")
    )
    """The version of Tallyho that decided."""
    decided_at: datetime = time_column()


class DifferenceRow(SQLModel, table=True):
    """What a version says otherwise than the one before it, in one line."""

    __tablename__ = "difference"

    version_id: int = Field(foreign_key="version.id", primary_key=True)
    before: int
    """The number of the version that it was compared with."""
    change_summary: str = Field(sa_column=Column(Text, nullable=False))
    compared_at: datetime = time_column()


class PageRow(SQLModel, table=True):
    """A page of a site that was visited again; recorded from its first revisit on."""

    __tablename__ = "page"
    __table_args__ = (UniqueConstraint("site_id", "url_key"),)

    id: int | None = Field(default=None, primary_key=True)
    site_id: int = Field(foreign_key="site.id", index=True)
    url_key: str = Field(max_length=32)
    """Hash of the canonical URL."""
    url: str = Field(sa_column=Column(Text, nullable=False))
    action: int | None = None
    """The group of links that the link to it belongs to."""
    first_visit: datetime = time_column()
    last_visit: datetime = time_column()
    visits: int = 0
    """All visits, those of the acquisition among them."""
    files: int = 0
    """Files that it led to so far."""
    change_rate: float = 0.0
    """New files a day that it led to over all its revisits."""


class PageVisitRow(SQLModel, table=True):
    """One revisit of a page; a limited number is kept per page."""

    __tablename__ = "page_visit"
    __table_args__ = (UniqueConstraint("page_id", "run_id"),)

    id: int | None = Field(default=None, primary_key=True)
    page_id: int = Field(foreign_key="page.id", index=True)
    run_id: str = Field(foreign_key="crawl_run.id", index=True)
    visited_at: datetime = time_column()
    outcome: str = Field(max_length=15)
    """new, changed, unchanged or gone."""
    detected_by: str = Field(default="", max_length=31)
    """How that was found out: a 304, the same bytes, other links, ..."""
    reason: str = Field(default="", max_length=31)
    """The rule of the planner that chose the page."""
    new_links: int = 0
    new_files: int = 0
    """Directly, or behind new pages that were found on it."""


class LeaseRow(SQLModel, table=True):
    """Who crawls a site at the moment; the fence grows with every new holder."""

    __tablename__ = "lease"

    site_id: int = Field(foreign_key="site.id", primary_key=True)
    holder: str = Field(default="", max_length=127)
    fence: int = 0
    expires_at: datetime | None = time_column(nullable=True)


class AllottedBy(StrEnum):
    """Who decided how many requests a site gets."""

    FLEET = "fleet"
    HAND = "hand"
    """A person: it stays until a person takes it away."""


class AllotmentRow(SQLModel, table=True):
    """How many requests a site without a budget of its own may make in a night."""

    __tablename__ = "allotment"

    site: str = Field(primary_key=True, max_length=63)
    """By name: a site may have an allotment before it was ever crawled."""
    requests: int
    allotted_by: AllottedBy = Field(sa_column=Column(String(16), nullable=False))
    reason: str = Field(default="", sa_column=Column(Text, nullable=False))
    decided_at: datetime = time_column()
    expires_at: datetime | None = time_column(nullable=True)


class HandoverState(StrEnum):
    """How the crawl that a site handed over to a lane stands."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    FAILED = "failed"
    WITHDRAWN = "withdrawn"
    """No lane took it: the site crawls by itself."""

    @property
    def over(self) -> bool:
        """Whether the lane has nothing to do with it any more."""
        return self not in (HandoverState.WAITING, HandoverState.WORKING)


class HandoverRow(SQLModel, table=True):
    """The crawl of a site's last night, if it was handed over to a lane."""

    __tablename__ = "handover"

    site: str = Field(primary_key=True, max_length=63)
    """By name: it is handed over before it was ever crawled."""
    lane: str = Field(max_length=63, index=True)
    run_id: str = Field(max_length=63)
    """The run of the night; another one replaces it."""
    night: str = Field(sa_column=Column(Text, nullable=False))
    """The plan of the night as JSON."""
    state: HandoverState = Field(sa_column=Column(String(15), nullable=False))
    claim: int = 0
    """Grows whenever a lane begins with it: who began earlier has no say any more."""
    alive_at: datetime = time_column()
    """When it was handed over, or when a lane last said that it is there."""
    result: str = Field(default="", sa_column=Column(Text, nullable=False))
    """Its counts as JSON when it is done, a sentence when it failed."""
    retryable: bool = True


class PublicationRow(SQLModel, table=True):
    """The versions of a site that one night announced: those above one id, up to another."""

    __tablename__ = "publication"

    site_id: int = Field(foreign_key="site.id", primary_key=True)
    night: str = Field(primary_key=True, max_length=250)
    after_version: int
    upto_version: int
    published_at: datetime = time_column()


class BookmarkRow(SQLModel, table=True):
    """Where a long task of upkeep continues the next night."""

    __tablename__ = "bookmark"

    name: str = Field(primary_key=True, max_length=63)
    position: str = Field(default="", sa_column=Column(Text, nullable=False))
    moved_at: datetime = time_column()


Index("ix_crawl_run_site_started", RunRow.site_id, RunRow.started_at)  # type: ignore[arg-type]
Index("ix_version_resource_number", VersionRow.resource_id, VersionRow.number)  # type: ignore[arg-type]


def _table(row: type[SQLModel]) -> Table:
    table: Table = row.__table__  # type: ignore[attr-defined]
    return table


# For statements without the cost of the ORM.
SITE = _table(SiteRow)
RUN = _table(RunRow)
DATASET = _table(DatasetRow)
RESOURCE = _table(ResourceRow)
VERSION = _table(VersionRow)
SIGHTING = _table(SightingRow)
VERDICT = _table(VerdictRow)
DIFFERENCE = _table(DifferenceRow)
PAGE = _table(PageRow)
PAGE_VISIT = _table(PageVisitRow)
LEASE = _table(LeaseRow)
ALLOTMENT = _table(AllotmentRow)
HANDOVER = _table(HandoverRow)
PUBLICATION = _table(PublicationRow)
BOOKMARK = _table(BookmarkRow)
