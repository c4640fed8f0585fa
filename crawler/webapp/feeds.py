"""The address of the feeds: new datasets of everything, of a site, or of a saved search."""

from fastapi import APIRouter, Request, Response

from crawler.catalog.facade import Catalog
from crawler.webapp.feed import MEDIA_TYPE, FeedAddress, write_feed
from crawler.webapp.parameters import Filters, FiltersGiven
from crawler.webapp.rendering import origin_of, path_to

_ENTRIES = 50


def feed_route(catalog: Catalog) -> APIRouter:
    """The route of the feeds."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/feed.atom", name="feed")
    def feed(request: Request, filters: FiltersGiven) -> Response:
        origin = origin_of(request)
        address = FeedAddress(
            title=f"New datasets{_about(filters)}",
            itself=origin + path_to(request, "feed", query=filters.query()),
            page=origin + path_to(request, "search", query=filters.query()),
            key=repr(sorted(filters.query().items())),
        )
        text = write_feed(
            address,
            catalog.newest(filters.words, **filters.named(), limit=_ENTRIES),
            lambda dataset_id: origin + path_to(request, "dataset", id=dataset_id),
        )
        return Response(text, media_type=MEDIA_TYPE)

    return routes


def _about(filters: Filters) -> str:
    parts = [f"“{filters.words}”"] if filters.words else []
    parts += [value for value in (filters.site, filters.format, filters.verdict) if value]
    return f": {', '.join(parts)}" if parts else ""
