"""The addresses of the feeds: news of everything, a site, a search, a dataset or a file."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from crawler.catalog.facade import Catalog
from crawler.webapp import feed as atom
from crawler.webapp import json_feed
from crawler.webapp.conditional import conditional
from crawler.webapp.feed import Feed, FeedEntry, write_feed
from crawler.webapp.json_feed import write_json_feed
from crawler.webapp.parameters import (
    Before,
    DatasetWanted,
    FileWanted,
    Filters,
    FiltersGiven,
    Limit,
)
from crawler.webapp.rendering import origin_of, path_to

ENTRIES = 50


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a feed is asked for."""

    filters: Filters
    file: int = 0
    dataset: int = 0
    before: int = 0
    limit: int = ENTRIES

    def query(self, before: int = 0) -> dict[str, object]:
        """As parameters of an address."""
        numbers = {
            "file": self.file,
            "dataset": self.dataset,
            "before": before,
            "limit": self.limit if self.limit != ENTRIES else 0,
        }
        return {**self.filters.query(), **{name: value or "" for name, value in numbers.items()}}

    @property
    def key(self) -> str:
        """What the feed is about; parameters that came later count only when they are given."""
        named = self.filters.query()
        named |= {"file": self.file, "dataset": self.dataset}
        added = ("what", "file", "dataset")
        return repr(
            sorted((key, value) for key, value in named.items() if value or key not in added)
        )


def _read_wanted(
    filters: FiltersGiven,
    file: FileWanted = 0,
    dataset: DatasetWanted = 0,
    before: Before = 0,
    limit: Limit = ENTRIES,
) -> _Wanted:
    return _Wanted(filters, file, dataset, before, limit)


_WantedGiven = Annotated[_Wanted, Depends(_read_wanted)]


def feed_route(catalog: Catalog) -> APIRouter:
    """The routes of the feeds."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/feed.atom", name="feed")
    def atom_feed(request: Request, wanted: _WantedGiven) -> Response:
        made = _feed(catalog, request, wanted, "feed")
        return conditional(request, write_feed(made), atom.MEDIA_TYPE, made.updated)

    @routes.get("/feed.json", name="json_feed")
    def feed_as_json(request: Request, wanted: _WantedGiven) -> Response:
        made = _feed(catalog, request, wanted, "json_feed")
        return conditional(request, write_json_feed(made), json_feed.MEDIA_TYPE, made.updated)

    return routes


def _feed(catalog: Catalog, request: Request, wanted: _Wanted, route: str) -> Feed:
    origin, filters = origin_of(request), wanted.filters
    about, page = _about(filters), path_to(request, "search", query=filters.query())
    if wanted.dataset:
        about = f": {catalog.dataset(wanted.dataset).title}"
        page = path_to(request, "dataset", id=wanted.dataset)
    if wanted.file:
        about = f": {catalog.show(wanted.file).title}"
        page = path_to(request, "file", id=wanted.file)
    found = catalog.news(
        filters.words,
        **filters.named(),
        file=wanted.file or None,
        dataset=wanted.dataset or None,
        before=wanted.before or None,
        limit=wanted.limit,
    )

    def address(before: int) -> str:
        return origin + path_to(request, route, query=wanted.query(before))

    return Feed(
        title=f"{filters.what.capitalize() or 'New, changed and gone'} files{about}",
        key=wanted.key,
        itself=address(wanted.before),
        page=origin + page,
        first=address(0),
        next=address(found.next) if found.next is not None else "",
        entries=tuple(
            FeedEntry(news, origin + path_to(request, "file", id=news.id)) for news in found.items
        ),
    )


def _about(filters: Filters) -> str:
    parts = [f"“{filters.words}”"] if filters.words else []
    named = filters.named()
    names = ("site", "format", "verdict", "language", "period", "place", "publisher")
    parts += [str(named[name]) for name in names if named.get(name)]  # type: ignore[literal-required]
    return f": {', '.join(parts)}" if parts else ""
