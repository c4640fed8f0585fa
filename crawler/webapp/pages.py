"""The pages: search, file, dataset, site, run. They work without JavaScript."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from crawler.catalog.facade import Catalog
from crawler.catalog.read.citation import CitationFormat, cite
from crawler.catalog.read.records import FileDetail
from crawler.catalog.read.runs import Run
from crawler.catalog.read.sites import never_crawled
from crawler.catalog.read.standings import standings
from crawler.catalog.read.verdict import DATA_DOCS
from crawler.catalog.search.facets import Facets
from crawler.catalog.search.result import SearchResult
from crawler.pipeline.report.site_view import SiteView, site_views
from crawler.webapp.data_docs import docs_page
from crawler.webapp.failures import API_PREFIX
from crawler.webapp.file_preview import latest_version, preview_of
from crawler.webapp.host import Host
from crawler.webapp.json_ld import dataset_node, file_node, in_page
from crawler.webapp.parameters import (
    MAX_OFFSET,
    PAGE_ITEMS,
    DatasetId,
    FileId,
    Filters,
    FiltersGiven,
    FromVersion,
    PageNumber,
    RunId,
    SiteName,
    ToVersion,
)
from crawler.webapp.plot import draw_curve
from crawler.webapp.preview import Previewer
from crawler.webapp.rendering import origin_of, path_to, render
from crawler.webapp.snippets import Snippet, snippets
from crawler.webapp.version_diffs import VersionDiffs
from crawler.webapp.wording import stop_words

_NEWEST = 10
_REFERENCES = (CitationFormat.BIBTEX, CitationFormat.RIS)
_RUNS = 20
_SKIPS = 30
_DIFFERENCES = 100
SHOWN = {
    "max_reasons": 20,
    "max_checks": 200,
    "max_tables": 10,
    "max_columns": 50,
    "max_dropped": 20,
}
"""What a file's page lists of its validation; the API has all."""


