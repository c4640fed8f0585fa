"""A web server on 127.0.0.1 that does, path by path, what servers on the web do wrong.

`/` links to every misbehaviour, so that a crawl can meet them all; `TARGETS` are the data files
that such a crawl can reach, with their bytes. Pauses end when the server is closed.
"""

import gzip
import re
import socket
import struct
import zlib

from tests.web.bare_server import PAGE, BareServer, Exchange, Handler

CSV = b"year,births\n" + b"".join(
    b"%d,%d\n" % (year, year * 7 % 1000) for year in range(1900, 2000)
)
LONG_CSV = CSV * 20
TARGET = "text/csv"
CALENDAR_DAYS = 28
BURST = 2
GARBAGE = b"\x8f\xe3\x00\xff" * 64


class MisbehavingServer(BareServer):
    """Serves ROUTES and PATTERNS; `requests` is its access log."""

    def find(self, path: str) -> Handler | None:
        if path in ROUTES:
            return ROUTES[path]
        return next((found for pattern, found in PATTERNS if re.fullmatch(pattern, path)), None)


def csv(x: Exchange, body: bytes = CSV) -> None:
    x.whole("200 OK", body, content_type=TARGET)


def _drip(exchange: Exchange, data: bytes, pause: float) -> None:
    for position in range(len(data)):
        exchange.send(data[position : position + 1])
        exchange.pause(pause)


def index(x: Exchange) -> None:
    x.page(*[path for path in ROUTES if path != "/"], "/calendar/1", *LINKED)


def silent(x: Exchange) -> None:
    x.pause(3600)


