"""INSERT … ON CONFLICT, which both databases have and SQLAlchemy spells once for each."""

from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects import sqlite
from sqlmodel import Session


def insert_into(session: Session, table: Table) -> Any:
    """An INSERT with on_conflict_do_update and on_conflict_do_nothing, for this database."""
    if session.get_bind().dialect.name == "sqlite":
        return sqlite.insert(table)
    # Not at the top: a search in SQLite would wait for the drivers of PostgreSQL.
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)
