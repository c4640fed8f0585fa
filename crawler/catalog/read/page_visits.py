"""Visits of known pages: what a revisit looked at, and which listing pages were lost."""

from dataclasses import dataclass
from datetime import datetime

from pydantic import Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from crawler.catalog.db.models import PAGE, PAGE_VISIT
from crawler.catalog.read.record import Record, columns_of

MAX_SHOWN = 200
"""Visits of a run that are shown; `total` tells how many there are."""


class PageVisit(Record):
    """A known page that a revisit looked at."""

    url: str = Field(examples=["https://stats.example/releases"])
    """The address of the page."""
    visited_at: datetime = Field(examples=["2026-03-02T01:00:40Z"])
    """When it was visited."""
    outcome: str = Field(examples=["changed"])
    """new, changed, unchanged or gone."""
    detected_by: str = Field(examples=["other links"])
    """How that was found out."""
    reason: str = Field(examples=["predicted"])
    """The rule that chose it."""
    new_links: int = Field(examples=[3])
    """Links on it that were not known before."""
    new_files: int = Field(examples=[2])
    """Files that they led to, directly or behind new pages."""
    files: int = Field(examples=[140])
    """Files that the page has led to so far."""
    change_rate: float = Field(examples=[0.25])
    """New files a day that it led to over all its revisits."""


class PageVisitList(Record):
    """The known pages that a run looked at, those with news first."""

    total: int = Field(examples=[6])
    """All pages that it looked at; `items` may list fewer."""
    items: list[PageVisit] = Field(examples=[[]])
    """The pages."""


@dataclass(frozen=True, slots=True)
class LostListing:
    """A page that listed files and cannot be found any more."""

    url: str
    files: int


def visits_of_run(session: Session, run_id: str, limit: int = MAX_SHOWN) -> PageVisitList:
    """What a revisit looked at, the most productive pages first."""
    connection = session.connection()
    mine = PAGE_VISIT.c.run_id == run_id
    total = connection.execute(select(func.count()).select_from(PAGE_VISIT).where(mine)).scalar()
    query = (
        select(*columns_of(PageVisit, PAGE_VISIT, PAGE, named={}))
        .join_from(PAGE_VISIT, PAGE, PAGE.c.id == PAGE_VISIT.c.page_id)
        .where(mine)
        .order_by(PAGE_VISIT.c.new_files.desc(), PAGE_VISIT.c.new_links.desc(), PAGE_VISIT.c.id)
        .limit(limit)
    )
    return PageVisitList(
        total=total or 0, items=[PageVisit.of(row) for row in connection.execute(query)]
    )


def lost_listings(session: Session, run_id: str, min_files: int) -> list[LostListing]:
    """Pages with at least this many files that a run found gone, the largest first."""
    query = (
        select(PAGE.c.url, PAGE.c.files)
        .join_from(PAGE_VISIT, PAGE, PAGE.c.id == PAGE_VISIT.c.page_id)
        .where(PAGE_VISIT.c.run_id == run_id, PAGE_VISIT.c.outcome == "gone")
        .where(PAGE.c.files >= min_files)
        .order_by(PAGE.c.files.desc(), PAGE.c.id)
    )
    return [LostListing(row.url, row.files) for row in session.connection().execute(query)]
