"""Whatever a server does, the fetcher reports it as one Failure, in time, and keeps nothing."""

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from crawler.storage.local_folder import LocalFolder
from crawler.web.fetcher import Fetcher
from crawler.web.messages import Decision, Failure, Head, Method, Request
from tests.web.bare_server import Exchange
from tests.web.decisions import LIMITS, keep, read
from tests.web.misbehaving_server import CSV, TARGET, MisbehavingServer

MB = 1_000_000


def stored_files(folder: LocalFolder) -> list[Path]:
    root = folder.local_path("0" * 64).parents[3]
    return [path for path in root.rglob("*") if path.is_file()]


@contextmanager
def memory_growth_below(limit: int) -> Iterator[None]:
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak - before < limit


@pytest.mark.parametrize("decide", [keep, read])
@pytest.mark.parametrize(
    "path",
    [
        "/truncated-length",
        "/truncated-page",
        "/truncated-chunked",
        "/negative-chunk",
        "/truncated-gzip",
        "/corrupt-gzip",
        "/huge-header",
        "/many-headers",
        "/invalid-status",
        "/reset",
    ],
)
def test_broken_answer_is_reported_and_nothing_is_kept(
    server: MisbehavingServer,
    fetcher: Fetcher,
    folder: LocalFolder,
    path: str,
    decide: Callable[[Head, bytes], Decision],
) -> None:
    reply = fetcher.fetch(Request(server.url(path)), decide, folder.spool)
    assert reply.failure is Failure.BROKEN
    assert reply.failure.retryable
    assert reply.detail
    assert len(reply.detail) <= 200
    assert reply.detail.isprintable()
    assert (reply.file, reply.body) == (None, b"")
    assert stored_files(folder) == []


def raw(data: bytes) -> Callable[[Exchange], None]:
    return lambda x: x.send(data)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\nContent-Length: 3\r\n\r\nabc",
        b"HTTP/1.1 206 Partial Content\r\nContent-Length: 3\r\n\r\nabc",
        b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n",
        b"HTTP/9.9 200 OK\r\n\r\n",
        b"HTTP/1.1 -200 OK\r\n\r\n",
        b"\x16\x03\x01\x00\x00",
    ],
)
def test_answer_that_is_not_a_whole_http_answer_is_broken(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder, answer: bytes
) -> None:
    server.on("/odd", raw(answer))
    reply = fetcher.fetch(Request(server.url("/odd")), keep, folder.spool)
    assert reply.failure is Failure.BROKEN
    assert stored_files(folder) == []


@pytest.mark.parametrize(
    "headers",
    [
        b"Content-Length: -5",
        b"Content-Length: many",
        b"Content-Encoding: \xff\xfe",
        b"No colon at all",
        b": no name",
        b"Set-Cookie: " + b"a=b; " * 10_000,
    ],
)
def test_nonsense_in_headers_does_not_spoil_the_body(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder, headers: bytes
) -> None:
    server.on("/odd", raw(b"HTTP/1.1 200 OK\r\n" + headers + b"\r\n\r\n" + CSV))
    reply = fetcher.fetch(Request(server.url("/odd")), read, folder.spool)
    assert reply.failure is None
    assert reply.body == CSV


@pytest.mark.parametrize("path", ["/silent", "/stalled-body"])
def test_silence_is_a_timeout(
    server: MisbehavingServer, make_fetcher: Callable[..., Fetcher], folder: LocalFolder, path: str
) -> None:
    fetcher = make_fetcher(limits=replace(LIMITS, timeout=0.3))
    reply = fetcher.fetch(Request(server.url(path)), keep, folder.spool)
    assert reply.failure is Failure.TIMEOUT
    assert stored_files(folder) == []


@pytest.mark.parametrize("decide", [keep, read])
@pytest.mark.parametrize("path", ["/slow-headers", "/slow-body", "/slow-page"])
def test_dripping_answer_is_too_slow(
    server: MisbehavingServer,
    make_fetcher: Callable[..., Fetcher],
    folder: LocalFolder,
    path: str,
    decide: Callable[[Head, bytes], Decision],
) -> None:
    fetcher = make_fetcher(limits=replace(LIMITS, total=0.6, page_total=0.5))
    reply = fetcher.fetch(Request(server.url(path)), decide, folder.spool)
    assert reply.failure is Failure.TOO_SLOW
    assert stored_files(folder) == []


@pytest.mark.slow
def test_file_may_take_longer_than_a_page(
    server: MisbehavingServer, make_fetcher: Callable[..., Fetcher], folder: LocalFolder
) -> None:
    def slow_file(x: Exchange) -> None:
        x.head(content_type=TARGET, content_length=5000 + len(CSV))
        x.send(b"y" * 5000)
        x.pause(1.6)
        x.send(CSV)

    server.on("/slow", slow_file)
    fetcher = make_fetcher(limits=replace(LIMITS, page_total=1.2))
    assert fetcher.fetch(Request(server.url("/slow")), keep, folder.spool).file is not None
    as_page = fetcher.fetch(Request(server.url("/slow")), read, folder.spool)
    assert as_page.failure is Failure.TOO_SLOW


