"""Crawls that sites hand over to a lane, and what came of them.

One row per site. Every change names the run and, by a lane, the claim: whoever was thought dead and
comes back changes nothing. The lease, not this table, keeps two workers off one site.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, and_, select, update

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import HANDOVER, HandoverState
from crawler.catalog.db.upsert import upsert

_OPEN = HANDOVER.c.state.in_([HandoverState.WAITING.value, HandoverState.WORKING.value])


@dataclass(frozen=True, slots=True)
class Handover:
    """The crawl of one night of one site, as the lane's table has it."""

    site: str
    lane: str
    run_id: str
    night: str
    """The plan as JSON."""
    state: HandoverState
    claim: int
    alive_at: datetime
    result: str
    retryable: bool

    def is_forgotten(self, now: datetime, patience: timedelta) -> bool:
        """Whether it is not over, and no lane said for so long that it is there."""
        return not self.state.over and now - self.alive_at > patience


def hand_over(database: Database, *, site: str, lane: str, run_id: str, night: str) -> Handover:
    """Hands a night over, once: the same run again changes nothing."""
    with database.transaction() as session:
        connection = session.connection()
        known = connection.execute(_of(site).with_for_update()).one_or_none()
        if known is None or known.run_id != run_id:
            row = {
                "lane": lane,
                "run_id": run_id,
                "night": night,
                "state": HandoverState.WAITING.value,
                "claim": 0 if known is None else known.claim + 1,
                "alive_at": database.now(session),
                "result": "",
                "retryable": True,
            }
            upsert(session, HANDOVER, {"site": site}, row)
        return _handover(connection.execute(_of(site)).one())


def handover_of(database: Database, site: str) -> tuple[Handover | None, datetime]:
    """What a site handed over last, and the time by the clock that all share."""
    with database.reading() as session:
        row = session.connection().execute(_of(site)).one_or_none()
        return None if row is None else _handover(row), database.now(session)


def withdraw(database: Database, site: str, run_id: str) -> bool:
    """Takes a night back that no lane works on; False when it is over already."""
    ours = and_(HANDOVER.c.site == site, HANDOVER.c.run_id == run_id, _OPEN)
    return _change(database, ours, HandoverState.WITHDRAWN)


def free_claims(database: Database, lane: str) -> None:
    """A lane begins: what an earlier one left in the middle waits again."""
    left = and_(HANDOVER.c.lane == lane, HANDOVER.c.state == HandoverState.WORKING.value)
    _change(database, left, HandoverState.WAITING)


def claim(database: Database, lane: str, limit: int, without: Collection[str]) -> list[Handover]:
    """Begins with up to so many nights that wait, the longest waiting first."""
    waiting = and_(
        HANDOVER.c.lane == lane,
        HANDOVER.c.state == HandoverState.WAITING.value,
        HANDOVER.c.site.not_in(list(without)),
    )
    with database.transaction() as session:
        connection = session.connection()
        query = select(HANDOVER.c.site).where(waiting).order_by(HANDOVER.c.run_id).limit(limit)
        sites = list(connection.execute(query.with_for_update()).scalars())
        ours = HANDOVER.c.site.in_(sites)
        connection.execute(
            update(HANDOVER)
            .where(ours)
            .values(state=HandoverState.WORKING.value, claim=HANDOVER.c.claim + 1)
        )
        return [_handover(row) for row in connection.execute(select(HANDOVER).where(ours))]


def put_back(database: Database, claimed: Handover) -> None:
    """It is not over: another slice, or another lane, goes on."""
    _change(database, _by(claimed), HandoverState.WAITING)


def end(database: Database, claimed: Handover, result: str) -> None:
    """The crawl is over; `result` are its counts."""
    _change(database, _by(claimed), HandoverState.DONE, result=result, retryable=True)


def fail(database: Database, claimed: Handover, sentence: str, *, retryable: bool) -> None:
    """The crawl failed."""
    _change(database, _by(claimed), HandoverState.FAILED, result=sentence, retryable=retryable)


def keep_alive(database: Database, lane: str) -> int:
    """A lane says that it is there; how many nights wait for it or are in its work."""
    with database.transaction() as session:
        alive = update(HANDOVER).where(HANDOVER.c.lane == lane, _OPEN)
        changed = session.connection().execute(alive.values(alive_at=database.now(session)))
        return int(changed.rowcount)


def _of(site: str) -> Any:
    return select(HANDOVER).where(HANDOVER.c.site == site)


def _by(claimed: Handover) -> Any:
    return and_(
        HANDOVER.c.site == claimed.site,
        HANDOVER.c.claim == claimed.claim,
        HANDOVER.c.state == HandoverState.WORKING.value,
    )


def _change(database: Database, which: Any, state: HandoverState, **values: Any) -> bool:
    with database.transaction() as session:
        changed = session.connection().execute(
            update(HANDOVER).where(which).values(state=state.value, **values)
        )
        return bool(changed.rowcount)


def _handover(row: Row[Any]) -> Handover:
    values = {name: getattr(row, name) for name in Handover.__slots__}
    return Handover(**{**values, "state": HandoverState(values["state"])})
