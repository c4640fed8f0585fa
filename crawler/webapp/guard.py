"""The door of an application that has a host: nothing is answered before the host lets one in."""

from fastapi import HTTPException, Request, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from crawler.webapp.failures import answer, is_for_scripts
from crawler.webapp.host import Host
from crawler.webapp.rendering import render

_POLICY_VIOLATION = 1008


class Guard:
    """Asks the host about every request, whatever route, file or nothing it leads to."""

    def __init__(self, app: ASGIApp, host: Host) -> None:
        self._app = app
        self._host = host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets one request through, or answers it here."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            return
        if scope["type"] == "http":
            request = Request(scope, receive)
            try:
                await self._host.admit(request)
            except HTTPException as refused:
                await self._refusal(request, refused)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _refusal(self, request: Request, refused: HTTPException) -> Response:
        sentence = f"The catalog is open to those who are logged in to {self._host.name}."
        headers = {"WWW-Authenticate": "Bearer", **(refused.headers or {})}
        if is_for_scripts(request):
            return answer(request, refused.status_code, sentence, headers=headers)
        login = self._host.login_address(request)
        response = render(
            request, "login.html", refused.status_code, sentence=sentence, login=login
        )
        response.headers.update(headers)
        return response
