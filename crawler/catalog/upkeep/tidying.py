"""What the dead leave behind in the catalog, and the statistics that its queries rely on."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import and_, func, or_, select, text, update

from crawler.catalog.db.count_schema import count_files
from crawler.catalog.db.database import Database
from crawler.catalog.db.models import DATASET, LEASE, RESOURCE, RUN, SITE, VERSION
from crawler.catalog.write.lease import MAX_AHEAD
from crawler.catalog.write.runs import abandoned_runs, close_run

AGE_OF_THE_DEAD = timedelta(days=2)
"""A run that pauses between two slices looks abandoned; after this time it is."""


@dataclass(frozen=True, slots=True)
class CatalogFigures:
    """How much is in the catalog."""

    sites: int
    datasets: int
    files: int
    versions: int
    bytes: int
    """Of all versions whose bytes are kept; the same bytes count once per version."""
    runs: int


def free_expired_leases(database: Database) -> list[str]:
    """Frees the sites whose holder died; gives their names."""
    with database.transaction() as session:
        connection, now = session.connection(), database.now(session)
        dead = and_(
            or_(LEASE.c.expires_at <= now, LEASE.c.expires_at > now + MAX_AHEAD),
            LEASE.c.holder != "",
        )
        expired = select(LEASE.c.site_id).where(dead)
        names = select(SITE.c.name).where(SITE.c.id.in_(expired)).order_by(SITE.c.name)
        freed = [str(row.name) for row in connection.execute(names)]
        connection.execute(update(LEASE).where(dead).values(holder="", expires_at=None))
        return freed


def close_abandoned_runs(database: Database, now: datetime, stop_reason: str) -> list[str]:
    """Records an end for runs whose process died long ago; one that resumes is opened again."""
    detail = "its process ended without saying why"
    dead = abandoned_runs(database, before=now - AGE_OF_THE_DEAD)
    return [run for run in dead if close_run(database, run, stop_reason, detail, now)]


def refresh_statistics(database: Database) -> CatalogFigures:
    """Counts what is there, and renews what the database plans its queries by."""
    with database.transaction() as session:
        count_files(session.connection())
    with database.transaction() as session:
        session.connection().execute(text("ANALYZE"))
    with database.reading() as session:
        connection = session.connection()
        counts = [
            int(connection.execute(select(func.count()).select_from(table)).scalar_one())
            for table in (SITE, DATASET, RESOURCE, VERSION, RUN)
        ]
        kept = select(func.coalesce(func.sum(VERSION.c.size), 0)).where(
            VERSION.c.blob_removed_at.is_(None)
        )
        size = int(connection.execute(kept).scalar_one())
    sites, datasets, files, versions, runs = counts
    return CatalogFigures(sites, datasets, files, versions, size, runs)
