"""Which other websites' scripts may read the API and the downloads from a browser.

None unless it is asked for: a script of any page that someone reads could otherwise look into a
catalog on that person's machine or network. Reading is all that is ever allowed, without cookies.
"""

from collections.abc import Iterable

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

_METHODS = ("GET", "HEAD")
_ASKED = ("If-None-Match", "If-Modified-Since", "Range")
_SHOWN = ("ETag", "Link", "X-Total-Count", "Content-Disposition", "Retry-After")
_SECONDS = 86_400


def readable_elsewhere(app: ASGIApp, origins: Iterable[str]) -> ASGIApp:
    """The application with the headers of CORS for these origins; `*` is every one."""
    allowed = [origin.rstrip("/").lower() for origin in origins]
    if not allowed:
        return app
    return CORSMiddleware(
        app,
        allow_origins=allowed,
        allow_methods=_METHODS,
        allow_headers=_ASKED,
        expose_headers=_SHOWN,
        max_age=_SECONDS,
    )
