"""The application: pages, API, feeds and downloads over one catalog."""

from importlib.metadata import version

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from crawler.catalog.facade import Catalog
from crawler.webapp.api import api_routes, health_route, old_api_route
from crawler.webapp.data_docs import data_docs_routes
from crawler.webapp.downloads import download_routes
from crawler.webapp.failures import API_PREFIX, install_failures
from crawler.webapp.feeds import feed_route
from crawler.webapp.guard import Guard
from crawler.webapp.headers import POLICY, SafeHeaders, policy_with
from crawler.webapp.host import Host
from crawler.webapp.pages import guide_route, page_routes
from crawler.webapp.preview import Previewer
from crawler.webapp.rendering import LEAVE_FRAME, STATIC


class CatalogApp(FastAPI):
    """A FastAPI application whose every answer, also of a failure, has safe headers."""

    def build_middleware_stack(self) -> ASGIApp:
        """The layers of Starlette, inside ours."""
        policy = policy_with(LEAVE_FRAME) if self.state.host is not None else POLICY
        return SafeHeaders(super().build_middleware_stack(), policy)


def create_app(catalog: Catalog, host: Host | None = None) -> FastAPI:
    """The application for a catalog; it may be mounted under a prefix of another one.

    With a host, it answers only those whom the host admits.
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
    previewer = Previewer()
    app.include_router(page_routes(catalog, previewer))
    app.include_router(download_routes(catalog))
    app.include_router(data_docs_routes(catalog))
    app.include_router(feed_route(catalog))
    app.include_router(guide_route(app.openapi))
    app.include_router(api_routes(catalog, previewer))
    app.include_router(old_api_route())
    app.include_router(health_route(catalog))
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app
