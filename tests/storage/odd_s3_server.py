"""A small S3 server with the habits that a good one does not show: keeps objects in memory."""

import threading
from collections import Counter
from dataclasses import dataclass, field
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self


@dataclass
class Habits:
    """What is odd about the server; numbers count down to zero."""

    knows_conditions: bool = True
    conflicts: int = 0
    """PUTs answered with 409."""
    unavailable: int = 0
    """Requests of any kind answered with 503."""
    unheard: int = 0
    """PUTs that do their work and then hang up."""
    broken_off: int = 0
    """GETs that end after 100,000 bytes."""
    keeps_half: bool = False

    def take(self, name: str) -> bool:
        """Whether it happens this time."""
        left: int = getattr(self, name)
        setattr(self, name, max(0, left - 1))
        return left > 0


@dataclass
class OddS3Server:
    """Serves until the end of its `with`."""

    habits: Habits
    objects: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    """Key to bytes and mark of the writer."""
    seen: Counter[str] = field(default_factory=Counter)

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"


def etag_of(data: bytes) -> str:
    return f'"{md5(data).hexdigest()}"'


def _handler(server: OddS3Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_PUT(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            if self._turned_away():
                return
            absent, match = self.headers["If-None-Match"], self.headers["If-Match"]
            if (absent or match) and not server.habits.knows_conditions:
                self._refuse(501, "NotImplemented")
                return
            if server.habits.take("conflicts"):
                self._refuse(409, "ConditionalRequestConflict")
                return
            present = server.objects.get(self.path)
            if (absent and present) or (match and (not present or etag_of(present[0]) != match)):
                self._refuse(412, "PreconditionFailed")
                return
            kept = data[: len(data) // 2] if server.habits.keeps_half else data
            server.objects[self.path] = (kept, self.headers["x-amz-meta-writer"] or "")
            if server.habits.take("unheard"):
                self.close_connection = True
                return
            self._answer(200, b"", {"ETag": etag_of(data)})

        def do_HEAD(self) -> None:
            self._give()

        def do_GET(self) -> None:
            self._give()

        def _give(self) -> None:
            if self._turned_away():
                return
            if self.path.strip("/") == "bucket":
                self._answer(200, b"", {})
                return
            if self.path not in server.objects:
                self._refuse(404, "NoSuchKey")
                return
            data, mark = server.objects[self.path]
            start = int((self.headers["Range"] or "bytes=0-")[6:].rstrip("-"))
            headers = {"ETag": etag_of(data), "x-amz-meta-writer": mark}
            status = 200
            if start:
                status = 206
                headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
            self._answer(status, data[start:], headers)

        def _turned_away(self) -> bool:
            server.seen[self.command] += 1
            if server.habits.take("unavailable"):
                self._refuse(503, "SlowDown")
                return True
            return False

        def _refuse(self, status: int, code: str) -> None:
            text = f"<Error><Code>{code}</Code><Message>a secret sentence</Message></Error>"
            self._answer(status, text.encode(), {"Content-Type": "application/xml"})

        def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command == "HEAD":
                return
            if self.command == "GET" and status < 300 and server.habits.take("broken_off"):
                body = body[:100_000]
                self.close_connection = True
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    return Handler
