"""A small statistics office behind a proxy on a free port: its own address never changes.

It uses nothing of the crawler, so that the version before and this one meet the same site.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

HOST = "10.0.0.1"
START_URL = f"http://{HOST}/"
TOPICS = ("births", "deaths", "prices", "wages", "trade", "energy")
YEARS = (2023, 2024, 2025)
FILES = len(TOPICS) * (len(YEARS) + 2)
"""CSV files by year, a JSON file and a report per topic."""

_HTML = "text/html; charset=utf-8"
_LICENCE = "https://creativecommons.org/licenses/by/4.0/"


@dataclass(frozen=True)
class Response:
    """What the server sends."""

    body: bytes
    media_type: str
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


def respond(path: str, edition: int = 1) -> Response:
    """The answer to a path; a later edition has other figures in the newest births."""
    name = path.strip("/")
    if not name:
        return _page("Office", [f'<a href="/{topic}">{topic.title()}</a>' for topic in TOPICS])
    if name in TOPICS:
        return _topic(name)
    topic, _, year = name.removeprefix("files/").partition("-")
    stem, _, extension = year.rpartition(".")
    if name.startswith("archive/") and name.removeprefix("archive/") in TOPICS:
        topic = name.removeprefix("archive/")
        return _page(f"{topic} archive", [f'<a href="/files/{topic}-report.txt">Report</a>'])
    if not name.startswith("files/") or topic not in TOPICS:
        return Response(b"<p>no such page</p>", _HTML, 404)
    if extension == "csv" and stem.isdigit():
        return _file(_csv(topic, int(stem), edition), "text/csv")
    if extension == "json":
        return _file(f'[{{"{topic}": 1, "year": 2025}}]\n'.encode(), "application/json")
    return _file(b"too late to say\n", "text/csv")


def _topic(topic: str) -> Response:
    links = [
        f'<a class="file" href="/files/{topic}-{year}.csv">{topic.title()} by region, {year}</a>'
        for year in YEARS
    ]
    links.append(f'<a class="file" href="/files/{topic}-all.json">{topic.title()}, all years</a>')
    links.append(f'<a href="/archive/{topic}">Older files</a>')
    return _page(topic.title(), links)


def _page(title: str, links: list[str]) -> Response:
    items = "".join(f"<li>{link}</li>" for link in links)
    body = (
        f'<html lang="en"><head><title>{title}</title>'
        '<meta name="dcterms.publisher" content="Office of Example">'
        '<meta name="dcterms.issued" content="2025-06-01"></head>'
        f"<body><main><h1>{title}</h1><ul>{items}</ul></main></body></html>"
    )
    return Response(body.encode(), _HTML)


def _csv(topic: str, year: int, edition: int) -> bytes:
    more = 7 if edition > 1 and (topic, year) == ("births", 2025) else 0
    lines = [f"{year},Region {number},{number * 17 % 101 + more}" for number in range(1, 13)]
    return "\n".join([f"year,region,{topic}", *lines, ""]).encode()


def _file(body: bytes, media_type: str) -> Response:
    tag = f'"{sha256(body).hexdigest()[:12]}"'
    headers = (
        ("ETag", tag),
        ("Last-Modified", "Sun, 01 Jun 2025 06:00:00 GMT"),
        ("Link", f'<{_LICENCE}>; rel="license"'),
    )
    return Response(body, media_type, headers=headers)


class OfficeProxy(ThreadingHTTPServer):
    """An HTTP proxy behind which the office is the whole web."""

    daemon_threads = True

    def __init__(self, edition: int, stall_after: int | None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.edition = edition
        self.stall_after = stall_after
        self.paths: list[str] = []
        """Every path that was asked for, in order."""
        self.stalled = threading.Event()

    @property
    def url(self) -> str:
        """The proxy's address, for `http.proxy` of a site file."""
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: OfficeProxy

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Stay quiet."""

    def _answer(self, *, with_body: bool) -> None:
        path = urlsplit(self.path).path
        if (
            self.server.stall_after is not None
            and len(self.server.paths) >= self.server.stall_after
        ):
            self.server.stalled.set()
            threading.Event().wait(60)
        self.server.paths.append(path)
        answer = respond(path, self.server.edition)
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.media_type)
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in answer.headers:
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(answer.body)


@contextmanager
def running_office(edition: int = 1, stall_after: int | None = None) -> Iterator[OfficeProxy]:
    """The office behind a proxy; after `stall_after` requests it leaves the next one waiting."""
    server = OfficeProxy(edition, stall_after)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