def test_error_page_that_never_ends_is_left_alone(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    def endless(x: Exchange) -> None:
        x.head("404 Not Found", transfer_encoding="chunked")
        while True:
            x.send(b"3e8\r\n" + b"y" * 1000 + b"\r\n")

    server.on("/endless-error", endless)
    reply = fetcher.fetch(Request(server.url("/endless-error")), keep, folder.spool)
    assert reply.head is not None
    assert reply.head.status == 404
    assert fetcher.fetch(Request(server.url("/data/plain.csv")), keep, folder.spool).file


def test_body_after_head_does_not_become_the_next_answer(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    def with_body(x: Exchange) -> None:
        x.head(content_type=TARGET, content_length=len(CSV))
        x.send(CSV)
        x.keep_alive = True

    server.on("/talkative", with_body)
    head = fetcher.fetch(Request(server.url("/talkative"), Method.HEAD), keep, folder.spool)
    assert head.head is not None
    page = fetcher.fetch(Request(server.url("/calendar/1"), wait=0.5), read, folder.spool)
    assert b"/calendar/2" in page.body


def test_closed_port_is_a_failure_to_connect(fetcher: Fetcher, folder: LocalFolder) -> None:
    with MisbehavingServer() as gone:
        url = gone.url("/")
    reply = fetcher.fetch(Request(url), keep, folder.spool)
    assert reply.failure is Failure.CONNECT
    assert "refused" in reply.detail


@pytest.mark.parametrize(
    "url",
    [
        "",
        "no scheme",
        "ftp://127.0.0.1/a",
        "file:///etc/passwd",
        "mailto:a@example.org",
        "http://",
        "http:///path",
        "http://[::1/",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1:x/",
        "http://a b/",
        "http://" + "a" * 64 + ".example/",
        "http://\udcff/",
        "http://.example/",
        "http://a..b.example/",
        "https://*.example.org/",
    ],
)
def test_url_that_cannot_be_requested(fetcher: Fetcher, folder: LocalFolder, url: str) -> None:
    reply = fetcher.fetch(Request(url), keep, folder.spool)
    assert reply.failure is Failure.BAD_URL
    assert reply.detail


def test_file_of_200_mb_needs_little_memory(
    server: MisbehavingServer, make_fetcher: Callable[..., Fetcher], folder: LocalFolder
) -> None:
    fetcher = make_fetcher(limits=replace(LIMITS, file_bytes=300 * MB, total=300.0))
    fetcher.fetch(Request(server.url("/data/plain.csv")), keep, folder.spool)
    with memory_growth_below(4 * MB):
        reply = fetcher.fetch(Request(server.url("/big/200000000")), keep, folder.spool)
    assert reply.file is not None
    assert reply.file.size == 200 * MB


@pytest.mark.parametrize("decide", [keep, read])
def test_bomb_needs_little_memory(
    server: MisbehavingServer,
    fetcher: Fetcher,
    folder: LocalFolder,
    decide: Callable[[Head, bytes], Decision],
) -> None:
    fetcher.fetch(Request(server.url("/data/gzip.csv")), keep, folder.spool)
    with memory_growth_below(6 * MB):
        reply = fetcher.fetch(Request(server.url("/gzip-bomb")), decide, folder.spool)
    assert reply.failure is (Failure.TOO_LARGE if decide is keep else None)
    assert reply.cut is (decide is read)


def test_a_compression_bomb_is_recognised_by_its_ratio_long_before_the_size_limit(
    server: MisbehavingServer, make_fetcher: Callable[..., Fetcher], folder: LocalFolder
) -> None:
    fetcher = make_fetcher(limits=replace(LIMITS, file_bytes=2 * 1024**3))
    reply = fetcher.fetch(Request(server.url("/gzip-bomb")), keep, folder.spool)
    assert reply.failure is Failure.TOO_LARGE
    assert "compression bomb" in reply.detail
    assert reply.received < 100 * MB
    assert stored_files(folder) == []


def test_a_short_file_that_packs_well_is_kept(
    server: MisbehavingServer, make_fetcher: Callable[..., Fetcher], folder: LocalFolder
) -> None:
    fetcher = make_fetcher(limits=replace(LIMITS, file_bytes=2 * 1024**3))
    reply = fetcher.fetch(Request(server.url("/data/packs-well.csv")), keep, folder.spool)
    assert reply.failure is None
    assert reply.file is not None
    assert reply.file.size == 15 * MB
