"""The application: pages, API, feeds and downloads over one catalog."""

import gc
import threading
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from crawler.catalog.facade import Catalog
from crawler.pipeline.report.site_view import site_views
from crawler.webapp.alerts import alert_routes
from crawler.webapp.api import api_routes, health_route, old_api_route
from crawler.webapp.data_docs import data_docs_routes
from crawler.webapp.downloads import download_routes
from crawler.webapp.examples import add_examples
from crawler.webapp.failures import API_PREFIX, install_failures
from crawler.webapp.feeds import feed_route
from crawler.webapp.first_questions import ask_first_questions
from crawler.webapp.guard import Guard
from crawler.webapp.headers import POLICY, SafeHeaders, policy_with
from crawler.webapp.host import Host
from crawler.webapp.metrics_page import metrics_route
from crawler.webapp.pages import guide_route, page_routes
from crawler.webapp.preview import Previewer
from crawler.webapp.rendering import LEAVE_FRAME, STATIC
from crawler.webapp.sitemap import sitemap_routes
from crawler.webapp.version_diffs import VersionDiffs
from crawler.webapp.viewer.routes import viewer_routes
from crawler.webapp.viewer.table_viewer import TableViewer


class CatalogApp(FastAPI):
    """A FastAPI application whose every answer, also of a failure, has safe headers."""

    def build_middleware_stack(self) -> ASGIApp:
        """The layers of Starlette, inside ours."""
        policy = policy_with(LEAVE_FRAME) if self.state.host is not None else POLICY
        return SafeHeaders(super().build_middleware_stack(), policy)

    def warm_up(self) -> threading.Thread:
        """Does in the background what the first visitors would wait for.

        Each kind of question is asked once, the readers of files start and read a small file,
        stemmers, thesaurus and site files are read, and the document of the API is written.
        """

        def prepare() -> None:
            ask_first_questions(self.state.catalog)
            for part in self.state.slow_to_start:
                part.warm_up()
            site_views({}, self.state.sites_dir, datetime.now(UTC))
            self.openapi()
            # What is there now stays: to look through it for garbage takes a fifth of a second,
            # of whichever visitor comes at that moment.
            gc.collect()
            gc.freeze()

        thread = threading.Thread(target=prepare, name="warm-up", daemon=True)
        thread.start()
        return thread

    def openapi(self) -> dict[str, Any]:
        """The document of the API, with an example of every answer."""
        if self.openapi_schema is None:
            add_examples(super().openapi())
        return super().openapi()


def create_app(
    catalog: Catalog,
    host: Host | None = None,
    sites_dir: Path | None = None,
    alerts_dir: Path | None = None,
) -> CatalogApp:
    """The application for a catalog; it may be mounted under a prefix of another one.

    With a host, it answers only those whom the host admits; with the folder of the site files, its
    pages of sites have schedules, and sites that were never crawled; with that of the alert files,
    it has pages of alerts.
    """
    app = CatalogApp(
        title="Tallyho catalog",
        version=version("tallyho"),
        summary="Data files of statistics websites: where they came from, what they are.",
        # The interactive pages of FastAPI load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{API_PREFIX}/openapi.json",
    )
    app.state.host = host
    if host is not None:
        app.add_middleware(Guard, host=host)
    install_failures(app)
    previewer, diffs, viewer = Previewer(), VersionDiffs(catalog), TableViewer(catalog)
    app.state.slow_to_start = (previewer, viewer, diffs)
    app.state.catalog = catalog
    app.state.sites_dir = sites_dir
    app.include_router(page_routes(catalog, previewer, diffs, sites_dir))
    app.include_router(viewer_routes(catalog, viewer))
    app.include_router(download_routes(catalog))
    app.include_router(data_docs_routes(catalog))
    app.include_router(feed_route(catalog))
    app.include_router(sitemap_routes(catalog))
    app.include_router(alert_routes(catalog, alerts_dir))
    app.include_router(guide_route(app.openapi))
    app.include_router(api_routes(catalog, previewer, diffs, sites_dir))
    app.include_router(old_api_route())
    app.include_router(health_route(catalog))
    app.include_router(metrics_route(catalog, sites_dir))
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app
