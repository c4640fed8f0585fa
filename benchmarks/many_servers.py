"""Websites for `benchmarks.many_sites`: each on an address of its own, all in one process.

Every site is as large as anyone can crawl. Three of them misbehave: one never answers, one answers
bytes that are no HTTP, one dies after half of the time. When it is ended, it writes the arrival of
every request to a file.
"""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import time
from functools import cache
from pathlib import Path

PORT = 8390
HANGS, BABBLES, DIES = 0, 1, 2
BAD = ("hangs", "answers garbage", "dies halfway")
LINKS = 24
ROWS = 120


def address_of(site: int) -> str:
    """An address of this machine that belongs to one site."""
    return f"127.77.{site // 200}.{site % 200 + 1}"


@cache
def _page(number: int) -> bytes:
    """A page with menus, links to other pages, and a list of data files."""
    menu = "".join(f"<li class='item'><a href='/page/{n}'>Topic {n}</a></li>" for n in range(12))
    more = "".join(
        f"<div class='row'><h3 class='title'><a href='/page/{number * LINKS + n}'>"
        f"Births, deaths and marriages of year {number * LINKS + n}</a></h3>"
        f"<p>Figures by region, age and month, as reported by the {n} districts.</p></div>"
        for n in range(1, LINKS + 1)
    )
    files = "".join(
        f"<li><a class='file' href='/data/{number}-{n}.csv'>Table {number}.{n} (CSV)</a></li>"
        for n in range(number % 2)
    )
    return (
        f"<html><head><title>Page {number}</title></head><body><div id='layout'><nav><ul>{menu}"
        f"</ul></nav><main>{more}<ul class='files'>{files}</ul></main></div></body></html>"
    ).encode()


@cache
def _rows() -> bytes:
    return b"".join(b"%d,%d,%d\n" % (n, 1900 + n % 120, n * 17) for n in range(ROWS))


def _answer(site: int, path: str) -> tuple[int, str, bytes]:
    if path.startswith("/data/") and path.endswith(".csv"):
        return 200, "text/csv", f"# {site} {path}\nregion,year,births\n".encode() + _rows()
    if path == "/":
        return 200, "text/html; charset=utf-8", _page(0)
    number = path.removeprefix("/page/")
    if number.isdigit():
        return 200, "text/html; charset=utf-8", _page(int(number) % 1000)
    return 404, "text/plain", b"none"


class _Connection(asyncio.Protocol):
    def __init__(self, server: "Servers", site: int) -> None:
        self._server, self._site = server, site
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._server.connections[self._site].append(transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while b"\r\n\r\n" in self._buffer:
            head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
            method, path, _ = head.split(b" ", 2)
            self._serve(method.decode(), path.decode())

    def _serve(self, method: str, path: str) -> None:
        self._server.arrivals[self._site].append(time.monotonic())
        if self._site == HANGS:
            return
        if self._site == BABBLES:
            self._transport.write(os.urandom(300))
            self._transport.close()
            return
        status, mime, body = _answer(self._site, path)
        head = (
            f"HTTP/1.1 {status} OK\r\nContent-Type: {mime}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self._transport.write(head.encode() + (body if method == "GET" else b""))


class Servers:
    """All sites, and when each of them was asked."""

    def __init__(self, sites: int) -> None:
        self.arrivals: list[list[float]] = [[] for _ in range(sites)]
        self.connections: list[list[asyncio.Transport]] = [[] for _ in range(sites)]
        self._servers: list[asyncio.Server] = []

    async def run(self, log: Path, dies_after: float) -> None:
        """Serve until SIGTERM, and write the arrivals."""
        loop = asyncio.get_running_loop()
        ended = asyncio.Event()
        loop.add_signal_handler(signal.SIGTERM, ended.set)
        for site in range(len(self.arrivals)):
            self._servers.append(
                await loop.create_server(
                    lambda site=site: _Connection(self, site), address_of(site), PORT, backlog=64
                )
            )
        loop.call_later(dies_after, self._die)
        log.write_text("")
        await ended.wait()
        log.write_text(json.dumps(self.arrivals))

    def _die(self) -> None:
        self._servers[DIES].close()
        for transport in self.connections[DIES]:
            with contextlib.suppress(Exception):
                transport.abort()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("log", type=Path)
    parser.add_argument("sites", type=int)
    parser.add_argument("dies_after", type=float)
    options = parser.parse_args()
    asyncio.run(Servers(options.sites).run(options.log, options.dies_after))
