"""Headers on every answer, and HEAD wherever there is GET."""

import base64
import hashlib

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; "
    "frame-ancestors 'self'; base-uri 'none'"
)
DOWNLOAD_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; sandbox"
DOCS_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-ancestors 'self'; "
    "base-uri 'none'; form-action 'none'; sandbox"
)
"""For pages that another program has written from names on the web: no script, no form."""
HOSTED_DOCS_POLICY = f"{DOCS_POLICY} allow-same-origin"
"""The same behind a login: without its origin a page gets no style sheet, as no cookie is sent."""

_ALWAYS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "SAMEORIGIN",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "private, no-cache",
}


def policy_with(script: str) -> str:
    """The policy of pages that may run this one script, written in them, and no other."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"{POLICY}; script-src 'sha256-{digest}'"


ASKED_BY_HEAD = "tallyho.asked_by_head"
"""In the scope of a request that came as HEAD and is answered as GET without its body."""


class SafeHeaders:
    """Sets the headers that an answer does not set itself. It is the outermost layer.

    Starlette answers an unexpected error outside of all middleware, so the application is wrapped
    in this as a whole.
    """

    def __init__(self, app: ASGIApp, policy: str = POLICY) -> None:
        self._app = app
        self._headers = _ALWAYS | {"Content-Security-Policy": policy}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        head = scope["method"] == "HEAD"
        if head:
            scope = {**scope, "method": "GET", ASKED_BY_HEAD: True}

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            elif head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self._app(scope, receive, send_safely)