def page_routes(
    catalog: Catalog, previewer: Previewer, diffs: VersionDiffs, sites_dir: Path | None = None
) -> APIRouter:
    """The routes of the pages over one catalog."""
    routes = APIRouter(include_in_schema=False)

    def views() -> list[SiteView]:
        return site_views(standings(catalog.database, history=False), sites_dir, datetime.now(UTC))

    @routes.get("/", name="search")
    def search(request: Request, filters: FiltersGiven, page: PageNumber = 1) -> Response:
        result = catalog.search(
            filters.words, **filters.named(), limit=PAGE_ITEMS, offset=(page - 1) * PAGE_ITEMS
        )
        return render(
            request,
            "search.html",
            filters=filters,
            result=result,
            page=page,
            pages=_pages(result),
            choices=_choices(result, filters),
        )

    @routes.get("/files/{id}", name="file")
    def file(
        request: Request,
        id: FileId,  # noqa: A002
        preview: bool = False,
        table: Annotated[str, Query(max_length=300)] = "",
    ) -> Response:
        shown = catalog.show(id)
        asked = preview or bool(table)
        return render(
            request,
            "file.html",
            shown=shown,
            preview=preview_of(catalog, previewer, shown, asked=asked, table=table),
            latest=latest_version(shown),
            docs_page=_docs_page(shown),
            json_ld=in_page(
                file_node(
                    shown,
                    _absolute(request, "file", shown.id),
                    _home(request),
                    lambda number: _absolute(request, "download", number),
                    _absolute(request, "dataset", shown.dataset_id),
                )
            ),
            snippets=_snippets(request, shown) if latest_version(shown) else (),
            citations=[(form, cite(shown, form)) for form in _REFERENCES],
            **SHOWN,
        )

    @routes.get("/files/{id}/diff", name="diff")
    def diff(
        request: Request,
        id: FileId,  # noqa: A002
        from_version: FromVersion = 0,
        to_version: ToVersion = 0,
    ) -> Response:
        found = diffs.of(id, from_version or None, to_version or None)
        return render(
            request,
            "diff.html",
            shown=catalog.show(id),
            found=found,
            max_shown=_DIFFERENCES,
            api_link=f"{request.scope.get('root_path', '')}{API_PREFIX}/files/{id}/diff"
            f"?from={found.from_version}&to={found.to_version}",
        )

    @routes.get("/datasets/{id}", name="dataset")
    def dataset(request: Request, id: DatasetId) -> Response:  # noqa: A002
        shown = catalog.dataset(id)
        node = dataset_node(
            shown,
            _absolute(request, "dataset", id),
            _home(request),
            lambda number: _absolute(request, "download", number),
        )
        return render(request, "dataset.html", shown=shown, json_ld=in_page(node))

    @routes.get("/sites", name="sites")
    def sites(request: Request) -> Response:
        return render(
            request,
            "sites.html",
            views=views(),
            counts={site.name: site for site in catalog.sites()},
            has_files=sites_dir is not None,
        )

    @routes.get("/sites/{name}", name="site")
    def site(request: Request, name: SiteName, page: PageNumber = 1) -> Response:
        view = next((view for view in views() if view.name == name), None)
        # A site of a file that was never crawled has a page, too.
        if view is None or view.last_run is not None:
            shown = catalog.site(name)
        else:
            shown = never_crawled(view.name, view.start_url)
        return render(
            request,
            "site.html",
            site=shown,
            view=view,
            has_files=sites_dir is not None,
            has_data_docs=docs_page(catalog, name, "index.html") is not None,
            runs=catalog.runs(name, limit=_RUNS, offset=(page - 1) * _RUNS),
            newest=catalog.newest(site=name, limit=_NEWEST),
            page=page,
        )

    @routes.get("/runs/{id}", name="run")
    def run(request: Request, id: RunId) -> Response:  # noqa: A002
        shown = catalog.run(id)
        return render(
            request,
            "run.html",
            run=shown,
            curve=draw_curve(shown.curve),
            stopped=stop_words(shown.stop_reason, shown.stop_detail, bool(shown.ended_at)),
            skipped=list(shown.skipped.items())[:_SKIPS],
            changes=catalog.changes(id),
            visits=catalog.visits(id),
            night_address=_night_address(request, shown),
        )

    return routes


def guide_route(document: Callable[[], dict[str, object]]) -> APIRouter:
    """The page about the API, written from its OpenAPI document."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/api", name="guide")
    def guide(request: Request) -> Response:
        return render(
            request,
            "guide.html",
            document=document(),
            origin=origin_of(request),
            prefix=request.scope.get("root_path", ""),
        )

    return routes


def _snippets(request: Request, shown: FileDetail) -> list[Snippet]:
    host: Host | None = request.app.state.host
    rows, download = (_absolute(request, name, shown.id) for name in ("rows", "download"))
    return snippets(shown, rows, download, host.name if host else "")


def _absolute(request: Request, name: str, number: int) -> str:
    return origin_of(request) + path_to(request, name, id=number)


def _home(request: Request) -> str:
    return origin_of(request) + path_to(request, "search")


def _night_address(request: Request, run: Run) -> str | None:
    host: Host | None = request.app.state.host
    return host.night_address(run.site, run.night) if host is not None and run.night else None


def _pages(result: SearchResult) -> int:
    reachable = min(result.total, MAX_OFFSET)
    return max(1, -(-reachable // PAGE_ITEMS))


def _choices(result: SearchResult, filters: Filters) -> dict[str, list[tuple[str, int | None]]]:
    """What each filter offers: the facets, and always what is chosen now."""
    offered: dict[str, list[tuple[str, int | None]]] = {}
    for name in Facets.model_fields:
        values = getattr(result.facets, name)
        chosen = getattr(filters, name)
        offered[name] = [(value.value, value.count) for value in values]
        if chosen and chosen not in {value.value for value in values}:
            offered[name].append((chosen, None))
    return offered


def _docs_page(shown: FileDetail) -> str:
    """The path of its Data Docs below those of the site."""
    return shown.check.data_docs.removeprefix(f"{DATA_DOCS}/{shown.site}/") if shown.check else ""
