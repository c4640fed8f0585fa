"""The records of what happened to files, and the query that reads them."""

from datetime import datetime
from typing import Any

from pydantic import Field
from sqlalchemy import ColumnElement, Select, case, func, select

from crawler.catalog.db.models import DATASET, DIFFERENCE, RESOURCE, SITE, VERDICT, VERSION
from crawler.catalog.db.news_tables import NEWS, What
from crawler.catalog.read.record import Record, columns_of


class News(Record):
    """Something that happened to a file: it is new, it changed, or it is gone."""

    number: int = Field(examples=[1204])
    """Grows with each piece of news of the catalog; it stays the same for good."""
    what: What = Field(examples=["changed"])
    """new, changed or gone."""
    at: datetime = Field(examples=["2026-03-02T01:12:40Z"])
    """When the version was fetched, or when the file was missing for the second night."""
    updated_at: datetime = Field(examples=["2026-03-02T01:20:00Z"])
    """When what is said here was last added to: a change is compared in validation."""
    id: int = Field(examples=[17])
    """The ID of the file."""
    dataset_id: int = Field(examples=[9])
    """The id of its dataset."""
    site: str = Field(examples=["demo"])
    """The name of the site."""
    title: str = Field(examples=["Live births by region, 2025"])
    """What the file is called."""
    file_name: str = Field(examples=["births-2025.csv"])
    """As the server suggests it, else the end of the URL."""
    url: str = Field(examples=["https://stats.example/files/births-2025.csv"])
    """The file's address."""
    page_url: str = Field(examples=["https://stats.example/births"])
    """The page of its dataset."""
    format: str = Field(examples=["csv"])
    """Group of file types: csv, excel, ods, sdmx, json, ..."""
    version: int = Field(examples=[2])
    """The number of the version that came; of a file that is gone, its last one."""
    bytes: int = Field(examples=[48213])
    """Size of that version."""
    verdict: str | None = Field(examples=["valid"])
    """The verdict on that version; null when it was not validated yet."""
    change_summary: str = Field(examples=["12 rows added, 3 figures revised"])
    """What the version changed, in one line; empty unless it changed something."""

    @property
    def name(self) -> str:
        """What it is called, where it has no title by its file name or its address."""
        return self.title or self.file_name or self.url


class NewsPage(Record):
    """A page of news, the latest first."""

    items: tuple[News, ...] = ()
    """The latest first."""
    next: int | None = Field(default=None, examples=[1154])
    """Asked for as `before`, it gives the page after this one; null on the last page."""


_CHANGED = NEWS.c.what == What.CHANGED.value
_FIELDS: dict[str, ColumnElement[Any]] = {
    "number": NEWS.c.id,
    "updated_at": case(
        (_CHANGED, func.coalesce(DIFFERENCE.c.compared_at, NEWS.c.at)), else_=NEWS.c.at
    ),
    "id": RESOURCE.c.id,
    "site": SITE.c.name,
    "version": VERSION.c.number,
    "bytes": VERSION.c.size,
    "change_summary": case((_CHANGED, func.coalesce(DIFFERENCE.c.change_summary, "")), else_=""),
}
ALL_NEWS: Select[Any] = (
    select(*columns_of(News, NEWS, RESOURCE, VERDICT, DATASET, named=_FIELDS))
    .select_from(NEWS)
    .join(RESOURCE, RESOURCE.c.id == NEWS.c.resource_id)
    .join(DATASET, DATASET.c.id == RESOURCE.c.dataset_id)
    .join(SITE, SITE.c.id == NEWS.c.site_id)
    .join(VERSION, VERSION.c.id == NEWS.c.version_id)
    .outerjoin(VERDICT, VERDICT.c.version_id == VERSION.c.id)
    .outerjoin(DIFFERENCE, DIFFERENCE.c.version_id == VERSION.c.id)
    .where(RESOURCE.c.removed_at.is_(None))
)
"""Everything that happened to files that were not taken down, with the fields of `News`."""
