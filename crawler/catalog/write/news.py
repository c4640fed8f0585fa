"""News: what happens to files, written in the transaction that makes it happen."""

from datetime import datetime

from sqlalchemy import bindparam, insert, text
from sqlmodel import Session

from crawler.catalog.db.news_tables import NEWS, What

_ADD = insert(NEWS).values(
    {name: bindparam(name) for name in ("site_id", "resource_id", "version_id", "what", "at")}
)
_NEWS_LOCK = 0x7A11_4001
_ONE_AFTER_THE_OTHER = text(f"SELECT pg_advisory_xact_lock({_NEWS_LOCK})")


def record_news(
    session: Session, what: What, *, site: int, resource: int, version: int, at: datetime
) -> None:
    """Writes what happened to a file; to be called at the very end of a transaction.

    The lock is held until the commit, so that news appears in the order of its ids: who has read
    up to one of them has missed none. SQLite has one writer at a time anyway.
    """
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        connection.execute(_ONE_AFTER_THE_OTHER)
    connection.execute(
        _ADD,
        {
            "site_id": site,
            "resource_id": resource,
            "version_id": version,
            "what": what.value,
            "at": at,
        },
    )
