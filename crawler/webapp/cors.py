"""Which other websites' scripts may read the API and the downloads from a browser.

None unless it is asked for: a script of any page that someone reads could otherwise look into a
catalog on that person's machine or network. Reading is all that is ever allowed, without cookies.
"""

from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

EVERYONE = "*"
_METHODS = "GET, HEAD"
_ASKED = "If-None-Match, If-Modified-Since, Range"
_SHOWN = "ETag, Link, X-Total-Count, Content-Disposition, Retry-After"
_SECONDS = "86400"


class ReadableElsewhere:
    """Adds the headers of CORS for these origins, such as `https://notebooks.example.org`."""

    def __init__(self, app: ASGIApp, origins: Iterable[str]) -> None:
        self._app = app
        self._origins = frozenset(origin.rstrip("/").lower() for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers the browser's question beforehand, or adds the headers to an answer."""
        headers = Headers(scope=scope) if scope["type"] == "http" else None
        origin = headers.get("origin", "") if headers is not None else ""
        if headers is None or not self._origins or not origin:
            await self._app(scope, receive, send)
            return
        allowed = self._allowed(origin)
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            await _preflight(allowed)(scope, receive, send)
            return

        async def send_readable(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                answer.add_vary_header("Origin")
                if allowed and scope["method"] in ("GET", "HEAD"):
                    answer["Access-Control-Allow-Origin"] = allowed
                    answer["Access-Control-Expose-Headers"] = _SHOWN
            await send(message)

        await self._app(scope, receive, send_readable)

    def _allowed(self, origin: str) -> str:
        if EVERYONE in self._origins:
            return EVERYONE
        return origin if origin.lower() in self._origins else ""


def _preflight(allowed: str) -> Response:
    headers = {"Vary": "Origin"}
    if allowed:
        headers |= {
            "Access-Control-Allow-Origin": allowed,
            "Access-Control-Allow-Methods": _METHODS,
            "Access-Control-Allow-Headers": _ASKED,
            "Access-Control-Max-Age": _SECONDS,
        }
    return Response(status_code=204, headers=headers)
