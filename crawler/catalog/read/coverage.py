"""How much of each site was looked at lately."""

from datetime import datetime

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from crawler.catalog.db.models import RESOURCE, SITE


def seen_since(session: Session, moment: datetime) -> dict[str, float]:
    """By site, the share of its files that were seen since then; gone and removed ones left out."""
    seen = func.sum(case((RESOURCE.c.last_seen >= moment, 1), else_=0))
    query = (
        select(SITE.c.name, seen, func.count())
        .join_from(RESOURCE, SITE, SITE.c.id == RESOURCE.c.site_id)
        .where(RESOURCE.c.removed_at.is_(None), RESOURCE.c.gone_since.is_(None))
        .group_by(SITE.c.name)
    )
    rows = session.connection().execute(query)
    return {name: int(lately) / files for name, lately, files in rows}
