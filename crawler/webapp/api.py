"""The JSON API, under /api/v1: the same data and filters as the pages."""

from typing import Any, TypeVar

from fastapi import APIRouter

from crawler.webapp.failures import API_PREFIX, not_found
from crawler.webapp.parameters import (
    PAGE_ITEMS,
    FileId,
    FiltersGiven,
    Limit,
    Offset,
    RunId,
    SiteName,
    SiteWanted,
)
from crawler.webapp.shapes import (
    DatasetDetail,
    DatasetList,
    Health,
    Problem,
    RunDetail,
    RunList,
    Site,
    SiteList,
    VersionList,
)
from crawler.webapp.shelf import Shelf

Thing = TypeVar("Thing")

_ALWAYS: dict[int | str, dict[str, Any]] = {
    422: {"model": Problem, "description": "A parameter is wrong."},
    503: {"model": Problem, "description": "The catalog cannot be reached at the moment."},
}
_ONE: dict[int | str, dict[str, Any]] = {
    404: {"model": Problem, "description": "There is no such thing."}
}


def api_routes(shelf: Shelf) -> APIRouter:
    """The routes of the API over one catalog."""
    routes = APIRouter(prefix=API_PREFIX, responses=_ALWAYS)

    @routes.get("/datasets", tags=["datasets"], summary="Search datasets")
    def list_datasets(
        filters: FiltersGiven, limit: Limit = PAGE_ITEMS, offset: Offset = 0
    ) -> DatasetList:
        """Datasets that have all words and pass all filters, the best first. No words: all."""
        return shelf.search(filters, limit=limit, offset=offset)

    @routes.get("/datasets/{id}", tags=["datasets"], summary="One data file", responses=_ONE)
    def show_dataset(id: FileId) -> DatasetDetail:  # noqa: A002 - the name that scripts use
        """What it is, where it was seen, its versions, and what validation says."""
        return _found(shelf.dataset(id), f"dataset {id}")

    @routes.get(
        "/datasets/{id}/versions", tags=["datasets"], summary="Its versions", responses=_ONE
    )
    def list_versions(id: FileId) -> VersionList:  # noqa: A002
        """All kept versions, the newest first. Their bytes: /datasets/ID/versions/N/download."""
        versions = _found(shelf.dataset(id), f"dataset {id}").versions
        return VersionList(total=len(versions), items=versions)

    @routes.get("/sites", tags=["sites"], summary="All sites")
    def list_sites() -> SiteList:
        """Every site with its counts."""
        sites = shelf.sites()
        return SiteList(total=len(sites), items=sites)

    @routes.get("/sites/{name}", tags=["sites"], summary="One site", responses=_ONE)
    def show_site(name: SiteName) -> Site:
        """A site with its counts."""
        return _found(shelf.site(name), f"site {name}")

    @routes.get("/runs", tags=["runs"], summary="Runs")
    def list_runs(site: SiteWanted = "", limit: Limit = PAGE_ITEMS, offset: Offset = 0) -> RunList:
        """Runs of one site or of all, the newest first."""
        return shelf.runs(site, limit=limit, offset=offset)

    @routes.get("/runs/{id}", tags=["runs"], summary="One run", responses=_ONE)
    def show_run(id: RunId) -> RunDetail:  # noqa: A002
        """A run with its curve, its best actions, and why URLs were skipped."""
        return _found(shelf.run(id), f"run {id}")

    return routes


def health_route(shelf: Shelf) -> APIRouter:
    """Where watchdogs ask."""
    routes = APIRouter(responses={503: _ALWAYS[503]})

    @routes.get("/health", tags=["service"], summary="Whether the catalog answers")
    def show_health() -> Health:
        """The status is ok, or the answer is 503 while the catalog cannot be reached."""
        shelf.check()
        return Health(status="ok")

    return routes


def _found(thing: Thing | None, what: str) -> Thing:
    if thing is None:
        raise not_found(what)
    return thing
