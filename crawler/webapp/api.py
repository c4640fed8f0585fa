"""The JSON API, under /api/v2: the records of the catalog, with the filters of the pages."""

from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import Field

from crawler.catalog.export.dcat import dcat_page
from crawler.catalog.facade import Catalog
from crawler.catalog.read.citation import CitationFormat
from crawler.catalog.read.lookup import FoundFiles
from crawler.catalog.read.news import NewsPage
from crawler.catalog.read.page_visits import PageVisitList
from crawler.catalog.read.record import Record
from crawler.catalog.read.records import Dataset, FileDetail, VersionList
from crawler.catalog.read.run_changes import RunChangeList
from crawler.catalog.read.runs import RunDetail, RunPage
from crawler.catalog.search.result import SearchResult
from crawler.differences.records import FileDifference
from crawler.storage.attachment import attachment
from crawler.webapp.conditional import conditional
from crawler.webapp.failures import API_PREFIX, Problem
from crawler.webapp.file_preview import TablePreview, preview_of
from crawler.webapp.parameters import (
    MAX_ITEMS,
    PAGE_ITEMS,
    AddressGiven,
    AsOfGiven,
    Before,
    CitationWanted,
    CitedVersion,
    DatasetAfter,
    DatasetId,
    DatasetWanted,
    FileId,
    FileWanted,
    FiltersGiven,
    FromVersion,
    Limit,
    Offset,
    RunId,
    SiteName,
    SiteWanted,
    ToVersion,
)
from crawler.webapp.preview import Previewer
from crawler.webapp.rendering import origin_of, path_to
from crawler.webapp.shown_sites import ShownSite, ShownSiteList, shown_site, shown_sites
from crawler.webapp.version_diffs import VersionDiffs

OLD_PREFIX = "/api/v1"
_ALWAYS: dict[int | str, dict[str, Any]] = {
    422: {"model": Problem, "description": "A parameter is wrong."},
    503: {"model": Problem, "description": "The catalog cannot be reached at the moment."},
}
_ONE: dict[int | str, dict[str, Any]] = {
    404: {"model": Problem, "description": "The catalog has none of that name or number."}
}


_JSON_LD = "application/ld+json"
_CITATIONS: dict[str, Any] = {
    form.media_type.partition(";")[0]: {"schema": {"type": "string"}} for form in CitationFormat
}


class Health(Record):
    """Whether the catalog answers."""

    status: str = Field(examples=["ok"])
    """`ok`; otherwise the answer is 503."""