def slow_headers(x: Exchange) -> None:
    _drip(x, b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nX-Padding: " + b"x" * 60_000, 0.02)


def slow_body(x: Exchange) -> None:
    x.head(content_type=TARGET, content_length=100_000)
    _drip(x, b"y" * 100_000, 0.02)


def slow_page(x: Exchange) -> None:
    x.head(content_type=PAGE, transfer_encoding="chunked")
    while True:
        _drip(x, b"1\r\na\r\n", 0.01)


def stalled_body(x: Exchange) -> None:
    x.head(content_type=TARGET, content_length=100_000)
    x.send(CSV)
    x.pause(3600)


def truncated_length(x: Exchange) -> None:
    x.head(content_type=TARGET, content_length=len(LONG_CSV) + 1)
    x.send(LONG_CSV)


def truncated_page(x: Exchange) -> None:
    x.head(content_type=PAGE, content_length=10_000)
    x.send(b"<p>Half a page")


def truncated_chunked(x: Exchange) -> None:
    x.head(content_type=TARGET, transfer_encoding="chunked")
    x.send(b"%x\r\n%s\r\n" % (len(LONG_CSV), LONG_CSV))


def negative_chunk(x: Exchange) -> None:
    x.head(content_type=TARGET, transfer_encoding="chunked")
    x.send(b"-1\r\n")
    while True:
        x.send(b"y" * 65_536)


def truncated_gzip(x: Exchange) -> None:
    x.head(content_type=TARGET, content_encoding="gzip")
    x.send(gzip.compress(LONG_CSV)[:-20])


def corrupt_gzip(x: Exchange) -> None:
    packed = gzip.compress(LONG_CSV)
    body = packed[:40] + GARBAGE + packed[40 + len(GARBAGE) :]
    x.whole("200 OK", body, content_type=TARGET, content_encoding="gzip")


def good_gzip(x: Exchange) -> None:
    x.whole("200 OK", gzip.compress(LONG_CSV), content_type=TARGET, content_encoding="gzip")


def good_deflate(x: Exchange) -> None:
    x.whole("200 OK", zlib.compress(LONG_CSV), content_type=TARGET, content_encoding="deflate")


def bare_deflate(x: Exchange) -> None:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    body = packer.compress(LONG_CSV) + packer.flush()
    x.whole("200 OK", body, content_type=TARGET, content_encoding="deflate")


def good_chunked(x: Exchange) -> None:
    x.head(content_type=TARGET, transfer_encoding="chunked")
    for start in range(0, len(LONG_CSV), 1000):
        piece = LONG_CSV[start : start + 1000]
        x.send(b"%x;ext=1\r\n%s\r\n" % (len(piece), piece))
    x.send(b"0\r\nX-Trailer: 1\r\n\r\n")
    x.keep_alive = True


def gzip_bomb(x: Exchange) -> None:
    """About 1 GB of zeros in 1 MB."""
    x.head(content_type=TARGET, content_encoding="gzip")
    packer = zlib.compressobj(9, wbits=31)
    zeros = bytes(1_000_000)
    for _ in range(1000):
        x.send(packer.compress(zeros))
    x.send(packer.flush())


def packs_well(x: Exchange) -> None:
    """15 MB of one repeated line, in 15 kB."""
    body = gzip.compress(b"0,0,0,0,0,0,0,0,0\n,"[:10] * 1_500_000)
    x.whole("200 OK", body, content_type=TARGET, content_encoding="gzip")


def big(x: Exchange) -> None:
    """`/big/BYTES` has a Content-Length, `/endless/BYTES` has none."""
    _, name, size = x.seen.path.split("/")
    left = int(size)
    if name == "big":
        x.head(content_type=TARGET, content_length=left)
    else:
        x.head(content_type=TARGET, connection="close")
    block = b"0123456789abcde\n" * 4096
    while left > 0:
        x.send(block[:left])
        left -= len(block)


def huge_header(x: Exchange) -> None:
    x.head(content_type=PAGE, content_length=0, x_huge="h" * 200_000)


def many_headers(x: Exchange) -> None:
    x.head(content_length=0, **{f"x_{number}": number for number in range(500)})


def invalid_status(x: Exchange) -> None:
    x.send(b"ICY twohundred\r\nContent-Type: text/html\r\n\r\nhello")


def reset(x: Exchange) -> None:
    # Closing with a linger of zero sends RST.
    x.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def moved(location: str) -> Handler:
    return lambda x: x.whole("302 Found", b"<p>Moved", location=location, content_type=PAGE)


def moved_with_bomb(x: Exchange) -> None:
    x.head("302 Found", location="/data/plain.csv", content_encoding="gzip", connection="close")
    packer = zlib.compressobj(9, wbits=31)
    while True:
        x.send(packer.compress(bytes(1_000_000)))


def burst(x: Exchange) -> None:
    x.server.counts[x.seen.path] += 1
    if x.server.counts[x.seen.path] <= BURST:
        x.whole("503 Service Unavailable", b"later")
    else:
        csv(x, b"burst\n" + CSV)


def busy(x: Exchange) -> None:
    x.server.counts[x.seen.path] += 1
    if x.server.counts[x.seen.path] == 1:
        x.whole("429 Too Many Requests", retry_after=1)
    else:
        csv(x, b"busy\n" + CSV)


def no_head(x: Exchange) -> None:
    if x.seen.method == "HEAD":
        x.whole("405 Method Not Allowed", allow="GET")
    else:
        csv(x, b"no head\n" + CSV)


def calendar(x: Exchange) -> None:
    """Every month has days, and a next month."""
    month = int(x.seen.path.split("/")[2])
    days = (f"/calendar/{month}/{day}" for day in range(1, CALENDAR_DAYS + 1))
    x.page(f"/calendar/{month + 1}", *days)


def calendar_day(x: Exchange) -> None:
    x.page("/", text="no events on this day")


def invalid_encoding(x: Exchange) -> None:
    title = b'<meta charset="utf-16"><title>\xff\xfe\xc3\x28</title>'
    body = title + b'<a href="/data/\xe9t\xe9.csv">\x80</a>'
    x.whole("200 OK", body, content_type="text/html; charset=klingon")


def typed(content_type: str, body: bytes) -> Handler:
    return lambda x: x.whole("200 OK", body, content_type=content_type)


def odd_encoding(x: Exchange) -> None:
    x.whole("200 OK", b"odd\n" + CSV, content_type=TARGET, content_encoding="utf-8")


ROUTES: dict[str, Handler] = {
    "/": index,
    "/silent": silent,
    "/slow-headers": slow_headers,
    "/slow-body": slow_body,
    "/slow-page": slow_page,
    "/stalled-body": stalled_body,
    "/truncated-length": truncated_length,
    "/truncated-page": truncated_page,
    "/truncated-chunked": truncated_chunked,
    "/negative-chunk": negative_chunk,
    "/truncated-gzip": truncated_gzip,
    "/corrupt-gzip": corrupt_gzip,
    "/gzip-bomb": gzip_bomb,
    "/data/packs-well.csv": packs_well,
    "/huge-header": huge_header,
    "/many-headers": many_headers,
    "/invalid-status": invalid_status,
    "/reset": reset,
    "/moved-utf8": moved("/data/Ångström-été.csv"),
    "/moved-bomb": moved_with_bomb,
    "/loop/a": moved("/loop/b"),
    "/loop/b": moved("/loop/a"),
    "/endless-hops/1": moved("/endless-hops/2"),
    "/burst": burst,
    "/busy": busy,
    "/no-head": no_head,
    "/invalid-encoding": invalid_encoding,
    "/data/plain.csv": csv,
    "/data/gzip.csv": good_gzip,
    "/data/deflate.csv": good_deflate,
    "/data/bare-deflate.csv": bare_deflate,
    "/data/chunked.csv": good_chunked,
    "/data/odd-encoding.csv": odd_encoding,
    "/data/no-extension": typed(TARGET, b"no extension\n" + CSV),
    "/called-html.csv": typed(PAGE, CSV),
    "/called-csv.html": typed(TARGET, b"<p>I am a page"),
    "/untyped": lambda x: x.whole("200 OK", b"untyped\n" + CSV),
}

PATTERNS: list[tuple[str, Handler]] = [
    (r"/(big|endless)/\d+", big),
    (r"/calendar/\d+", calendar),
    (r"/calendar/\d+/\d+", calendar_day),
    (
        r"/endless-hops/\d+",
        lambda x: moved(f"/endless-hops/{int(x.seen.path.rpartition('/')[2]) + 1}")(x),
    ),
    (r"/data/%C3%85ngstr%C3%B6m-%C3%A9t%C3%A9\.csv", lambda x: csv(x, b"accents\n" + CSV)),
]

LINKED = ("/big/1000000000", "/endless/1000000000")
"""Answers of 1 GB, made while they are sent."""

TARGETS: dict[str, bytes] = {
    "/data/plain.csv": CSV,
    "/data/gzip.csv": LONG_CSV,
    "/data/deflate.csv": LONG_CSV,
    "/data/bare-deflate.csv": LONG_CSV,
    "/data/chunked.csv": LONG_CSV,
    "/data/odd-encoding.csv": b"odd\n" + CSV,
    "/data/no-extension": b"no extension\n" + CSV,
    "/called-csv.html": b"<p>I am a page",
    "/moved-utf8": b"accents\n" + CSV,
    "/burst": b"burst\n" + CSV,
    "/busy": b"busy\n" + CSV,
    "/no-head": b"no head\n" + CSV,
}
"""Data files that a crawl can reach from `/`: the path that leads to each, and its bytes."""
