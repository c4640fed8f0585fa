"""INSERT … ON CONFLICT, which both databases have and SQLAlchemy spells once for each."""

from datetime import datetime
from typing import Any

from sqlalchemy import Table
from sqlmodel import Session

from crawler.catalog.db.models import BOOKMARK


def move_bookmark(session: Session, name: str, position: str, now: datetime) -> None:
    """Records where a long task of upkeep continues."""
    row = {"position": position, "moved_at": now}
    statement = insert_into(session, BOOKMARK).values(name=name, **row)
    statement = statement.on_conflict_do_update(index_elements=["name"], set_=row)
    session.connection().execute(statement)


def insert_into(session: Session, table: Table) -> Any:
    """An INSERT with on_conflict_do_update and on_conflict_do_nothing, for this database."""
    # Imported here: each of them takes long, and a process needs one at most.
    if session.get_bind().dialect.name == "sqlite":
        from sqlalchemy.dialects import sqlite

        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)
