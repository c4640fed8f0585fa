"""A real web server on this machine whose pages and files change, with many servers' manners."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast

HTML = "text/html; charset=utf-8"


class Manners(Enum):
    """What a server says about the age of what it sends."""

    NOTHING = auto()
    ETAG = auto()
    WEAK_ETAG = auto()
    LAST_MODIFIED = auto()
    LAST_MODIFIED_NOW = auto()
    """Every answer claims to be from this second."""
    LAST_MODIFIED_NEVER = auto()
    """The date stays, whatever changes."""
    ALWAYS_304 = auto()
    """Every conditional request is answered with 304."""
    NO_HEAD = auto()
    """HEAD is refused, and there are no validators."""


@dataclass(frozen=True)
class Served:
    """What a path answers."""

    body: bytes = b""
    type: str = "text/csv"
    status: int = 200
    location: str = ""


def listing(*hrefs: str) -> Served:
    links = "".join(f'<li><a href="{href}">{href}</a></li>' for href in hrefs)
    return Served(f"<html><body><ul>{links}</ul></body></html>".encode(), HTML)


@dataclass
class ChangingServer:
    """Paths, manners, and a log of requests."""

    paths: dict[str, Served]
    manners: Manners = Manners.ETAG
    log: list[str] = field(default_factory=list)
    conditions: list[Mapping[str, str]] = field(default_factory=list)
    second: int = 0
    base: str = ""

    def take_log(self) -> list[str]:
        """What was asked for since the last call."""
        log, self.log = self.log, []
        return [one for one in log if not one.endswith(("/robots.txt", "/sitemap.xml"))]

    def validators(self, served: Served) -> dict[str, str]:
        self.second += 1
        digest = sha1(served.body, usedforsecurity=False).hexdigest()
        day = int(digest[:2], 16) % 28 + 1
        match self.manners:
            case Manners.ETAG:
                return {"ETag": f'"{digest[:10]}"'}
            case Manners.ALWAYS_304:
                return {"ETag": '"always"'}
            case Manners.WEAK_ETAG:
                return {"ETag": f'W/"{digest[:10]}"'}
            case Manners.LAST_MODIFIED:
                return {"Last-Modified": f"Mon, {day:02} Jun 2026 10:00:00 GMT"}
            case Manners.LAST_MODIFIED_NOW:
                return {"Last-Modified": f"Mon, 01 Jun 2026 10:00:{self.second % 60:02} GMT"}
            case Manners.LAST_MODIFIED_NEVER:
                return {"Last-Modified": "Mon, 01 Jun 2026 10:00:00 GMT"}
        return {}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def _answer(self) -> None:
        server = cast("_Server", self.server).site
        server.log.append(f"{self.command} {self.path}")
        asked = {
            name: self.headers[name]
            for name in ("If-None-Match", "If-Modified-Since")
            if self.headers[name]
        }
        server.conditions.append(asked)
        served = server.paths.get(self.path, Served(b"not here", HTML, 404))
        if self.command == "HEAD" and server.manners is Manners.NO_HEAD:
            self._send(405, {}, b"")
            return
        if served.location:
            self._send(served.status, {"Location": served.location}, b"")
            return
        validators = server.validators(served) if served.status == 200 else {}
        if asked and served.status == 200 and self._unchanged(server, asked, validators):
            self._send(304, validators, None)
            return
        headers = {"Content-Type": served.type, **validators}
        self._send(served.status, headers, served.body)

    def _unchanged(
        self, server: ChangingServer, asked: Mapping[str, str], validators: Mapping[str, str]
    ) -> bool:
        if server.manners is Manners.ALWAYS_304:
            return True
        if "If-None-Match" in asked:
            return asked["If-None-Match"] == validators.get("ETag")
        return asked["If-Modified-Since"] == validators.get("Last-Modified")

    def _send(self, status: int, headers: Mapping[str, str], body: bytes | None) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if body is not None:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if body and self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    site: ChangingServer

    def handle_error(self, *_: object) -> None:
        """A client that was killed hangs up."""


@contextmanager
def serving(site: ChangingServer) -> Iterator[ChangingServer]:
    """Serve it on a free port of this machine."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.site = site
        site.base = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()
