"""A statistics office that does everything wrong, with good files among the wreckage.

`/` leads to topics; every topic links to a few incidents and to files between them. `SKIPPED` says
where each incident must end up, `TARGETS` which files a crawl must bring home.
"""

import re
import socket
from collections.abc import Iterator

from tests.end_to_end import traps
from tests.end_to_end.broken_pages import PAGE_TARGETS, PAGES
from tests.web.bare_server import BareServer, Exchange, Handler
from tests.web.misbehaving_server import (
    TARGET,
    big,
    corrupt_gzip,
    gzip_bomb,
    huge_header,
    invalid_status,
    many_headers,
    moved,
    moved_with_bomb,
    negative_chunk,
    reset,
    silent,
    slow_body,
    slow_headers,
    slow_page,
    stalled_body,
    truncated_chunked,
    truncated_gzip,
    truncated_length,
    truncated_page,
)

GB = 1_000_000_000
CHAIN = 9
"""Redirections in a row that still lead to a file."""
BURSTS = {"/burst/short.csv": 1, "/burst/long.csv": 3}
"""How often each of them fails first: the longer one outlasts the retries."""


def body_of(path: str) -> bytes:
    """The bytes of the file under a path: no two files are alike."""
    rows = "".join(f"{year},{len(path) * year % 997}\n" for year in range(1990, 2025))
    return f"{path}\nyear,value\n{rows}".encode()


def good(x: Exchange) -> None:
    path = x.seen.path.partition("?")[0].partition(";")[0]
    x.whole("200 OK", body_of(path), content_type=TARGET)


def typed(content_type: str | None) -> Handler:
    """A good file under another type, or none."""

    def answer(x: Exchange) -> None:
        headers = {} if content_type is None else {"content_type": content_type}
        x.whole("200 OK", body_of(x.seen.path), **headers)

    return answer


def failing(status: str, **headers: str) -> Handler:
    return lambda x: x.whole(status, b"<p>no</p>", content_type="text/html", **headers)


def burst(x: Exchange) -> None:
    x.server.counts[x.seen.path] += 1
    if x.server.counts[x.seen.path] <= BURSTS[x.seen.path]:
        x.whole("503 Service Unavailable", b"later")
    else:
        good(x)


def chain(x: Exchange) -> None:
    hop = int(x.seen.path.rpartition("/")[2]) + 1
    moved(f"/chain/{hop}" if hop < CHAIN else "/chain/end.csv")(x)


def endless_hops(x: Exchange) -> None:
    moved(f"/endless-hops/{int(x.seen.path.rpartition('/')[2]) + 1}")(x)


def film(x: Exchange) -> None:
    x.head(content_type="video/mp4", content_length=GB)
    while True:
        x.send(bytes(65_536))


INCIDENTS: dict[str, tuple[Handler, str]] = {
    "/silent": (silent, "no_answer"),
    "/slow-headers": (slow_headers, "too_slow"),
    "/slow-body.csv": (slow_body, "too_slow"),
    "/slow-page": (slow_page, "too_slow"),
    "/stalled-body.csv": (stalled_body, "no_answer"),
    "/truncated-length.csv": (truncated_length, "no_answer"),
    "/truncated-page": (truncated_page, "no_answer"),
    "/truncated-chunked.csv": (truncated_chunked, "no_answer"),
    "/truncated-gzip.csv": (truncated_gzip, "no_answer"),
    "/corrupt-gzip.csv": (corrupt_gzip, "no_answer"),
    "/negative-chunk.csv": (negative_chunk, "no_answer"),
    "/huge-header": (huge_header, "no_answer"),
    "/many-headers": (many_headers, "no_answer"),
    "/no-http": (invalid_status, "no_answer"),
    "/reset": (reset, "no_answer"),
    "/always-500": (failing("500 Internal Server Error"), "server_error"),
    "/always-429": (failing("429 Too Many Requests"), "server_error"),
    "/gzip-bomb.csv": (gzip_bomb, "too_large"),
    f"/big/{GB}": (big, "too_large"),
    f"/endless/{GB}": (big, "too_large"),
    "/film": (film, "other_type"),
    "/gone": (failing("410 Gone"), "dead"),
    "/secret": (failing("401 Unauthorized"), "dead"),
    "/itself": (moved("/itself"), "redirect_loop"),
    "/to/start": (moved("/"), "redirect_known"),
    "/to/stranger": (moved("http://statistics.invalid/"), "redirect_off_site"),
    "/to/metadata": (moved("http://169.254.169.254/latest/meta-data/"), "redirect_off_site"),
    "/to/disk": (moved("file:///etc/passwd"), "bad_redirect"),
    "/to/nowhere": (failing("302 Found"), "bad_redirect"),
    "/to/nonsense": (moved("http://[::nonsense/"), "bad_redirect"),
}
"""What each path does, and the reason that it must be counted under."""

