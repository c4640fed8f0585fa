"""The JSON API, under /api/v2: the records of the catalog, with the filters of the pages."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import Field

from crawler.catalog.facade import Catalog
from crawler.catalog.read.page_visits import PageVisitList
from crawler.catalog.read.record import Record
from crawler.catalog.read.records import Dataset, FileDetail, VersionList
from crawler.catalog.read.run_changes import RunChangeList
from crawler.catalog.read.runs import RunDetail, RunPage
from crawler.catalog.read.sites import Site, SiteList
from crawler.catalog.search.search import SearchResult
from crawler.webapp.failures import API_PREFIX, Problem
from crawler.webapp.file_preview import TablePreview, preview_of
from crawler.webapp.parameters import (
    PAGE_ITEMS,
    DatasetId,
    FileId,
    FiltersGiven,
    Limit,
    Offset,
    RunId,
    SiteName,
    SiteWanted,
)
from crawler.webapp.preview import Previewer

OLD_PREFIX = "/api/v1"
_ALWAYS: dict[int | str, dict[str, Any]] = {
    422: {"model": Problem, "description": "A parameter is wrong."},
    503: {"model": Problem, "description": "The catalog cannot be reached at the moment."},
}
_ONE: dict[int | str, dict[str, Any]] = {
    404: {"model": Problem, "description": "The catalog has none of that name or number."}
}


class Health(Record):
    """Whether the catalog answers."""

    status: str = Field(examples=["ok"])
    """`ok`; otherwise the answer is 503."""


def api_routes(catalog: Catalog, previewer: Previewer) -> APIRouter:
    """The routes of the API over one catalog."""
    routes = APIRouter(prefix=API_PREFIX, responses=_ALWAYS)

    @routes.get("/search", tags=["files"], summary="Search datasets")
    def search_datasets(
        filters: FiltersGiven, limit: Limit = PAGE_ITEMS, offset: Offset = 0
    ) -> SearchResult:
        """Datasets that have all words and pass all filters, the best first. No words: all.

        The `id` of an item is the ID of its best file, `dataset_id` that of the dataset.
        """
        return catalog.search(filters.words, **filters.named(), limit=limit, offset=offset)

    @routes.get("/files/{id}", tags=["files"], summary="One file", responses=_ONE)
    def show_file(id: FileId) -> FileDetail:  # noqa: A002 - the name that scripts use
        """What it is, where it was seen, its versions, and the verdict on it."""
        return catalog.show(id)

    @routes.get("/files/{id}/versions", tags=["files"], summary="Its versions", responses=_ONE)
    def list_versions(id: FileId) -> VersionList:  # noqa: A002
        """All versions, the newest first. Their bytes: /files/ID/versions/N/download."""
        versions = catalog.history(id)
        return VersionList(total=len(versions), items=tuple(versions))

    @routes.get("/files/{id}/preview", tags=["files"], summary="Its first rows", responses=_ONE)
    def preview_file(
        id: FileId,  # noqa: A002
        table: Annotated[str, Query(max_length=300, description="Another of its tables.")] = "",
    ) -> TablePreview:
        """The first rows of a table, the names of all tables, and the lines that are no rows."""
        shown = preview_of(catalog, previewer, catalog.show(id), asked=True, table=table)
        return TablePreview.model_validate(shown, from_attributes=True)

    @routes.get("/datasets/{id}", tags=["datasets"], summary="One dataset", responses=_ONE)
    def show_dataset(id: DatasetId) -> Dataset:  # noqa: A002
        """The files of the same data. A dataset has an id of its own, not that of a file."""
        return catalog.dataset(id)

    @routes.get("/sites", tags=["sites"], summary="All sites")
    def list_sites() -> SiteList:
        """Every site with its counts."""
        sites = catalog.sites()
        return SiteList(total=len(sites), items=tuple(sites))

    @routes.get("/sites/{name}", tags=["sites"], summary="One site", responses=_ONE)
    def show_site(name: SiteName) -> Site:
        """A site with its counts."""
        return catalog.site(name)

    @routes.get("/runs", tags=["runs"], summary="Runs")
    def list_runs(site: SiteWanted = "", limit: Limit = PAGE_ITEMS, offset: Offset = 0) -> RunPage:
        """Runs of one site or of all, the newest first."""
        return catalog.runs(site, limit=limit, offset=offset)

    @routes.get("/runs/{id}", tags=["runs"], summary="One run", responses=_ONE)
    def show_run(id: RunId) -> RunDetail:  # noqa: A002
        """A run with its curve, its best actions, and why URLs were skipped."""
        return catalog.run(id)

    @routes.get("/runs/{id}/changes", tags=["runs"], summary="What it changed", responses=_ONE)
    def list_changes(id: RunId) -> RunChangeList:  # noqa: A002
        """The files that the run found new, changed or gone."""
        return catalog.changes(id)

    @routes.get("/runs/{id}/visits", tags=["runs"], summary="Its revisits", responses=_ONE)
    def list_visits(id: RunId) -> PageVisitList:  # noqa: A002
        """The known pages that it looked at, why each was chosen, and what came of it."""
        return catalog.visits(id)

    return routes


def old_api_route() -> APIRouter:
    """Leads scripts of the first API on; what it called a dataset was a file."""
    routes = APIRouter(prefix=OLD_PREFIX, include_in_schema=False)

    @routes.get("/{path:path}")
    def moved(request: Request, path: str) -> Response:
        if path == "datasets":
            path = "search"
        elif path.startswith("datasets/"):
            path = f"files/{path.removeprefix('datasets/')}"
        query = f"?{request.url.query}" if request.url.query else ""
        root = str(request.scope.get("root_path", "")).rstrip("/")
        return RedirectResponse(f"{root}{API_PREFIX}/{path}{query}", status_code=308)

    return routes


def health_route(catalog: Catalog) -> APIRouter:
    """Where watchdogs ask."""
    routes = APIRouter(responses={503: _ALWAYS[503]})

    @routes.get("/health", tags=["service"], summary="Whether the catalog answers")
    def show_health() -> Health:
        """The status is ok, or the answer is 503 while the catalog cannot be reached."""
        catalog.database.revision()
        return Health(status="ok")

    return routes
