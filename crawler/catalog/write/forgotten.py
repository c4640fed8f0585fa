"""Which sites a person has forgotten: lists leave them out, and what is known of them stays."""

import json
from datetime import datetime

from sqlmodel import Session

from crawler.catalog.db.database import Database
from crawler.catalog.db.upsert import bookmark, move_bookmark

_NAME = "forgotten sites"


def forgotten_sites(session: Session) -> set[str]:
    """The names of all sites that were forgotten."""
    return set(json.loads(bookmark(session, _NAME) or "[]"))


def note_forgotten(database: Database, site: str, now: datetime) -> None:
    """Leaves a site out of lists from now on, until it has a site file again."""
    with database.transaction() as session:
        names = json.dumps(sorted({*forgotten_sites(session), site}))
        move_bookmark(session, _NAME, names, now)
