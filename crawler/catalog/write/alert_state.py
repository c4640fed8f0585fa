"""What alerts have told: how far each receiver was told, when, and whether it failed."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from pydantic import Field
from sqlalchemy import or_, select, update
from sqlmodel import Session

from crawler.catalog.db.database import Database
from crawler.catalog.db.news_tables import ALERT, ALERT_TOLD, NEWS
from crawler.catalog.db.texts import MAX_TEXT, fit
from crawler.catalog.db.upsert import insert_into, upsert
from crawler.catalog.read.record import Record, columns_of

CLAIM = timedelta(minutes=10)
"""Longer than any receiver may take; a process that dies leaves its claim for this time."""
FIRST_NEWS = timedelta(days=1)
"""A new alert begins with the news of this time."""


class AlertState(Record):
    """How an alert stands with one of its receivers."""

    begins_after: int = Field(examples=[1200])
    """The news with this number and those before it are never told."""
    sent_at: datetime | None = Field(default=None, examples=["2026-03-02T06:00:04Z"])
    """When it was sent last; null when it never was."""
    sent_items: int = Field(default=0, examples=[4])
    """How many pieces of news that message was about."""
    failed_at: datetime | None = Field(default=None, examples=[None])
    """When it failed, since it was sent last."""
    failure: str = Field(default="", examples=[""])
    """Why it failed."""
    failures: int = Field(default=0, examples=[0])
    """How often it failed since it was sent last."""
    told: dict[int, int] = Field(default_factory=dict, examples=[{1: 1204}])
    """By the id of a site: the number up to which its news was told."""

    def told_upto(self, site_id: int) -> int:
        """The number up to which the news of a site was told."""
        return max(self.begins_after, self.told.get(site_id, 0))


def alert_state(session: Session, name: str, way: str, now: datetime) -> AlertState:
    """How an alert stands; one that was never sent begins with the news of the last day."""
    connection = session.connection()
    query = select(*columns_of(AlertState, ALERT, named={})).where(_own(name, way))
    row = connection.execute(query).one_or_none()
    if row is None:
        old = select(NEWS.c.id).where(NEWS.c.at < now - FIRST_NEWS).order_by(NEWS.c.at.desc())
        before = connection.execute(old.order_by(NEWS.c.id.desc()).limit(1)).scalar()
        return AlertState(begins_after=before or 0)
    told = select(ALERT_TOLD.c.site_id, ALERT_TOLD.c.upto_news).where(
        ALERT_TOLD.c.name == name, ALERT_TOLD.c.way == way
    )
    return AlertState.of(row, told={one.site_id: one.upto_news for one in connection.execute(told)})


def claim_alert(database: Database, name: str, way: str, now: datetime) -> AlertState | None:
    """Takes an alert to send it, and how it stands; None while another process sends it."""
    with database.transaction() as session:
        state = alert_state(session, name, way, now)
        # Where it begins is kept from the first try on, so that a failed one loses nothing.
        values = {"name": name, "way": way, "begins_after": state.begins_after}
        counts = {"sent_items": 0, "failures": 0, "failure": ""}
        session.connection().execute(
            insert_into(session, ALERT)
            .values(**values, **counts)
            .on_conflict_do_nothing(index_elements=["name", "way"])
        )
        free = or_(ALERT.c.claimed_until.is_(None), ALERT.c.claimed_until <= now)
        taken = session.connection().execute(
            update(ALERT).where(_own(name, way), free).values(claimed_until=now + CLAIM)
        )
        return state if taken.rowcount else None


def note_told(
    database: Database, name: str, way: str, told: Mapping[int, int], items: int, now: datetime
) -> None:
    """Records what was told, in one transaction; without items there was nothing to send."""
    with database.transaction() as session:
        for site_id, upto in sorted(told.items()):
            key = {"name": name, "way": way, "site_id": site_id}
            upsert(session, ALERT_TOLD, key, {"upto_news": upto})
        values: dict[str, Any] = {"claimed_until": None}
        if items:
            values |= {"sent_at": now, "sent_items": items}
            values |= {"failed_at": None, "failure": "", "failures": 0}
        session.connection().execute(update(ALERT).where(_own(name, way)).values(values))


def note_failure(database: Database, name: str, way: str, reason: str, now: datetime) -> None:
    """Records that it could not be sent; it is tried again the next time."""
    with database.transaction() as session:
        values = {
            "claimed_until": None,
            "failed_at": now,
            "failure": fit(reason, MAX_TEXT),
            "failures": ALERT.c.failures + 1,
        }
        session.connection().execute(update(ALERT).where(_own(name, way)).values(values))


def _own(name: str, way: str) -> Any:
    return (ALERT.c.name == name) & (ALERT.c.way == way)
