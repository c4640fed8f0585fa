"""The pages on their own port: nobody locks the others out, and only our names are answered to."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest
import requests
import uvicorn

from crawler.webapp import bounded_protocol
from crawler.webapp.allowed_hosts import AllowedHosts
from crawler.webapp.bounded_protocol import MAX_CONNECTIONS, MAX_HEADER_BYTES, BoundedProtocol

pytestmark = pytest.mark.slow

HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "


async def hello(scope, receive, send):
    assert scope["type"] == "http"
    body = b"x" * 50_000_000 if scope["path"] == "/large" else b"hello"
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture
def port() -> Iterator[int]:
    config = uvicorn.Config(
        AllowedHosts(hello, ["Catalog.Example.org"]),
        log_config=None,
        http=BoundedProtocol,
        ws="none",
        lifespan="off",
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
    )
    server = uvicorn.Server(config)
    with closing(socket.create_server(("127.0.0.1", 0), backlog=2000)) as listening:
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def answer(port: int, host: str = "localhost") -> int:
    url = f"http://127.0.0.1:{port}/"
    return requests.get(url, headers={"Host": host}, timeout=20).status_code


def test_half_sent_requests_lock_nobody_out(port: int) -> None:
    with ExitStack() as open_ones:
        for _ in range(MAX_CONNECTIONS + 100):
            half = open_ones.enter_context(socket.create_connection(("127.0.0.1", port)))
            half.sendall(HALF)
        assert answer(port) == 200


def test_request_that_is_never_whole_is_hung_up_on(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_protocol, "SECONDS_FOR_REQUEST", 0.2)
    whole = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for sent, answered in ((b"", False), (HALF, False), (whole + HALF, True)):
        with socket.create_connection(("127.0.0.1", port)) as half:
            half.settimeout(20)
            half.sendall(sent)
            assert (b"hello" in _to_its_end(half)) is answered


def _to_its_end(connection: socket.socket) -> bytes:
    received = b""
    try:
        while piece := connection.recv(65536):
            received += piece
    except ConnectionResetError:
        return received or b"reset"
    return received


def test_client_that_does_not_read_is_hung_up_on(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_protocol, "SECONDS_WITHOUT_READING", 0.2)
    with socket.create_connection(("127.0.0.1", port)) as lazy:
        lazy.settimeout(20)
        lazy.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(1.5)
        assert len(_to_its_end(lazy)) < 50_000_000


def test_headers_without_end_are_refused(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(20)
        connection.sendall(HALF + b"x" * (2 * MAX_HEADER_BYTES))
        assert _to_its_end(connection)[:12] in (b"HTTP/1.1 400", b"reset")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8501", 200),
        ("127.0.0.1", 200),
        ("[::1]:8501", 200),
        ("192.168.7.7:8501", 200),
        ("catalog.example.org", 200),
        ("catalog.example.org.:80", 200),
        ("evil.example", 400),
        ("localhost.evil.example", 400),
        ("catalog.example.org.evil.example", 400),
        ("", 400),
    ],
)
def test_only_names_of_ours_are_answered_to(port: int, host: str, status: int) -> None:
    assert answer(port, host) == status
