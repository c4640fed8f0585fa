"""What one run changed: the files that are new, changed or gone since."""

from dataclasses import dataclass

from sqlalchemy import func, select

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import CrawlRun, Resource, Version
from crawler.catalog.db.upsert import table_of
from crawler.catalog.write.ingest import MISSES_UNTIL_GONE

RESOURCE, VERSION, RUN = table_of(Resource), table_of(Version), table_of(CrawlRun)


@dataclass(frozen=True, slots=True)
class RunChanges:
    """IDs of files, in their order."""

    new: tuple[int, ...] = ()
    """Files whose first version came with the run."""
    changed: tuple[int, ...] = ()
    """Known files with a version of this run."""
    gone: tuple[int, ...] = ()
    """Files that were missing for the second night."""


def run_changes(database: Database, run_id: str) -> RunChanges:
    """What a run changed; nothing when there is no such run."""
    with database.reading() as session:
        connection = session.connection()
        run = connection.execute(
            select(RUN.c.site_id, RUN.c.started_at).where(RUN.c.id == run_id)
        ).one_or_none()
        if run is None:
            return RunChanges()
        versions = (
            select(VERSION.c.resource_id, func.min(VERSION.c.number).label("first"))
            .where(VERSION.c.run_id == run_id)
            .group_by(VERSION.c.resource_id)
            .order_by(VERSION.c.resource_id)
        )
        numbers = list(connection.execute(versions))
        gone = select(RESOURCE.c.id).where(
            RESOURCE.c.site_id == run.site_id,
            RESOURCE.c.gone_since.is_not(None),
            RESOURCE.c.missed == MISSES_UNTIL_GONE,
            RESOURCE.c.missed_at >= run.started_at,
        )
        return RunChanges(
            new=tuple(row.resource_id for row in numbers if row.first == 1),
            changed=tuple(row.resource_id for row in numbers if row.first > 1),
            gone=tuple(connection.execute(gone.order_by(RESOURCE.c.id)).scalars()),
        )
