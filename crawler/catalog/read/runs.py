"""The record of a run, and the past runs of sites."""

from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, Field
from sqlalchemy import Select, bindparam, func, select
from sqlalchemy.orm import Session

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import RUN, SITE
from crawler.catalog.db.utc_datetime import UtcDateTime
from crawler.catalog.read.record import Record, columns_of
from crawler.catalog.write.runs import ActionSummary

_LATEST_FIRST = (RUN.c.started_at.desc(), RUN.c.id.desc())
_EARLIER = RUN.alias("earlier")
_BEGINNING = bindparam("beginning", datetime(1, 1, 2, tzinfo=UTC), UtcDateTime())


def _most_frequent_first(counts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


class Run(Record):
    """One run over a site; without an end it is running, or its process died."""

    id: str = Field(examples=["20260302T010000Z-a1b2c3"])
    """It begins with the time at which the run started."""
    site: str = Field(examples=["demo"])
    """The name of the site."""
    kind: str = Field(examples=["acquire"])
    """What it was for: acquire or revisit."""
    strategy: str = Field(examples=["tallyho"])
    """How it chose its links."""
    started_at: datetime = Field(examples=["2026-03-02T01:00:00Z"])
    """When it started."""
    ended_at: datetime | None = Field(examples=[None])
    """When it ended; null while it runs or pauses, and when its process died."""
    stop_reason: str = Field(examples=["budget_requests"])
    """Why it stopped."""
    stop_detail: str = Field(examples=[""])
    """More about that."""
    requests: int = Field(examples=[900])
    """All requests, HEAD and retries among them."""
    heads: int = Field(examples=[120])
    """HEAD requests."""
    pages: int = Field(examples=[610])
    """Pages that were read."""
    targets: int = Field(examples=[140])
    """Files that were kept."""
    bytes: int = Field(examples=[9182736])
    """Received, decoded."""
    new_versions: int = Field(examples=[12])
    """Files that were new or had changed."""
    night: str = Field(examples=["scheduled__2026-03-02T01:00:00+00:00"])
    """The night that worked on it last, in Airflow the DAG run; empty for a bare crawl."""


class PastRun(Run):
    """A run with its best actions: what plans, alarms and the fleet look at."""

    actions: tuple[ActionSummary, ...]
    """Groups of links with like tag paths, and what following them gave."""

    @property
    def best_reward(self) -> float:
        """The mean reward of its best action: new files per link that was followed."""
        return max((action.mean_reward for action in self.actions), default=0.0)


class RunDetail(PastRun):
    """A run with what it learned and what it left out."""

    skipped: Annotated[dict[str, int], AfterValidator(_most_frequent_first)] = Field(
        examples=[{"off_site": 40, "dead": 12}]
    )
    """URLs that were not fetched or not kept, counted by reason; the most frequent first."""
    curve: tuple[tuple[int, int], ...] = Field(examples=[[[0, 0], [450, 90], [900, 140]]])
    """Pairs: requests, and targets found by then."""


class RunPage(Record):
    """Some of the runs, the newest first."""

    total: int = Field(examples=[1])
    """How many there are."""
    limit: int = Field(examples=[20])
    """How many were asked for."""
    offset: int = Field(examples=[0])
    """How many were left out first."""
    items: tuple[Run, ...]
    """The newest first."""


class KnownSite(Record):
    """A site as the catalog knows it."""

    name: str
    start_url: str


SomeRun = TypeVar("SomeRun", bound=Run)


def _select(record: type[Run]) -> Select[Any]:
    named = {"site": SITE.c.name, "bytes": RUN.c.bytes_received}
    return select(*columns_of(record, RUN, named=named)).join_from(RUN, SITE)


def runs(session: Session, site: str = "", *, limit: int = 20, offset: int = 0) -> RunPage:
    """The runs of all sites or of one, the newest first."""
    connection = session.connection()
    newest, count = select(RUN.c.id), select(func.count()).select_from(RUN)
    if site:
        named = select(SITE.c.id).where(SITE.c.name == site).scalar_subquery()
        newest, count = newest.where(RUN.c.site_id == named), count.where(RUN.c.site_id == named)
    # Chosen before their sites are looked up: SQLite would begin with these, and sort all runs.
    newest = newest.order_by(*_LATEST_FIRST).limit(limit).offset(offset)
    query = _select(Run).where(RUN.c.id.in_(newest))
    rows = connection.execute(query.order_by(*_LATEST_FIRST))
    items = tuple(Run.of(row) for row in rows)
    total = connection.execute(count).scalar_one()
    return RunPage(total=total, limit=limit, offset=offset, items=items)


def run(session: Session, run_id: str) -> RunDetail | None:
    """One run; None when there is none of that id."""
    if "\x00" in run_id:
        return None
    row = session.connection().execute(_select(RunDetail).where(RUN.c.id == run_id)).first()
    return None if row is None else RunDetail.of(row)


def past_runs(database: Database, site: str, limit: int = 50) -> list[PastRun]:
    """The last runs of a site, the newest first."""
    query = _select(PastRun).where(SITE.c.name == site).order_by(*_LATEST_FIRST).limit(limit)
    with database.reading() as session:
        return [PastRun.of(row) for row in session.connection().execute(query)]


def past_runs_of_all(database: Database, limit: int = 10) -> dict[str, list[PastRun]]:
    """The last runs of every site with their best actions, the newest first."""
    with database.reading() as session:
        return _last_runs(session, PastRun, limit)


def last_runs(session: Session, limit: int) -> dict[str, list[Run]]:
    """The last runs of every site, the newest first."""
    return _last_runs(session, Run, limit)


def _last_runs(session: Session, record: type[SomeRun], limit: int) -> dict[str, list[SomeRun]]:
    """Found by an index, site by site: in three years of nights each has a thousand runs."""
    started = (
        select(_EARLIER.c.started_at)
        .where(_EARLIER.c.site_id == SITE.c.id)
        .order_by(_EARLIER.c.started_at.desc())
        .limit(1)
        .offset(limit - 1)
        .scalar_subquery()
    )
    first = select(SITE.c.id, func.coalesce(started, _BEGINNING).label("started_at")).subquery()
    query = (
        _select(record)
        .join(first, first.c.id == RUN.c.site_id)
        .where(RUN.c.started_at >= first.c.started_at)
        .order_by(SITE.c.name, *_LATEST_FIRST)
    )
    by_site: dict[str, list[SomeRun]] = {}
    for row in session.connection().execute(query):
        past = by_site.setdefault(row.site, [])
        if len(past) < limit:  # two may have started at the same time
            past.append(record.of(row))
    return by_site


def known_sites(database: Database) -> list[KnownSite]:
    """Every site of the catalog by name, also those that have no site file any more."""
    query = select(SITE.c.name, SITE.c.start_url).order_by(SITE.c.name)
    with database.reading() as session:
        return [KnownSite.of(row) for row in session.connection().execute(query)]
