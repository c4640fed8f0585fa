"""What a site file says about the site, in the catalog: used where pages say nothing."""

from sqlalchemy import select, update

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import DATASET, SITE
from crawler.catalog.db.texts import MAX_TEXT, plain
from crawler.catalog.search.reindex import reindex_later
from crawler.config.site import SiteConfig

DESCRIBED = ("title", "publisher", "licence", "homepage")
"""The keys of a site file that describe the site, and columns of its row."""


def describe_site(database: Database, site: SiteConfig) -> None:
    """Takes over what the site file says now; its datasets are indexed again where it changed."""
    said = {name: plain(getattr(site, name), MAX_TEXT) for name in DESCRIBED}
    columns = [SITE.c[name] for name in DESCRIBED]
    with database.transaction() as session:
        connection = session.connection()
        known = connection.execute(select(SITE.c.id, *columns).where(SITE.c.name == site.name))
        row = known.one_or_none()
        if row is None or all(row._mapping[name] == text for name, text in said.items()):
            return
        connection.execute(update(SITE).where(SITE.c.id == row.id).values(said))
        has_datasets = select(DATASET.c.id).where(DATASET.c.site_id == row.id).limit(1)
        if connection.execute(has_datasets).first() is not None:
            reindex_later(session, database)
