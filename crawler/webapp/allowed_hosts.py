"""Which names the pages answer to: a page elsewhere may make a browser ask this address by its own.

That is how DNS rebinding reads a service on loopback. An address is never such a name, so every
address is allowed, and of names only this machine's and those that were given.
"""

import ipaddress
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send


class AllowedHosts:
    """Refuses requests whose Host header names another host."""

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self._app = app
        self._names = {"localhost", *(name.lower().rstrip(".") for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes on what is for us."""
        if scope["type"] == "http" and not self._allows(Headers(scope=scope).get("host", "")):
            refusal = PlainTextResponse("This server has another name.\n", status_code=400)
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _allows(self, host: str) -> bool:
        name = host.lower()
        if name.startswith("["):
            name = name[1:].partition("]")[0]
        elif name.count(":") == 1:
            name = name.partition(":")[0]
        name = name.rstrip(".")
        return name in self._names or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
