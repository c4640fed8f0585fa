"""One request, one reply: what the server sees, and what the caller gets."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from crawler.errors import ConfigError, StorageError
from crawler.pages.urls import origin
from crawler.storage.local_folder import LocalFolder
from crawler.web.fetcher import Fetcher, FetchLimits
from crawler.web.messages import SNIFFED_BYTES, Decision, Failure, Head, Method, Request
from tests.web.bare_server import Exchange
from tests.web.decisions import LIMITS, drop, keep, read, unasked
from tests.web.misbehaving_server import CSV, LONG_CSV, MisbehavingServer

MakeFetcher = Callable[..., Fetcher]


def test_page_is_read_whole(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    reply = fetcher.fetch(Request(server.url("/calendar/7")), read, folder.spool)
    assert reply.failure is None
    assert reply.decision is Decision.READ
    assert reply.head is not None
    assert reply.head.status == 200
    assert reply.head.content_type == "text/html; charset=utf-8"
    assert b'href="/calendar/8"' in reply.body
    assert not reply.cut
    assert reply.received == len(reply.body)


def test_long_page_is_cut_at_its_limit(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    reply = fetcher.fetch(Request(server.url("/big/3000000")), read, folder.spool)
    assert reply.failure is None
    assert reply.cut
    assert len(reply.body) == LIMITS.page_bytes


def test_page_of_exactly_the_limit_is_not_cut(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    reply = fetcher.fetch(Request(server.url(f"/big/{LIMITS.page_bytes}")), read, folder.spool)
    assert not reply.cut
    assert len(reply.body) == LIMITS.page_bytes


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/data/plain.csv", CSV),
        ("/data/gzip.csv", LONG_CSV),
        ("/data/deflate.csv", LONG_CSV),
        ("/data/bare-deflate.csv", LONG_CSV),
        ("/data/chunked.csv", LONG_CSV),
        ("/data/odd-encoding.csv", b"odd\n" + CSV),
    ],
)
def test_file_is_kept_decoded(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder, path: str, expected: bytes
) -> None:
    reply = fetcher.fetch(Request(server.url(path)), keep, folder.spool)
    assert reply.file is not None
    assert reply.file.sha256 == hashlib.sha256(expected).hexdigest()
    assert reply.file.size == reply.received == len(expected)
    with folder.open(reply.file.sha256) as stored:
        assert stored.read() == expected


@pytest.mark.parametrize("path", ["/data/gzip.csv", "/data/chunked.csv", "/big/5000"])
def test_first_bytes_are_decoded_and_few(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder, path: str
) -> None:
    seen: list[bytes] = []

    def look(_head: Head, first: bytes) -> Decision:
        seen.append(first)
        return Decision.DROP

    fetcher.fetch(Request(server.url(path)), look, folder.spool)
    whole = b"0123456789abcde\n" * 4096 if path.startswith("/big") else LONG_CSV
    assert seen == [whole[:SNIFFED_BYTES]]


def test_dropped_body_is_not_received(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    reply = fetcher.fetch(Request(server.url("/big/1000000000")), drop, folder.spool)
    assert reply.failure is None
    assert reply.decision is Decision.DROP
    assert reply.received <= 2 * SNIFFED_BYTES


def test_nobody_minds_a_broken_body_that_is_dropped(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    assert fetcher.fetch(Request(server.url("/truncated-page")), drop, folder.spool).failure is None


def test_head_brings_headers_only(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    request = Request(server.url("/data/plain.csv"), Method.HEAD)
    reply = fetcher.fetch(request, unasked, folder.spool)
    assert reply.head is not None
    assert reply.head.headers["content-length"] == str(len(CSV))
    assert reply.decision is Decision.DROP
    assert reply.body == b""
    assert server.requests[0].method == "HEAD"


def test_refused_head_is_reported_as_it_is(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    reply = fetcher.fetch(Request(server.url("/no-head"), Method.HEAD), unasked, folder.spool)
    assert reply.head is not None
    assert reply.head.status == 405


def test_redirect_is_not_followed_and_its_location_survives(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    reply = fetcher.fetch(Request(server.url("/moved-utf8")), unasked, folder.spool)
    assert reply.failure is None
    assert reply.head is not None
    assert reply.head.status == 302
    assert reply.head.headers["location"] == "/data/Ångström-été.csv"
    assert server.paths() == ["/moved-utf8"]


def test_latin_1_header_survives_too(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    server.on(
        "/latin",
        lambda x: x.send(
            b"HTTP/1.1 302 Found\r\nLocation: /\xe9t\xe9\r\nContent-Length: 0\r\n\r\n"
        ),
    )
    reply = fetcher.fetch(Request(server.url("/latin")), unasked, folder.spool)
    assert reply.head is not None
    assert reply.head.headers["location"] == "/été"


def test_repeated_headers_are_joined(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    server.on("/twice", lambda x: x.whole("200 OK", X_Robots="noindex", x_robots="nofollow"))
    reply = fetcher.fetch(Request(server.url("/twice")), drop, folder.spool)
    assert reply.head is not None
    assert reply.head.headers["x-robots"] == "noindex, nofollow"


def test_body_of_a_redirect_is_not_read(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    reply = fetcher.fetch(Request(server.url("/moved-bomb")), unasked, folder.spool)
    assert reply.failure is None
    assert reply.received == 0


@pytest.mark.parametrize(("path", "status"), [("/burst", 503), ("/busy", 429), ("/nowhere", 404)])
def test_error_is_reported_and_not_repeated(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder, path: str, status: int
) -> None:
    reply = fetcher.fetch(Request(server.url(path)), unasked, folder.spool)
    assert reply.failure is None
    assert reply.head is not None
    assert reply.head.status == status
    assert server.paths() == [path]


@pytest.mark.parametrize("method", Method)
def test_connection_is_kept_over_pages_files_errors_and_redirects(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder, method: Method
) -> None:
    chunked = ["/data/chunked.csv"] if method is Method.GET else []
    for path in ("/calendar/1", "/data/gzip.csv", "/nowhere", "/loop/a", "/busy", *chunked, "/"):
        assert fetcher.fetch(Request(server.url(path), method), keep, folder.spool).head
    assert len({seen.connection for seen in server.requests}) == 1


def test_connection_that_the_server_closed_meanwhile_is_replaced(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    def close_without_a_word(x: Exchange) -> None:
        x.whole("200 OK", CSV)
        x.keep_alive = False

    server.on("/closes", close_without_a_word)
    for _ in range(2):
        reply = fetcher.fetch(Request(server.url("/closes"), wait=0.5), keep, folder.spool)
        assert reply.file is not None
    assert [seen.connection for seen in server.requests] == [1, 2]


def test_cookies_are_not_kept(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    server.on("/cookie", lambda x: x.whole("200 OK", set_cookie="session=1; Path=/"))
    fetcher.fetch(Request(server.url("/cookie")), drop, folder.spool)
    fetcher.fetch(Request(server.url("/cookie")), drop, folder.spool)
    assert [seen.headers.get("cookie") for seen in server.requests] == [None, None]


def test_server_sees_who_asks_and_what_is_understood(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    fetcher.fetch(Request(server.url("/data/plain.csv")), drop, folder.spool)
    headers = server.requests[0].headers
    assert headers["user-agent"] == "Tallyho/0.1 (+mailto:a@example.org)"
    assert headers["accept-encoding"] == "gzip, deflate"
    assert headers["accept"].startswith("text/html")


def test_environment_adds_neither_proxy_nor_password(
    server: MisbehavingServer,
    fetcher: Fetcher,
    folder: LocalFolder,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login a password b\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    reply = fetcher.fetch(Request(server.url("/data/plain.csv")), keep, folder.spool)
    assert reply.file is not None
    assert "authorization" not in server.requests[0].headers


def test_password_in_a_url_is_not_sent(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    url = server.url("/data/plain.csv", host="user:secret@127.0.0.1")
    assert fetcher.fetch(Request(url), keep, folder.spool).file is not None
    assert "authorization" not in server.requests[0].headers


def test_site_headers_go_to_own_origins_only(
    server: MisbehavingServer, make_fetcher: MakeFetcher, folder: LocalFolder
) -> None:
    fetcher = make_fetcher(
        headers={"Authorization": "Bearer t"}, own_origins=[origin(server.url("/"))]
    )
    fetcher.fetch(Request(server.url("/own")), drop, folder.spool)
    fetcher.fetch(Request(server.url("/other", host="localhost")), drop, folder.spool)
    sent = {seen.path: seen.headers.get("authorization") for seen in server.requests}
    assert sent == {"/own": "Bearer t", "/other": None}


@pytest.mark.parametrize("own", ["https://127.0.0.1:{port}", "http://127.0.0.1:80"])
def test_site_headers_go_to_no_other_scheme_and_no_other_port(
    server: MisbehavingServer, make_fetcher: MakeFetcher, folder: LocalFolder, own: str
) -> None:
    port = urlsplit(server.url("/")).port
    fetcher = make_fetcher(
        headers={"Authorization": "Bearer t"}, own_origins=[own.format(port=port)]
    )
    fetcher.fetch(Request(server.url("/x")), drop, folder.spool)
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize(
    "change",
    [
        {"headers": {"Host": "a"}, "own_origins": ["http://a:80"]},
        {"headers": {"X-Split": "a\r\nHost: b"}, "own_origins": ["http://a:80"]},
        {"user_agent": "Zähler/1.0 \u2192"},
        {"proxy": "socks5://127.0.0.1:1080"},
        {"ca_bundle": "/nowhere/ca.pem"},
    ],
)
def test_wrong_settings_are_refused_at_once(
    make_fetcher: MakeFetcher, change: dict[str, object]
) -> None:
    with pytest.raises(ConfigError):
        make_fetcher(**change)


def test_headers_without_their_hosts_are_refused(make_fetcher: MakeFetcher) -> None:
    with pytest.raises(ValueError, match="own_origins"):
        make_fetcher(headers={"X-Key": "1"})


@pytest.mark.parametrize("path", ["/big/6000000", "/endless/6000000", "/gzip-bomb"])
def test_file_over_the_limit_leaves_nothing(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder, path: str
) -> None:
    reply = fetcher.fetch(Request(server.url(path)), keep, folder.spool)
    assert reply.failure is Failure.TOO_LARGE
    assert not reply.failure.retryable
    assert reply.file is None
    spooled = folder.local_path("0" * 64).parents[3].rglob("*")
    assert [path for path in spooled if path.is_file()] == []


def test_declared_size_over_the_limit_is_not_downloaded(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    reply = fetcher.fetch(Request(server.url("/big/1000000000")), keep, folder.spool)
    assert reply.failure is Failure.TOO_LARGE
    assert reply.received <= 2 * SNIFFED_BYTES


def test_file_of_exactly_the_limit_is_kept(
    server: MisbehavingServer, make_fetcher: MakeFetcher, folder: LocalFolder
) -> None:
    fetcher = make_fetcher(limits=replace(LIMITS, file_bytes=100_000))
    reply = fetcher.fetch(Request(server.url("/endless/100000")), keep, folder.spool)
    assert reply.file is not None
    assert reply.file.size == 100_000


def test_full_disk_is_a_storage_error_and_the_spool_is_discarded(
    server: MisbehavingServer, fetcher: Fetcher
) -> None:
    discarded = []

    class FullDisk:
        def write(self, data: bytes) -> None:
            raise OSError(28, "No space left on device")

        def finish(self) -> None:
            raise AssertionError

        def discard(self) -> None:
            discarded.append(True)

    with pytest.raises(StorageError, match="No space left"):
        fetcher.fetch(Request(server.url("/data/plain.csv")), keep, FullDisk)  # type: ignore[arg-type]
    assert discarded == [True]


def test_error_of_the_caller_is_not_taken_for_one_of_the_network(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    def wrong(_head: Head, _first: bytes) -> Decision:
        raise KeyError("a bug")

    with pytest.raises(KeyError):
        fetcher.fetch(Request(server.url("/data/plain.csv")), wrong, folder.spool)
    assert fetcher.fetch(Request(server.url("/data/plain.csv")), keep, folder.spool).file


def test_requests_to_one_host_are_paced(
    server: MisbehavingServer, make_fetcher: MakeFetcher, folder: LocalFolder
) -> None:
    delay = 0.3
    fetcher = make_fetcher()
    fetcher.fetch(Request(server.url("/calendar/1"), delay=delay), read, folder.spool)
    fetcher.fetch(Request(server.url("/x"), Method.HEAD, delay=delay), unasked, folder.spool)
    fetcher.fetch(Request(server.url("/truncated-page"), delay=delay), read, folder.spool)
    fetcher.fetch(Request(server.url("/calendar/2"), delay=delay), read, folder.spool)
    arrivals = [seen.at for seen in server.requests]
    assert all(later - earlier >= delay for earlier, later in pairwise(arrivals))


def test_limits_have_the_documented_defaults() -> None:
    assert FetchLimits() == FetchLimits(2_147_483_648, 10_000_000, 30.0, 1800.0, 120.0)
