"""How many requests the fleet, or a person, allots to sites without a budget of their own."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, or_, select

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import ALLOTMENT, AllottedBy
from crawler.catalog.db.texts import plain
from crawler.catalog.db.upsert import insert_into, upsert


@dataclass(frozen=True, slots=True)
class Allotted:
    """The requests of one site, and the reason for their number."""

    site: str
    requests: int
    allotted_by: AllottedBy
    reason: str
    decided_at: datetime
    expires_at: datetime | None = None
    """None when it stays until a person takes it away."""


def write_allotments(database: Database, allotted: Iterable[Allotted]) -> None:
    """Replaces what the fleet allotted before; what a person decided stays."""
    rows = [_row(item) for item in allotted]
    with database.transaction() as session:
        connection = session.connection()
        fleet = ALLOTMENT.c.allotted_by == AllottedBy.FLEET.value
        connection.execute(delete(ALLOTMENT).where(fleet))
        if rows:
            connection.execute(insert_into(session, ALLOTMENT).on_conflict_do_nothing(), rows)


def allot_by_hand(database: Database, allotted: Allotted) -> None:
    """Writes what a person decided, in the place of what was there."""
    with database.transaction() as session:
        upsert(session, ALLOTMENT, {"site": allotted.site}, _row(allotted))


def forget_allotment(database: Database, site: str) -> bool:
    """Takes the allotment of a site away; False when it had none."""
    with database.transaction() as session:
        done = session.connection().execute(delete(ALLOTMENT).where(ALLOTMENT.c.site == site))
        return bool(done.rowcount)


def allotments(database: Database, now: datetime) -> list[Allotted]:
    """Every allotment that counts at this time, by site."""
    query = (
        select(ALLOTMENT)
        .where(or_(ALLOTMENT.c.expires_at.is_(None), ALLOTMENT.c.expires_at > now))
        .order_by(ALLOTMENT.c.site)
    )
    with database.reading() as session:
        return [_allotted(row) for row in session.connection().execute(query)]


def allotment_of(database: Database, site: str, now: datetime) -> Allotted | None:
    """What a site may spend at this time; None when nothing was decided."""
    with database.reading() as session:
        query = select(ALLOTMENT).where(ALLOTMENT.c.site == site)
        row = session.connection().execute(query).one_or_none()
    if row is None or (row.expires_at is not None and row.expires_at <= now):
        return None
    return _allotted(row)


def _row(allotted: Allotted) -> dict[str, Any]:
    cleaned = {"allotted_by": allotted.allotted_by.value, "reason": plain(allotted.reason, 500)}
    return asdict(allotted) | cleaned


def _allotted(row: Row[*tuple[Any, ...]]) -> Allotted:
    return Allotted(**{**row._mapping, "allotted_by": AllottedBy(row.allotted_by)})
