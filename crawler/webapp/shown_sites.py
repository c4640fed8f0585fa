"""Sites as the API shows them: what is in the catalog, and how each stands."""

from datetime import UTC, datetime
from pathlib import Path

from pydantic import Field

from crawler.catalog.facade import Catalog
from crawler.catalog.read.record import Record
from crawler.catalog.read.sites import Site, never_crawled
from crawler.catalog.read.standings import standings
from crawler.errors import NotInCatalog
from crawler.pipeline.report.site_view import SiteView, site_views


class ShownSite(Site, SiteView):
    """A website: how much of it is in the catalog, what was done, and what comes next."""


class ShownSiteList(Record):
    """All sites: those of the catalog, and those of site files that were never crawled."""

    total: int = Field(examples=[1])
    """How many there are."""
    items: tuple[ShownSite, ...]
    """By name."""


def shown_sites(catalog: Catalog, sites_dir: Path | None) -> list[ShownSite]:
    """Every site, also one that somebody has forgotten but whose files are still there."""
    counts = {site.name: site for site in catalog.sites()}
    known = standings(catalog.database, history=False)
    views = site_views(known, sites_dir, datetime.now(UTC), also=counts)
    return [_both(view, counts.get(view.name)) for view in views]


def shown_site(catalog: Catalog, sites_dir: Path | None, name: str) -> ShownSite:
    """One site; NotInCatalog when there is neither a file nor a record of it."""
    known = standings(catalog.database, history=False)
    views = site_views(known, sites_dir, datetime.now(UTC), also=known)
    view = next((view for view in views if view.name == name), None)
    if view is None:
        raise NotInCatalog(f"the catalog has no site {name}")
    return _both(view, catalog.site(name) if name in known else None)


def _both(view: SiteView, counts: Site | None) -> ShownSite:
    site = counts or never_crawled(view.name, view.start_url)
    return ShownSite.model_validate({**dict(site), **dict(view)})
