"""The verdicts on the newest versions of a site's files, all together."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import ValidationError
from sqlalchemy import func, select

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import RESOURCE, SITE, VERDICT
from crawler.catalog.read.verdict import each_of
from crawler.validation.outcome import Check, Outcome

_PAGE = 500
_LATEST = (
    select(RESOURCE.c.url, VERDICT.c.verdict, VERDICT.c.kind, VERDICT.c.checks)
    .join(VERDICT, VERDICT.c.version_id == RESOURCE.c.latest_version_id)
    .join(SITE, SITE.c.id == RESOURCE.c.site_id)
    .where(RESOURCE.c.removed_at.is_(None))
)


@dataclass(frozen=True, slots=True)
class LatestVerdict:
    """A file and what was said of its newest version; reasons and profile are left out."""

    url: str
    outcome: Outcome


def sites_with_verdicts(database: Database) -> list[str]:
    """The names of the sites that have any, sorted."""
    query = (
        select(SITE.c.name)
        .where(
            SITE.c.id.in_(
                select(RESOURCE.c.site_id).join(
                    VERDICT, VERDICT.c.version_id == RESOURCE.c.latest_version_id
                )
            )
        )
        .order_by(SITE.c.name)
    )
    with database.reading() as session:
        return list(session.connection().execute(query).scalars())


def verdicts_stamp(database: Database, site: str) -> str:
    """A text that changes when a verdict of the site comes, changes or goes; empty without any."""
    counted = _LATEST.with_only_columns(func.count(), func.max(VERDICT.c.decided_at))
    with database.reading() as session:
        number, last = session.connection().execute(counted.where(SITE.c.name == site)).one()
    return f"{number} {last.isoformat()}" if number else ""


def latest_verdicts(database: Database, site: str, limit: int) -> Iterator[LatestVerdict]:
    """The verdicts of a site, those that were decided last first."""
    query = _LATEST.where(SITE.c.name == site).order_by(
        VERDICT.c.decided_at.desc(), VERDICT.c.version_id.desc()
    )
    with database.reading() as session:
        connection = session.connection(execution_options={"yield_per": _PAGE})
        for row in connection.execute(query.limit(limit)):
            try:
                outcome = Outcome(
                    verdict=row.verdict, kind=row.kind, checks=each_of(Check, row.checks)
                )
            except ValidationError:  # of another version of Tallyho
                continue
            yield LatestVerdict(row.url, outcome)
