"""How every site stands by its runs, its lease and its allotment: asked in a handful of queries."""

from datetime import datetime
from typing import Any

from pydantic import Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import ALLOTMENT, LEASE, PUBLICATION, RUN, SITE
from crawler.catalog.read.record import Record
from crawler.catalog.read.runs import Run, last_runs
from crawler.catalog.write.forgotten import forgotten_sites
from crawler.catalog.write.lease import MAX_AHEAD

RUNS = 7
"""The last runs of each site that are looked at: a week of nights."""


class Standing(Record):
    """One site as the catalog knows it, whichever machine crawled it."""

    site: str
    start_url: str
    created_at: datetime
    """When the catalog got to know it."""
    runs: tuple[Run, ...] = ()
    """Its last runs, the newest first."""
    fence: int = 0
    """The highest number of a lease that it had."""
    run_fence: int = 0
    """The number of the lease under which its last runs were made."""
    asked_at: datetime
    """When the catalog was asked, by its own clock."""
    held_by: str = ""
    """Who works on it now: machine and home; empty when nobody does."""
    held_until: datetime | None = None
    """When that lease ends unless it is renewed; null when nobody works on it."""
    published_at: datetime | None = None
    """When its last night announced something, or that nothing is new."""
    forgotten: bool = False
    """Whether a person has forgotten it: lists leave it out unless it has a site file."""
    allotted: int | None = None
    """Requests that the fleet or a person allotted to its next night."""
    totals: dict[str, int] = Field(default_factory=dict)
    """Requests, heads, pages, targets, bytes and new_versions of all its runs; the last fence."""


def standings(database: Database, *, history: bool = True) -> dict[str, Standing]:
    """Every site of the catalog by name.

    Without their history `published_at`, `run_fence` and `totals`, for which every night that ever
    was is read, stay empty: pages have no use for them.
    """
    with database.reading() as session:
        now = database.now(session)
        rows = session.connection().execute(select(SITE).order_by(SITE.c.name)).all()
        latest = last_runs(session, RUNS)
        leases, allotted = _leases(session), _allotted(session, now)
        totals = _totals(session) if history else {}
        published = _published(session) if history else {}
        forgotten = forgotten_sites(session)
    return {
        row.name: Standing(
            site=row.name,
            start_url=row.start_url,
            created_at=row.created_at,
            runs=tuple(latest.get(row.name, ())),
            fence=leases[row.id].fence if row.id in leases else 0,
            run_fence=totals.get(row.id, {}).get("fence", 0),
            asked_at=now,
            held_by=_holder(leases.get(row.id), now),
            held_until=_held_until(leases.get(row.id), now),
            published_at=published.get(row.id),
            forgotten=row.name in forgotten,
            allotted=allotted.get(row.name),
            totals=totals.get(row.id, {}),
        )
        for row in rows
    }


def _holder(lease: Any, now: datetime) -> str:
    return str(lease.holder) if _held_until(lease, now) else ""


def _held_until(lease: Any, now: datetime) -> datetime | None:
    until: datetime | None = getattr(lease, "expires_at", None)
    return until if until is not None and now < until <= now + MAX_AHEAD else None


def _leases(session: Session) -> dict[int, Any]:
    return {row.site_id: row for row in session.connection().execute(select(LEASE))}


def _totals(session: Session) -> dict[int, dict[str, int]]:
    names = ("requests", "heads", "pages", "targets", "bytes_received", "new_versions")
    sums = [func.sum(RUN.c[name]).label(name) for name in names]
    newest = func.max(RUN.c.fence).label("fence")
    query = select(RUN.c.site_id, *sums, newest).group_by(RUN.c.site_id)
    return {
        row.site_id: {
            name.removesuffix("_received"): int(getattr(row, name)) for name in (*names, "fence")
        }
        for row in session.connection().execute(query)
    }


def _published(session: Session) -> dict[int, datetime]:
    newest = func.max(PUBLICATION.c.published_at).label("newest")
    query = select(PUBLICATION.c.site_id, newest).group_by(PUBLICATION.c.site_id)
    return {row.site_id: row.newest for row in session.connection().execute(query)}


def _allotted(session: Session, now: datetime) -> dict[str, int]:
    counts = ALLOTMENT.c.expires_at.is_(None) | (ALLOTMENT.c.expires_at > now)
    query = select(ALLOTMENT.c.site, ALLOTMENT.c.requests).where(counts)
    return {row.site: row.requests for row in session.connection().execute(query)}
