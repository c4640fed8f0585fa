"""Run records: when a run started, what it did, why it stopped."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, func, not_, or_, select, update

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import LEASE, RUN, SITE, VERSION
from crawler.catalog.db.texts import plain
from crawler.catalog.db.upsert import insert_into
from crawler.catalog.write.lease import MAX_AHEAD
from crawler.catalog.write.sites import check_fence, find_or_make_site
from crawler.state.run import RunKind

MAX_POINTS = 500
"""Points of the curve that are kept; more cannot be seen on a plot."""


@dataclass(frozen=True, slots=True)
class ActionSummary:
    """One of a run's best actions."""

    id: int
    tag_path: str
    selections: int
    mean_reward: float


@dataclass(frozen=True, slots=True)
class RunResult:
    """What a run did; its fields are columns of the table of runs."""

    stop_reason: str
    stop_detail: str = ""
    requests: int = 0
    heads: int = 0
    pages: int = 0
    targets: int = 0
    bytes_received: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    curve: Sequence[tuple[int, int]] = ()
    """Pairs of requests and targets found by then."""
    actions: Sequence[ActionSummary] = ()


def start_run(
    database: Database,
    *,
    run_id: str,
    site: str,
    start_url: str,
    strategy: str,
    started_at: datetime,
    kind: RunKind = RunKind.ACQUIRE,
    fence: int = 0,
    resumes: bool = False,
    night: str = "",
) -> None:
    """Records that a run started; once more for the same run changes nothing but its fence.

    A run that `resumes` is open again, also when its end was recorded.
    """
    with database.transaction() as session:
        site_id = find_or_make_site(session, site, started_at, start_url)
        check_fence(session, site_id, fence, site)
        values = {
            "id": run_id,
            "site_id": site_id,
            "kind": kind.value,
            "strategy": strategy,
            "night": night,
            "fence": fence,
            "started_at": started_at,
            **_values(RunResult(stop_reason="")),
            "new_versions": 0,
        }
        statement = insert_into(session, RUN).values(values)
        opened = {"ended_at": None, "stop_reason": "", "night": night} if resumes else {}
        session.connection().execute(
            statement.on_conflict_do_update(
                index_elements=[RUN.c.id],
                set_={"fence": fence, **opened},
                where=None if resumes else RUN.c.ended_at.is_(None),
            )
        )


def end_run(
    database: Database, run_id: str, result: RunResult, *, ended_at: datetime | None
) -> None:
    """Records how a run ended; new versions are counted here, once more, from the versions.

    Without a time it is not over: these are its counts up to a pause.
    """
    with database.transaction() as session:
        connection = session.connection()
        run = connection.execute(
            select(RUN.c.site_id, RUN.c.fence, SITE.c.name)
            .join_from(RUN, SITE)
            .where(RUN.c.id == run_id)
        ).one_or_none()
        if run is None:
            raise ValueError(f"no run {run_id} was started")
        check_fence(session, run.site_id, run.fence, run.name)
        count = select(func.count()).where(VERSION.c.run_id == run_id).scalar_subquery()
        connection.execute(
            update(RUN)
            .where(RUN.c.id == run_id)
            .values(ended_at=ended_at, new_versions=count, **_values(result))
        )


def close_run(
    database: Database, run_id: str, stop_reason: str, detail: str, ended_at: datetime
) -> bool:
    """Records an end for a run that nobody will resume, its counts as they are; False without one.

    Its site must not be in work: that is for the caller to know.
    """
    with database.transaction() as session:
        done = session.connection().execute(
            update(RUN)
            .where(RUN.c.id == run_id, RUN.c.ended_at.is_(None))
            .values(ended_at=ended_at, stop_reason=stop_reason, stop_detail=plain(detail, 2000))
        )
        return bool(done.rowcount)


def active_runs(database: Database) -> list[str]:
    """Runs without an end that may be alive."""
    return _without_end(database, alive=True)


def abandoned_runs(database: Database, before: datetime | None = None) -> list[str]:
    """Runs without an end whose process must be dead: their lease ran out or went to another.

    Runs without a fence were never leased, and only their machine's own lock knows about them; they
    count as dead after a day. `before` leaves out those that started later.
    """
    return _without_end(database, before, alive=False)


def _without_end(database: Database, before: datetime | None = None, *, alive: bool) -> list[str]:
    with database.reading() as session:
        now = database.now(session)
        leased = (
            select(LEASE.c.site_id)
            .where(LEASE.c.site_id == RUN.c.site_id, LEASE.c.fence == RUN.c.fence)
            .where(LEASE.c.expires_at > now, LEASE.c.expires_at <= now + MAX_AHEAD)
            .exists()
        )
        unleased = and_(RUN.c.fence == 0, RUN.c.started_at >= now - timedelta(days=1))
        lives = or_(leased, unleased)
        query = (
            select(RUN.c.id)
            .where(RUN.c.ended_at.is_(None), lives if alive else not_(lives))
            .order_by(RUN.c.started_at, RUN.c.id)
        )
        if before is not None:
            query = query.where(RUN.c.started_at < before)
        return [str(row.id) for row in session.connection().execute(query)]


def _values(result: RunResult) -> dict[str, Any]:
    return asdict(result) | {
        "stop_detail": plain(result.stop_detail, 2000),
        "curve": [list(point) for point in _thinned(result.curve)],
        "actions": [
            asdict(action) | {"tag_path": plain(action.tag_path, 2000)} for action in result.actions
        ],
    }


def _thinned(curve: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """At most MAX_POINTS of a curve, evenly, the first and the last among them."""
    if len(curve) <= MAX_POINTS:
        return list(curve)
    step = (len(curve) - 1) / (MAX_POINTS - 1)
    return [curve[round(number * step)] for number in range(MAX_POINTS)]
