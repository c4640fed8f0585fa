"""A web server with files of any length, made while they are sent."""

import hashlib
import random
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

BLOCK = random.Random(7).randbytes(1_000_000)


class EndlessServer:
    """`/SIZE` is a file of so many bytes, `/SIZE/undeclared` one that does not tell its length."""

    def __init__(self) -> None:
        self.sha256: dict[str, str] = {}
        """Of what was sent completely, by path."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
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


def _handler(server: EndlessServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            size = int(self.path.split("/")[1])
            self.send_response(200)
            self.send_header("Content-Type", "text/csv")
            if not self.path.endswith("/undeclared"):
                self.send_header("Content-Length", str(size))
            self.end_headers()
            with suppress(ConnectionError):
                self._send(size)

        def _send(self, size: int) -> None:
            sent = hashlib.sha256()
            left = size
            while left:
                # Every piece is another, so that pieces in the wrong order are noticed.
                head = left.to_bytes(8, "big")
                piece = (head + BLOCK)[: min(left, len(BLOCK))]
                sent.update(piece)
                self.wfile.write(piece)
                left -= len(piece)
            server.sha256[self.path] = sent.hexdigest()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    return Handler
