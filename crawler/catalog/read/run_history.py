"""The past runs of sites, without their curves: what plans, yields and the fleet look at."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select

from crawler.catalog.db.database import Database
from crawler.catalog.write.runs import RUN
from crawler.catalog.write.sites import SITE

_COLUMNS = (
    RUN.c.id,
    RUN.c.started_at,
    RUN.c.ended_at,
    RUN.c.stop_reason,
    RUN.c.requests,
    RUN.c.targets,
    RUN.c.new_versions,
    RUN.c.actions,
)


@dataclass(frozen=True, slots=True)
class PastRun:
    """One run and what came of it."""

    id: str
    started_at: datetime
    ended_at: datetime | None
    """None while it runs or pauses, and when its process died."""
    stop_reason: str
    requests: int
    targets: int
    new_versions: int
    best_reward: float
    """The mean reward of its best action: new files per link that was followed."""


@dataclass(frozen=True, slots=True)
class KnownSite:
    """A site as the catalog knows it."""

    name: str
    start_url: str


def past_runs(database: Database, site: str, limit: int = 50) -> list[PastRun]:
    """The last runs of a site, the newest first."""
    query = (
        select(*_COLUMNS)
        .join_from(RUN, SITE)
        .where(SITE.c.name == site)
        .order_by(RUN.c.started_at.desc(), RUN.c.id.desc())
        .limit(limit)
    )
    with database.reading() as session:
        return [_past(row) for row in session.connection().execute(query)]


def past_runs_of_all(database: Database, limit: int = 10) -> dict[str, list[PastRun]]:
    """The last runs of every site, the newest first."""
    place = func.row_number().over(
        partition_by=RUN.c.site_id, order_by=(RUN.c.started_at.desc(), RUN.c.id.desc())
    )
    numbered = select(SITE.c.name, *_COLUMNS, place.label("place")).join_from(RUN, SITE).subquery()
    query = (
        select(numbered)
        .where(numbered.c.place <= limit)
        .order_by(numbered.c.name, numbered.c.place)
    )
    found: dict[str, list[PastRun]] = {}
    with database.reading() as session:
        for row in session.connection().execute(query):
            found.setdefault(row.name, []).append(_past(row))
    return found


def requests_so_far(database: Database, sites: Iterable[str]) -> int:
    """All requests that were ever made to these sites."""
    names = list(sites)
    query = (
        select(func.coalesce(func.sum(RUN.c.requests), 0))
        .join_from(RUN, SITE)
        .where(SITE.c.name.in_(names))
    )
    with database.reading() as session:
        return int(session.connection().execute(query).scalar_one())


def known_sites(database: Database) -> list[KnownSite]:
    """Every site of the catalog by name, also those that have no site file any more."""
    query = select(SITE.c.name, SITE.c.start_url).order_by(SITE.c.name)
    with database.reading() as session:
        rows = session.connection().execute(query)
        return [KnownSite(row.name, row.start_url) for row in rows]


def _past(row: Any) -> PastRun:
    rewards = (float(action.get("mean_reward", 0.0)) for action in row.actions)
    return PastRun(
        id=row.id,
        started_at=row.started_at,
        ended_at=row.ended_at,
        stop_reason=row.stop_reason,
        requests=row.requests,
        targets=row.targets,
        new_versions=row.new_versions,
        best_reward=max(rewards, default=0.0),
    )
