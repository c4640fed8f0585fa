"""What each night announced of a site: every version once, and the same again when asked again."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, and_, func, select

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import PUBLICATION, RESOURCE, SITE, VERDICT, VERSION
from crawler.catalog.db.upsert import insert_into

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
        values = {
            "site_id": row.id,
            "night": night,
            "after_version": after,
            "upto_version": max(after, upto),
            "published_at": now,
        }
        connection.execute(
            insert_into(session, PUBLICATION)
            .values(values)
            .on_conflict_do_update(
                index_elements=[PUBLICATION.c.site_id, PUBLICATION.c.night],
                set_={"upto_version": max(after, upto)},
            )
        )
        return _announced(connection, row.id, after, max(after, upto))


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
    sums = connection.execute(
        select(func.count(versions.c.id), func.coalesce(func.sum(versions.c.size), 0))
    ).one()
    new_files = connection.execute(
        select(func.count()).select_from(versions).where(first)
    ).scalar_one()

    def count(rows: object) -> int:
        return int(connection.execute(select(func.count()).select_from(rows)).scalar_one())  # type: ignore[arg-type]

    def ids(column: object) -> tuple[int, ...]:
        query = select(column).order_by(column).limit(MAX_IDS)  # type: ignore[call-overload]
        return tuple(int(row[0]) for row in connection.execute(query))

    return Announced(
        new_files=int(new_files),
        changed_files=count(changed),
        bytes=int(sums[1]),
        new_datasets=count(new_datasets),
        new_ids=ids(new_datasets.c.file_id),
        changed_ids=ids(changed.c.resource_id),
        verdicts={str(row[0] or "unchecked"): int(row[1]) for row in connection.execute(verdicts)},
    )
