"""Which sites a person has forgotten: lists leave them out, and what is known of them stays."""

import json
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import BOOKMARK
from crawler.catalog.db.upsert import insert_into

_NAME = "forgotten sites"


def forgotten_sites(session: Session) -> set[str]:
    """The names of all sites that were forgotten."""
    query = select(BOOKMARK.c.position).where(BOOKMARK.c.name == _NAME)
    listed = session.connection().execute(query).scalar()
    return set(json.loads(listed)) if listed else set()


def note_forgotten(database: Database, site: str, now: datetime) -> None:
    """Leaves a site out of lists from now on, until it has a site file again."""
    with database.transaction() as session:
        names = json.dumps(sorted({*forgotten_sites(session), site}))
        row = {"name": _NAME, "position": names, "moved_at": now}
        statement = insert_into(session, BOOKMARK).values(row)
        session.connection().execute(
            statement.on_conflict_do_update(index_elements=[BOOKMARK.c.name], set_=row)
        )
