"""What each night announced of a site: every version once, and the same again when asked again."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, FromClause, and_, func, select

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import PUBLICATION, RESOURCE, SITE, VERDICT, VERSION
from crawler.catalog.db.upsert import upsert

MAX_IDS = 1000
"""Ids that are listed: an event is read by many and must stay small."""


@dataclass(frozen=True, slots=True)
class Announced:
    """The versions of one publication, counted."""

    new_files: int
    changed_files: int
    bytes: int
    new_datasets: int
    new_ids: tuple[int, ...]
    """One file of each new dataset, the ID that every surface takes; the first thousand."""
    changed_ids: tuple[int, ...]
    """The changed files, the first thousand."""
    verdicts: Mapping[str, int]
    """How many of the versions got which verdict; those without one are `unchecked`."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to announce."""
        return not self.new_files and not self.changed_files


NOTHING = Announced(0, 0, 0, 0, (), (), {})


def announce(database: Database, site: str, night: str, now: datetime) -> Announced:
    """Announces every version of a site that no other night has announced.

    The same night may ask again: what came in between is added to what it announced before. One
    worker at a time writes to a site, so that its versions appear in the order of their ids.
    """
    with database.transaction() as session:
        connection = session.connection()
        row = connection.execute(
            select(SITE.c.id).where(SITE.c.name == site).with_for_update()
        ).one_or_none()
        if row is None:
            return NOTHING
        newest = _newest_version(connection, row.id)
        mine = and_(PUBLICATION.c.site_id == row.id, PUBLICATION.c.night == night)
        known = connection.execute(select(PUBLICATION).where(mine)).one_or_none()
        others = select(func.max(PUBLICATION.c.upto_version)).where(
            PUBLICATION.c.site_id == row.id, PUBLICATION.c.night != night
        )
        announced_by_others = int(connection.execute(others).scalar() or 0)
        after = known.after_version if known else announced_by_others
        # A later night has announced the rest already when an old one is repeated.
        upto = (
            newest
            if known is None or announced_by_others <= known.upto_version
            else known.upto_version
        )
        upto = max(after, upto)
        key, values = {"site_id": row.id, "night": night}, {"upto_version": upto}
        upsert(session, PUBLICATION, key, values, after_version=after, published_at=now)
        return _announced(connection, row.id, after, upto)


def _newest_version(connection: Connection, site_id: int) -> int:
    query = (
        select(func.max(VERSION.c.id))
        .join_from(VERSION, RESOURCE, RESOURCE.c.id == VERSION.c.resource_id)
        .where(RESOURCE.c.site_id == site_id)
    )
    return int(connection.execute(query).scalar() or 0)


def _announced(connection: Connection, site_id: int, after: int, upto: int) -> Announced:
    versions = (
        select(
            VERSION.c.id,
            VERSION.c.number,
            VERSION.c.size,
            RESOURCE.c.id.label("resource_id"),
            RESOURCE.c.dataset_id,
        )
        .join_from(VERSION, RESOURCE, RESOURCE.c.id == VERSION.c.resource_id)
        .where(RESOURCE.c.site_id == site_id, RESOURCE.c.removed_at.is_(None))
        .where(VERSION.c.id > after, VERSION.c.id <= upto)
        .subquery()
    )
    first = versions.c.number == 1
    # A file that joins a dataset of an earlier night makes no new dataset.
    older = (
        select(VERSION.c.id)
        .join_from(VERSION, RESOURCE, RESOURCE.c.id == VERSION.c.resource_id)
        .where(RESOURCE.c.dataset_id == versions.c.dataset_id, VERSION.c.id <= after)
        .exists()
    )
    new_datasets = (
        select(func.min(versions.c.resource_id).label("file_id"))
        .where(first, ~older)
        .group_by(versions.c.dataset_id)
        .subquery()
    )
    changed = select(versions.c.resource_id).where(~first).distinct().subquery()
    verdicts = (
        select(VERDICT.c.verdict, func.count())
        .select_from(versions.outerjoin(VERDICT, VERDICT.c.version_id == versions.c.id))
        .group_by(VERDICT.c.verdict)
    )
    size = connection.execute(select(func.sum(versions.c.size))).scalar()

    def count(rows: FromClause, *which: ColumnElement[bool]) -> int:
        query = select(func.count()).select_from(rows).where(*which)
        return int(connection.execute(query).scalar_one())

    def ids(column: object) -> tuple[int, ...]:
        query = select(column).order_by(column).limit(MAX_IDS)  # type: ignore[call-overload]
        return tuple(int(row[0]) for row in connection.execute(query))

    return Announced(
        new_files=count(versions, first),
        changed_files=count(changed),
        bytes=int(size or 0),
        new_datasets=count(new_datasets),
        new_ids=ids(new_datasets.c.file_id),
        changed_ids=ids(changed.c.resource_id),
        verdicts={str(row[0] or "unchecked"): int(row[1]) for row in connection.execute(verdicts)},
    )
