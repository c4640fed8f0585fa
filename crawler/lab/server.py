"""Serves a synthetic site on loopback, with an access log that tests of politeness can rely on."""

import errno
import json
import os
import signal
import socketserver
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email.message import Message
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import FrameType
from typing import Protocol, Self

from crawler.errors import ConfigError
from crawler.lab.sites.answer import Answer

_VALIDATORS = ("ETag", "Last-Modified")


class Site(Protocol):
    """Anything that answers paths can be served."""

    def respond(self, path_and_query: str, /) -> Answer:
        """The answer to a request."""

    def at(self, base: str) -> Self:
        """The same site under another address."""


class AccessLog:
    """One JSON line per request, in the order of arrival; complete even if the server is killed."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def write(self, arrived: float, method: str, path: str, status: int, agent: str) -> None:
        """Append one line in a single write, so that lines of several threads never mix."""
        line = {
            "t": arrived,
            "wall": time.time(),
            "method": method,
            "path": path,
            "status": status,
            "agent": agent,
        }
        os.write(self._file, (json.dumps(line) + "\n").encode())

    def close(self) -> None:
        """Give the file back."""
        os.close(self._file)


class SiteServer(ThreadingHTTPServer):
    """A server for one site; its threads never keep the process alive."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, site: Site, host: str, port: int, access_log: Path | None) -> None:
        try:
            super().__init__((host, port), SiteHandler)
        except (OSError, OverflowError) as error:
            busy = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
            reason = "the port is in use; choose another one" if busy else str(error)
            raise ConfigError(f"cannot listen on {host}:{port}: {reason}") from error
        self.base = f"http://{host}:{self.server_address[1]}"
        self.site = site.at(self.base)
        try:
            self.log = AccessLog(access_log) if access_log else None
        except OSError as error:
            self.server_close()
            raise ConfigError(f"cannot write the access log {access_log}: {error}") from error

    def server_bind(self) -> None:
        """Bind without asking the resolver for the host's name, which can take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is no error here."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    def stop(self) -> None:
        """Close the port and the log."""
        self.server_close()
        if self.log:
            self.log.close()


class SiteHandler(BaseHTTPRequestHandler):
    """One connection: HTTP/1.1, kept open, each answer sent in one piece."""

    protocol_version = "HTTP/1.1"
    server_version = "Norvenia/1.0"
    sys_version = ""
    disable_nagle_algorithm = True
    wbufsize = 1 << 16
    server: SiteServer

    def do_GET(self) -> None:
        """Answer with the body."""
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        """Answer with the headers that GET would have."""
        self._answer(with_body=False)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Stay quiet; the access log is the record."""

    def _answer(self, *, with_body: bool) -> None:
        arrived = time.monotonic()
        answer: Answer = self.server.site.respond(self.path)
        if answer.status == HTTPStatus.OK and _is_unchanged(answer.headers, self.headers):
            kept = {name: answer.headers[name] for name in _VALIDATORS if name in answer.headers}
            answer = Answer(HTTPStatus.NOT_MODIFIED, kept, b"")
        if self.server.log:
            # Written before the answer: a client can never be ahead of the log.
            agent = self.headers.get("User-Agent", "")
            self.server.log.write(arrived, self.command, self.path, answer.status, agent)
        self.send_response(answer.status)
        for name, value in _sent_headers(answer).items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(answer.body)


def _is_unchanged(sent: Mapping[str, str], asked: Message) -> bool:
    """Whether what the client has is what it would get (RFC 9110, section 13.1)."""
    known = asked.get("If-None-Match")
    if known is not None:
        tags = {tag.strip().removeprefix("W/") for tag in known.split(",")}
        return "ETag" in sent and not tags.isdisjoint({"*", sent["ETag"].removeprefix("W/")})
    since, changed = asked.get("If-Modified-Since"), sent.get("Last-Modified")
    if since is None or changed is None:
        return False
    try:
        return parsedate_to_datetime(changed) <= parsedate_to_datetime(since)
    except (TypeError, ValueError):
        return False


def _sent_headers(answer: Answer) -> dict[str, str]:
    """The headers with a length: of a cut file only the beginning is there to be sent."""
    headers = dict(answer.headers)
    without = "Content-Length" not in headers and answer.status != HTTPStatus.NOT_MODIFIED
    if answer.whole is not None or without:
        headers["Content-Length"] = str(len(answer.body))
    return headers


def serve(
    site: Site,
    port: int,
    *,
    host: str = "127.0.0.1",
    access_log: Path | None = None,
    on_ready: Callable[[str], None] | None = None,
) -> None:
    """Serve until Ctrl-C or SIGTERM; `on_ready` gets the address once the port is open."""
    server = SiteServer(site, host, port, access_log)
    try:
        with _ended_by_sigterm():
            if on_ready:
                on_ready(server.base)
            server.serve_forever(poll_interval=0.2)
    except KeyboardInterrupt:
        pass
    finally:
        server.stop()


@contextmanager
def running_site(site: Site, access_log: Path | None = None) -> Iterator[str]:
    """Serve on a free port of 127.0.0.1 in a thread; gives the address."""
    server = SiteServer(site, "127.0.0.1", 0, access_log)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server.base
    finally:
        server.shutdown()
        thread.join()
        server.stop()


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Treat SIGTERM as Ctrl-C; only the main thread may listen to signals."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
