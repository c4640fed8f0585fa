"""The visits of a revisit: which known pages it looked at, why, and what it found there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlmodel import Session

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import PAGE, PAGE_VISIT
from crawler.catalog.db.texts import stored_url
from crawler.catalog.db.upsert import insert_into, upsert
from crawler.catalog.write.sites import check_fence, find_or_make_site
from crawler.catalog.write.titles import url_key

MAX_VISITS = 50
"""Visits that are kept per page, the newest ones."""
_PAGES_PER_TRANSACTION = 500
_OF_VISIT = ("visited_at", "outcome", "detected_by", "reason", "new_links", "new_files")


@dataclass(frozen=True, slots=True)
class PageVisited:
    """A known page after a visit."""

    url: str
    action: int | None
    first_visit: datetime
    visits: int
    files: int
    change_rate: float
    visited_at: datetime
    outcome: str
    detected_by: str
    reason: str
    new_links: int
    new_files: int


def record_page_visits(
    database: Database, site: str, run_id: str, fence: int, pages: Iterable[PageVisited]
) -> None:
    """Records the visits of a run; repeated, it changes nothing."""
    visited = list(pages)
    for start in range(0, len(visited), _PAGES_PER_TRANSACTION):
        some = visited[start : start + _PAGES_PER_TRANSACTION]
        with database.transaction() as session:
            site_id = find_or_make_site(session, site, some[0].visited_at)
            check_fence(session, site_id, fence, site)
            for page in some:
                page_id = _record_page(session, site_id, page)
                _record_visit(session, page_id, run_id, page)


def _record_page(session: Session, site_id: int, page: PageVisited) -> int:
    facts = {name: getattr(page, name) for name in ("action", "visits", "files", "change_rate")}
    facts["last_visit"] = page.visited_at
    key = {"site_id": site_id, "url_key": url_key(page.url)}
    new = {**key, **facts, "url": stored_url(page.url), "first_visit": page.first_visit}
    statement = (
        insert_into(session, PAGE)
        .values(new)
        .on_conflict_do_update(index_elements=list(key), set_=facts)
        .returning(PAGE.c.id)
    )
    return int(session.connection().execute(statement).scalar_one())


def _record_visit(session: Session, page_id: int, run_id: str, page: PageVisited) -> None:
    connection = session.connection()
    facts = {name: getattr(page, name) for name in _OF_VISIT}
    key = {"page_id": page_id, "run_id": run_id}
    upsert(session, PAGE_VISIT, key, facts)
    mine = PAGE_VISIT.c.page_id == page_id
    count = connection.execute(select(func.count()).select_from(PAGE_VISIT).where(mine)).scalar()
    if (count or 0) > MAX_VISITS:
        kept = (
            select(PAGE_VISIT.c.id).where(mine).order_by(PAGE_VISIT.c.id.desc()).limit(MAX_VISITS)
        )
        oldest: Sequence[int] = connection.execute(kept).scalars().all()
        connection.execute(delete(PAGE_VISIT).where(mine, PAGE_VISIT.c.id < min(oldest)))
