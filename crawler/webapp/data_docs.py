"""Data Docs: the pages of the expectation suites and their results, from the store."""

from fastapi import APIRouter, Response
from fastapi.responses import RedirectResponse
from starlette.requests import Request

from crawler.catalog.facade import Catalog
from crawler.catalog.read.verdict import DATA_DOCS
from crawler.webapp.failures import not_found
from crawler.webapp.headers import DOCS_POLICY, HOSTED_DOCS_POLICY
from crawler.webapp.parameters import SiteName
from crawler.webapp.rendering import path_to

_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "png": "image/png",
}
"""What is served; anything else is not there."""


def data_docs_routes(catalog: Catalog) -> APIRouter:
    """The routes of the Data Docs over one store."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/data-docs/{site}", name="data_docs_of_site")
    def data_docs_of_site(request: Request, site: SiteName) -> Response:
        return RedirectResponse(path_to(request, "data_docs", site=site, path="index.html"))

    @routes.get("/data-docs/{site}/{path:path}", name="data_docs")
    def data_docs(request: Request, site: SiteName, path: str) -> Response:
        media_type = _TYPES.get(path.rpartition(".")[2])
        page = docs_page(catalog, site, path) if media_type else None
        if page is None:
            raise not_found("such page of Data Docs")
        if request.app.state.host is not None:
            headers = {"Content-Security-Policy": HOSTED_DOCS_POLICY}
            return Response(page, media_type=media_type, headers=headers)
        headers = {
            "Content-Security-Policy": DOCS_POLICY,
            # The sandbox takes a page's origin away; its own style sheet must still be let in.
            "Cross-Origin-Resource-Policy": "cross-origin",
        }
        return Response(page, media_type=media_type, headers=headers)

    return routes


def docs_page(catalog: Catalog, site: str, path: str) -> bytes | None:
    """A page of the checks of a site; None when there is none, or it cannot have that name."""
    try:
        return catalog.store.get_object(f"{DATA_DOCS}/{site}/{path}")
    except ValueError:
        return None