def api_routes(
    catalog: Catalog, previewer: Previewer, diffs: VersionDiffs, sites_dir: Path | None = None
) -> APIRouter:
    """The routes of the API over one catalog."""
    routes = APIRouter(prefix=API_PREFIX, responses=_ALWAYS)

    @routes.get("/search", tags=["files"], summary="Search datasets")
    def search_datasets(
        filters: FiltersGiven,
        as_of: AsOfGiven = "",
        limit: Limit = PAGE_ITEMS,
        offset: Offset = 0,
    ) -> SearchResult:
        """Datasets that a question finds and that pass all filters, the best first. No words: all.

        When no dataset has all words, `did_you_mean` and `partial` say what was answered instead.
        The `id` of an item is the ID of its best file, `dataset_id` that of the dataset.
        """
        return catalog.search(
            filters.words, **filters.named(), as_of=as_of, limit=limit, offset=offset
        )

    @routes.get("/news", tags=["files"], summary="What is new, changed or gone")
    def list_news(
        filters: FiltersGiven,
        file: FileWanted = 0,
        dataset: DatasetWanted = 0,
        before: Before = 0,
        limit: Limit = PAGE_ITEMS,
    ) -> NewsPage:
        """What happened to files, the latest first, of all that a search finds.

        `next` is asked for as `before`: nothing that comes meanwhile shifts the pages. The feeds
        (/feed.atom, /feed.json) have the same with the same parameters.
        """
        return catalog.news(
            filters.words,
            **filters.named(),
            file=file or None,
            dataset=dataset or None,
            before=before or None,
            limit=limit,
        )

    @routes.get("/files/{id}", tags=["files"], summary="One file", responses=_ONE)
    def show_file(id: FileId, as_of: AsOfGiven = "") -> FileDetail:  # noqa: A002 - scripts use it
        """What it is, where it was seen, its versions, and the verdict on it."""
        return catalog.show(id, as_of=as_of)

    @routes.get("/files/{id}/versions", tags=["files"], summary="Its versions", responses=_ONE)
    def list_versions(id: FileId, as_of: AsOfGiven = "") -> VersionList:  # noqa: A002
        """All versions, the newest first. Their bytes: /files/ID/versions/N/download."""
        versions = catalog.history(id, as_of=as_of)
        return VersionList(total=len(versions), items=tuple(versions))

    @routes.get("/files/{id}/diff", tags=["files"], summary="What changed", responses=_ONE)
    def compare_versions(
        id: FileId,  # noqa: A002
        from_version: FromVersion = 0,
        to_version: ToVersion = 0,
    ) -> FileDifference:
        """What a version says otherwise than an older one: columns, rows and figures."""
        return diffs.of(id, from_version or None, to_version or None)

    @routes.get(
        "/files/{id}/citation",
        name="citation",
        tags=["files"],
        summary="How to cite it",
        responses={**_ONE, 200: {"content": _CITATIONS, "description": "The citation."}},
        response_class=Response,
    )
    def cite_file(
        id: FileId,  # noqa: A002
        format: CitationWanted = CitationFormat.TEXT,  # noqa: A002 - the name that scripts use
        version: CitedVersion = 0,
        as_of: AsOfGiven = "",
    ) -> Response:
        """A citation as text, BibTeX or RIS: who, when, what, where, and exactly which bytes."""
        text = catalog.cite(id, format, version or None, as_of=as_of)
        name = f"file-{id}.{format.extension}"
        headers = {} if format is CitationFormat.TEXT else {"Content-Disposition": attachment(name)}
        return Response(text, media_type=format.media_type, headers=headers)

    @routes.get("/lookup", tags=["files"], summary="Files by address or hash")
    def look_up(address: AddressGiven) -> FoundFiles:
        """The files with a URL, or with the SHA-256 of one of their versions; none is no error."""
        return catalog.lookup(address)

    @routes.get("/files/{id}/preview", tags=["files"], summary="Its first rows", responses=_ONE)
    def preview_file(
        id: FileId,  # noqa: A002
        table: Annotated[
            str, Query(max_length=300, description="Another of its tables.", examples=["2024"])
        ] = "",
    ) -> TablePreview:
        """The first rows of a table, the names of all tables, and the lines that are no rows."""
        shown = preview_of(catalog, previewer, catalog.show(id), asked=True, table=table)
        return TablePreview.model_validate(shown, from_attributes=True)

    @routes.get("/datasets/{id}", tags=["datasets"], summary="One dataset", responses=_ONE)
    def show_dataset(id: DatasetId, as_of: AsOfGiven = "") -> Dataset:  # noqa: A002
        """The files of the same data. A dataset has an id of its own, not that of a file."""
        return catalog.dataset(id, as_of=as_of)

    @routes.get(
        "/dcat",
        name="dcat",
        tags=["datasets"],
        summary="Datasets as DCAT-AP",
        responses={
            200: {"content": {_JSON_LD: {"schema": {"type": "object"}}}},
            304: {"description": "The client has the same already."},
        },
        response_class=Response,
    )
    def list_dcat(request: Request, after: DatasetAfter = 0, limit: Limit = MAX_ITEMS) -> Response:
        """DCAT-AP 3 in JSON-LD, page by page in the order of the datasets' ids.

        `hydra:next` and the Link header name the next page. An ETag and If-None-Match spare a
        harvester what it has already.
        """

        def later(last: int) -> str:
            query = {"after": last, "limit": limit}
            return origin_of(request) + path_to(request, "dcat", query=query)

        with catalog.database.reading() as session:
            page = dcat_page(session, after, limit, later)
        answer = conditional(request, page.body, _JSON_LD)
        if page.next_page:
            answer.headers["Link"] = f'<{page.next_page}>; rel="next"'
        return answer

    @routes.get("/sites", tags=["sites"], summary="All sites")
    def list_sites() -> ShownSiteList:
        """Every site with its counts, its state, its schedule and its last runs."""
        sites = shown_sites(catalog, sites_dir)
        return ShownSiteList(total=len(sites), items=tuple(sites))

    @routes.get("/sites/{name}", tags=["sites"], summary="One site", responses=_ONE)
    def show_site(name: SiteName) -> ShownSite:
        """A site with its counts, its state, its schedule and its last runs."""
        return shown_site(catalog, sites_dir, name)

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
