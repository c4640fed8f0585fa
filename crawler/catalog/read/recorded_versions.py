"""Which files of a site the catalog knows, for comparing it with the state of a crawl."""

from collections.abc import Sequence

from sqlalchemy import select

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import RESOURCE, SITE, VERSION
from crawler.catalog.write.titles import url_key

PAGE = 500
"""URLs that are looked up at once."""


def recorded_versions(
    database: Database, site: str, urls: Sequence[str]
) -> dict[tuple[str, str], bool]:
    """URL and SHA-256 of every version of these files; False where its bytes were taken away."""
    spelt = {url_key(url): url for url in urls}
    query = (
        select(
            RESOURCE.c.url_key, VERSION.c.sha256, VERSION.c.blob_removed_at, RESOURCE.c.removed_at
        )
        .join_from(RESOURCE, VERSION, VERSION.c.resource_id == RESOURCE.c.id)
        .join(SITE, SITE.c.id == RESOURCE.c.site_id)
        .where(SITE.c.name == site, RESOURCE.c.url_key.in_(spelt))
    )
    with database.reading() as session:
        rows = session.connection().execute(query).all()
    return {
        (spelt[row.url_key], row.sha256): row.blob_removed_at is None and row.removed_at is None
        for row in rows
    }
