"""A webhook and a mail server on loopback, which keep what they are sent."""

import json
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any


class _Hook(BaseHTTPRequestHandler):
    server: "HookServer"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append(json.loads(body))
        self.send_response(self.server.status)
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


class HookServer(HTTPServer):
    """Answers every POST with one status."""

    def __init__(self, status: int) -> None:
        super().__init__(("127.0.0.1", 0), _Hook)
        self.status = status
        self.received: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hook/secret-token"


class _Mail(socketserver.StreamRequestHandler):
    server: "MailServer"

    def handle(self) -> None:
        self._say("220 ready")
        while line := self.rfile.readline().decode().strip():
            verb = line.upper().split()[0]
            if verb == "EHLO":
                self._say("250-here\r\n250 AUTH PLAIN LOGIN")
            elif verb == "AUTH":
                self.server.logins.append(line)
                self._say("235 welcome")
            elif verb == "DATA":
                self._say("354 go on")
                lines = []
                while (part := self.rfile.readline()) != b".\r\n":
                    lines.append(part)
                self.server.received.append(b"".join(lines).decode())
                self._say("250 kept")
            elif verb == "QUIT":
                self._say("221 bye")
                return
            else:
                self._say("250 fine")

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


class MailServer(socketserver.ThreadingTCPServer):
    """Takes every message."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Mail)
        self.received: list[str] = []
        self.logins: list[str] = []

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"


@contextmanager
def serving(server: socketserver.BaseServer) -> Iterator[None]:
    """Runs a server in a thread."""
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
