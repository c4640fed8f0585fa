"""An application that is made when the first request comes.

Every process of Airflow loads the plugins, and only one of them ever shows a page.
"""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


class LateApp:
    """Stands for the application until there is one; importing and making it costs seconds."""

    def __init__(self, make: "Callable[[], ASGIApp]") -> None:
        self._make = make
        self._made: ASGIApp | None = None
        self._one_at_a_time = threading.Lock()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answers one request; others are answered while the application is made."""
        from starlette.concurrency import run_in_threadpool

        app = self._made
        if app is None:
            app = await run_in_threadpool(self._app)
        await app(scope, receive, send)

    def _app(self) -> "ASGIApp":
        with self._one_at_a_time:
            if self._made is None:
                self._made = self._make()
            return self._made
