"""What one run changed: the files that are new, changed or gone since."""

from dataclasses import dataclass

from pydantic import Field
from sqlalchemy import func, select

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import MISSES_UNTIL_GONE, RESOURCE, RUN, VERSION
from crawler.catalog.read.record import Record

MAX_SHOWN = 1_000
"""Files of each kind that a run's page lists."""


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


class ChangedFile(Record):
    """A file that a run found new, changed or gone."""

    id: int = Field(examples=[38])
    """The ID that people and scripts use."""
    title: str = Field(examples=["Live births by region, 2025"])
    """What it is called."""
    format: str = Field(examples=["csv"])
    """Group of file types."""
    what: str = Field(examples=["changed"])
    """new, changed or gone."""


class RunChangeList(Record):
    """What a run changed: counts, and the first files of each kind."""

    new: int = Field(examples=[2])
    """Files that were not known before."""
    changed: int = Field(examples=[1])
    """Known files with other bytes."""
    gone: int = Field(examples=[0])
    """Files that were missing for the second night."""
    more: bool = Field(examples=[False])
    """Whether there are more files than are listed."""
    items: list[ChangedFile] = Field(examples=[[]])
    """The first files of each kind."""


def changed_files(database: Database, run_id: str, limit: int = MAX_SHOWN) -> RunChangeList:
    """The files that a run found new, changed or gone, at most `limit` of each."""
    changes = run_changes(database, run_id)
    kinds = {"new": changes.new, "changed": changes.changed, "gone": changes.gone}
    shown = {file: what for what, ids in kinds.items() for file in ids[:limit]}
    with database.reading() as session:
        query = select(RESOURCE.c.id, RESOURCE.c.title, RESOURCE.c.format)
        rows = session.connection().execute(query.where(RESOURCE.c.id.in_(shown)))
        files = {row.id: ChangedFile.of(row, what=shown[row.id]) for row in rows}
    return RunChangeList(
        new=len(changes.new),
        changed=len(changes.changed),
        gone=len(changes.gone),
        more=any(len(ids) > limit for ids in kinds.values()),
        items=[files[file] for file in shown if file in files],
    )