ROUNDABOUTS: dict[str, tuple[str, str]] = {
    "/circle/a": ("/circle/b", "redirect_loop"),
    "/endless-hops/1": ("/endless-hops/11", "redirect_loop"),
}
"""Incidents that end elsewhere than where they begin, and the reason there."""

SKIPPED = {path: reason for path, (_, reason) in INCIDENTS.items()} | dict(ROUNDABOUTS.values())

ODD_TYPES: dict[str, str | None] = {
    "/odd/octets.csv": "application/octet-stream",
    "/odd/plain.csv": "text/plain",
    "/odd/untyped.csv": None,
    "/odd/bare": None,
    "/odd/table": "application/octet-stream",
    "/odd/called-csv.html": "text/csv",
}
"""Files that come under a type of their own making, or under none."""

CALLED_HTML = "/odd/called-html.csv"
"""A file that says it is a page: it is read as one, and there is nothing to follow."""

ROUTES: dict[str, Handler] = {
    **{path: handler for path, (handler, _) in INCIDENTS.items()},
    **PAGES,
    **dict.fromkeys(BURSTS, burst),
    **{path: typed(content_type) for path, content_type in ODD_TYPES.items()},
    CALLED_HTML: typed("text/html"),
    "/circle/a": moved("/circle/b"),
    "/circle/b": moved("/circle/a"),
    "/to/bomb": moved_with_bomb,
}
PATTERNS: list[tuple[str, Handler]] = [
    (r"/endless-hops/\d+", endless_hops),
    (r"/chain/\d+", chain),
    *traps.PATTERNS,
    (r"/.*\.csv", good),
]

BESIDE = (
    *ROUNDABOUTS,
    *PAGES,
    *BURSTS,
    *ODD_TYPES,
    CALLED_HTML,
    "/to/bomb",
    "/chain/1",
    *traps.ENTRANCES,
)
"""What the topics link to besides plain incidents."""

LED_TO = ("/chain/end.csv", "/data/plain.csv", *traps.TARGETS, *PAGE_TARGETS)
"""Files that no topic links to: they are behind redirections, traps and broken pages."""


def topics() -> Iterator[list[str]]:
    """The links of each topic: three incidents, each with a file after it."""
    links = [*INCIDENTS, *BESIDE]
    for start in range(0, len(links), 3):
        number = start // 3
        yield [
            each
            for place, link in enumerate(links[start : start + 3])
            for each in (link, f"/topic/{number}/table-{place}.csv")
        ]


TOPICS = list(topics())
STRAY = ("/logo.png", "https://statistics.invalid/x", "file:///etc/passwd", "javascript:go()")

TARGETS: dict[str, bytes] = {
    path: body_of(path)
    for path in (
        *(link for topic in TOPICS for link in topic if link.startswith("/topic/")),
        *BURSTS,
        *ODD_TYPES,
        *LED_TO,
    )
}


class HostileOffice(BareServer):
    """Serves it all; `refuses_head` answers every HEAD with 405."""

    def __init__(self, *, refuses_head: bool = False) -> None:
        self.refuses_head = refuses_head
        super().__init__()

    def find(self, path: str) -> Handler | None:
        found = self._route(path)
        if found is None:
            return None

        def answer(x: Exchange) -> None:
            # Head and body are sent apart; the second must not wait until the first is confirmed.
            x.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.refuses_head and x.seen.method == "HEAD":
                x.whole("405 Method Not Allowed", allow="GET")
            else:
                found(x)

        return answer

    def _route(self, path: str) -> Handler | None:
        if path == "/":
            topic_pages = [f"/topic/{number}/" for number in range(len(TOPICS))]
            return lambda x: x.page(*topic_pages, *STRAY)
        if match := re.fullmatch(r"/topic/(\d+)/", path):
            return lambda x: x.page("/", *TOPICS[int(match[1])])
        if path in ROUTES:
            return ROUTES[path]
        return next((found for pattern, found in PATTERNS if re.fullmatch(pattern, path)), None)
