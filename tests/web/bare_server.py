"""A web server on bare sockets: handlers send whatever bytes they like, correct HTTP or not."""

import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from types import TracebackType
from typing import Self

PAGE = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    at: float
    connection: int


class Gone(Exception):
    """The client hung up, or the server is being stopped."""


class Exchange:
    """One request and the socket to answer it on."""

    def __init__(self, server: "BareServer", sock: socket.socket, seen: Seen) -> None:
        self.server = server
        self.sock = sock
        self.seen = seen
        self.keep_alive = False

    def send(self, data: bytes) -> None:
        try:
            self.sock.sendall(data)
        except OSError as error:
            raise Gone from error

    def pause(self, seconds: float) -> None:
        if self.server.stopping.wait(seconds):
            raise Gone

    def head(self, status: str = "200 OK", /, **headers: str | int) -> None:
        """Sends the status line and headers; `content_type=` is Content-Type."""
        lines = [f"HTTP/1.1 {status}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.send("\r\n".join([*lines, "", ""]).encode("utf-8"))

    def whole(self, status: str, body: bytes = b"", /, **headers: str | int) -> None:
        """A correct answer on a connection that stays open."""
        self.head(status, content_length=len(body), **headers)
        if self.seen.method != "HEAD":
            self.send(body)
        self.keep_alive = True

    def page(self, *links: str, text: str = "") -> None:
        items = "".join(f'<li><a href="{escape(link)}">{escape(link)}</a></li>' for link in links)
        html = f"<!doctype html><title>Office</title><p>{escape(text)}</p><ul>{items}</ul>"
        self.whole("200 OK", html.encode(), content_type=PAGE)


Handler = Callable[[Exchange], None]


class BareServer:
    """Serves on a free port until it is closed; `requests` is its access log."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.requests: list[Seen] = []
        self.stopping = threading.Event()
        self.counts: Counter[str] = Counter()
        self._tls = tls
        self._extra: dict[str, Handler] = {}
        self._open: dict[int, socket.socket] = {}
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stopping.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for sock in list(self._open.values()):
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        """The address of a path here."""
        return f"{'https' if self._tls else 'http'}://{host}:{self.port}{path}"

    def on(self, path: str, handler: Handler) -> None:
        """Adds a path, or replaces one, for one test."""
        self._extra[path] = handler

    def paths(self) -> list[str]:
        """The paths requested so far, in order."""
        return [seen.path for seen in self.requests]

    def _accept(self) -> None:
        number = 0
        while not self.stopping.is_set():
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            number += 1
            threading.Thread(target=self._serve, args=(sock, number), daemon=True).start()

    def _serve(self, sock: socket.socket, number: int) -> None:
        self._open[number] = sock
        with suppress(OSError, Gone):
            if self._tls is not None:
                sock = self._tls.wrap_socket(sock, server_side=True)
                self._open[number] = sock
            while (seen := _receive(sock, number)) is not None:
                self.requests.append(seen)
                exchange = Exchange(self, sock, seen)
                self._handler(seen.path)(exchange)
                if not exchange.keep_alive:
                    break
        self._open.pop(number, None)
        with suppress(OSError):
            sock.close()

    def _handler(self, path: str) -> Handler:
        return self._extra.get(path) or self.find(path.partition("?")[0]) or not_found

    def find(self, path: str) -> Handler | None:
        """What a path does here, besides what `on` added."""
        return None


def not_found(x: Exchange) -> None:
    x.whole("404 Not Found", b"no such page")


def _receive(sock: socket.socket, number: int) -> Seen | None:
    data = b""
    while b"\r\n\r\n" not in data:
        more = sock.recv(65_536)
        if not more:
            return None
        data += more
    first, *lines = data.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    return Seen(method, path, headers, time.monotonic(), number)
