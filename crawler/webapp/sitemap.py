"""The sitemap: the pages of all datasets for search engines, in parts of at most 50,000."""

from collections.abc import Callable, Iterable
from xml.sax.saxutils import escape

from fastapi import APIRouter, Request, Response
from sqlalchemy import func, select

from crawler.catalog.db.search_schema import search_document
from crawler.catalog.facade import Catalog
from crawler.webapp.conditional import conditional
from crawler.webapp.failures import not_found
from crawler.webapp.parameters import PartNumber
from crawler.webapp.rendering import origin_of, path_to
from crawler.webapp.wording import machine_time

PART = 50_000
"""Addresses in one file, as https://www.sitemaps.org/protocol.html allows at most."""
MEDIA_TYPE = "application/xml; charset=utf-8"
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
# Pages that cost more than they say, or show the same as others.
_ROBOTS = """User-agent: *
Disallow: {root}/api/
Disallow: {root}/data-docs/
Disallow: {root}/files/*/table
Disallow: {root}/files/*/diff
Disallow: {root}/*?
Sitemap: {sitemap}
"""


def sitemap_routes(catalog: Catalog) -> APIRouter:
    """The addresses of sitemap and robots.txt."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/sitemap.xml", name="sitemap")
    def sitemap(request: Request) -> Response:
        last = _last_dataset(catalog)
        if last <= PART:
            return conditional(request, _pages(catalog, request, 1), MEDIA_TYPE)
        origin = origin_of(request)
        parts = (
            (origin + path_to(request, "sitemap_part", number=number), "")
            for number in range(1, -(-last // PART) + 1)
        )
        return conditional(request, _written("sitemapindex", "sitemap", parts), MEDIA_TYPE)

    @routes.get("/sitemap-{number}.xml", name="sitemap_part")
    def sitemap_part(request: Request, number: PartNumber) -> Response:
        if (number - 1) * PART >= max(_last_dataset(catalog), 1):
            raise not_found(f"part {number} of the sitemap")
        return conditional(request, _pages(catalog, request, number), MEDIA_TYPE)

    @routes.get("/robots.txt", name="robots")
    def robots(request: Request) -> Response:
        root = str(request.scope.get("root_path", "")).rstrip("/")
        sitemap = origin_of(request) + path_to(request, "sitemap")
        return Response(_ROBOTS.format(root=root, sitemap=sitemap), media_type="text/plain")

    return routes


def _last_dataset(catalog: Catalog) -> int:
    query = select(func.max(search_document.c.dataset_id))
    with catalog.database.reading() as session:
        return int(session.connection().execute(query).scalar() or 0)


def _pages(catalog: Catalog, request: Request, number: int) -> bytes:
    """A part by the ids of datasets: it can have fewer addresses, and never more."""
    ids = search_document.c.dataset_id
    query = (
        select(ids, search_document.c.changed_at)
        .where(ids > (number - 1) * PART, ids <= number * PART)
        .order_by(ids)
    )
    with catalog.database.reading() as session:
        rows = session.connection().execute(query).all()
    page_of = _page_of(request)
    pages = ((page_of(row.dataset_id), machine_time(row.changed_at)) for row in rows)
    return _written("urlset", "url", pages)


def _page_of(request: Request) -> Callable[[int], str]:
    """The route is looked up once, not fifty thousand times."""
    some = origin_of(request) + path_to(request, "dataset", id=1)
    return lambda dataset_id: f"{some[:-1]}{dataset_id}"


def _written(root: str, element: str, entries: Iterable[tuple[str, str]]) -> bytes:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<{root} xmlns="{_NAMESPACE}">']
    for address, changed in entries:
        when = f"<lastmod>{changed}</lastmod>" if changed else ""
        lines.append(f"<{element}><loc>{escape(address)}</loc>{when}</{element}>")
    return "\n".join([*lines, f"</{root}>", ""]).encode()
