"""INSERT … ON CONFLICT, which both databases have and SQLAlchemy spells once for each."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Table, select
from sqlmodel import Session

from crawler.catalog.db.models import BOOKMARK


def bookmark(session: Session, name: str) -> str:
    """Where a task of upkeep continues; empty when it begins."""
    query = select(BOOKMARK.c.position).where(BOOKMARK.c.name == name)
    return str(session.connection().execute(query).scalar() or "")


def move_bookmark(session: Session, name: str, position: str, now: datetime) -> None:
    """Records where a long task of upkeep continues."""
    upsert(session, BOOKMARK, {"name": name}, {"position": position, "moved_at": now})


def upsert(
    session: Session, table: Table, key: Mapping[str, Any], values: Mapping[str, Any], **new: Any
) -> None:
    """Writes the row of a key, whether it is there or not; `new` is for one that is not."""
    statement = insert_into(session, table).values({**key, **values, **new})
    session.connection().execute(
        statement.on_conflict_do_update(index_elements=list(key), set_=dict(values))
    )


def insert_into(session: Session, table: Table) -> Any:
    """An INSERT with on_conflict_do_update and on_conflict_do_nothing, for this database."""
    # Imported here: each of them takes long, and a process needs one at most.
    if session.get_bind().dialect.name == "sqlite":
        from sqlalchemy.dialects import sqlite

        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)
