"""TLS checks the name, and a proxy is used as it is told."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from crawler.storage.local_folder import LocalFolder
from crawler.web.addresses import AddressPolicy
from crawler.web.fetcher import Fetcher
from crawler.web.messages import Failure, Request
from tests.web.bare_server import BareServer, Exchange
from tests.web.decisions import keep
from tests.web.misbehaving_server import CSV, MisbehavingServer, csv

MakeFetcher = Callable[..., Fetcher]
CERTIFICATE = Path(__file__).with_name("statistics_test.pem")


@pytest.fixture
def asked_names() -> list[str]:
    return []


@pytest.fixture
def tls_server(asked_names: list[str]) -> Iterator[MisbehavingServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    context.sni_callback = lambda _sock, name, _context: asked_names.append(name)
    with MisbehavingServer(tls=context) as running:
        yield running


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes every name an address of this machine."""

    def lookup(host: str, port: int, *_: object, **__: object) -> list[tuple[object, ...]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)


@pytest.mark.usefixtures("names")
def test_certificate_and_server_name_are_those_of_the_name(
    tls_server: MisbehavingServer,
    make_fetcher: MakeFetcher,
    folder: LocalFolder,
    asked_names: list[str],
) -> None:
    fetcher = make_fetcher(ca_bundle=CERTIFICATE)
    url = tls_server.url("/data/plain.csv", host="statistics.test")
    assert fetcher.fetch(Request(url), keep, folder.spool).file is not None
    assert asked_names == ["statistics.test"]


@pytest.mark.usefixtures("names")
@pytest.mark.parametrize(
    ("host", "bundle"), [("other.test", CERTIFICATE), ("statistics.test", None)]
)
def test_certificate_of_another_name_or_of_a_stranger_is_not_trusted(
    tls_server: MisbehavingServer,
    make_fetcher: MakeFetcher,
    folder: LocalFolder,
    host: str,
    bundle: Path | None,
) -> None:
    fetcher = make_fetcher(ca_bundle=bundle)
    reply = fetcher.fetch(Request(tls_server.url("/", host=host)), keep, folder.spool)
    assert reply.failure is Failure.TLS
    assert not reply.failure.retryable
    assert tls_server.requests == []


@pytest.mark.usefixtures("names")
@pytest.mark.parametrize("path", ["/truncated-length", "/reset", "/truncated-chunked"])
def test_connection_that_breaks_under_tls_is_broken_not_untrusted(
    tls_server: MisbehavingServer, make_fetcher: MakeFetcher, folder: LocalFolder, path: str
) -> None:
    fetcher = make_fetcher(ca_bundle=CERTIFICATE)
    url = tls_server.url(path, host="statistics.test")
    assert fetcher.fetch(Request(url), keep, folder.spool).failure is Failure.BROKEN


@pytest.mark.parametrize(
    ("answer", "failure"),
    [(b"HTTP/1.1 400 Bad Request\r\n\r\n", Failure.TLS), (b"", Failure.BROKEN)],
)
def test_server_that_does_not_speak_tls_differs_from_one_that_hangs_up(
    fetcher: Fetcher, folder: LocalFolder, answer: bytes, failure: Failure
) -> None:
    def answer_plainly(listener: socket.socket) -> None:
        sock, _ = listener.accept()
        with sock:
            sock.recv(65_536)
            sock.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer_plainly, args=(listener,), daemon=True)
        thread.start()
        url = f"https://127.0.0.1:{listener.getsockname()[1]}/"
        reply = fetcher.fetch(Request(url), keep, folder.spool)
        thread.join()
    assert reply.failure is failure


class Proxy(BareServer):
    """Answers plain requests itself and refuses tunnels."""

    def find(self, path: str) -> Callable[[Exchange], None]:
        def handle(x: Exchange) -> None:
            if x.seen.method == "CONNECT":
                x.whole("403 Forbidden")
            else:
                csv(x)

        return handle


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    with Proxy() as running:
        yield running


def test_proxy_gets_the_whole_url_and_resolves_the_name(
    proxy: Proxy, make_fetcher: MakeFetcher, folder: LocalFolder
) -> None:
    fetcher = make_fetcher(proxy=proxy.url(""), addresses=AddressPolicy())
    reply = fetcher.fetch(Request("http://no-such-name.test/a.csv"), keep, folder.spool)
    assert reply.file is not None
    assert reply.file.size == len(CSV)
    assert proxy.paths() == ["http://no-such-name.test/a.csv"]


@pytest.mark.parametrize("host", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "0x7f000001"])
def test_proxy_is_not_asked_for_addresses_that_are_refused(
    proxy: Proxy, make_fetcher: MakeFetcher, folder: LocalFolder, host: str
) -> None:
    fetcher = make_fetcher(proxy=proxy.url(""), addresses=AddressPolicy())
    reply = fetcher.fetch(Request(f"http://{host}/a.csv"), keep, folder.spool)
    assert reply.failure is Failure.PRIVATE_ADDRESS
    assert proxy.requests == []


def test_proxy_that_refuses_a_tunnel_is_a_failure_to_connect(
    proxy: Proxy, make_fetcher: MakeFetcher, folder: LocalFolder
) -> None:
    fetcher = make_fetcher(proxy=proxy.url(""))
    reply = fetcher.fetch(Request("https://statistics.test/"), keep, folder.spool)
    assert reply.failure is Failure.CONNECT
    assert "403" in reply.detail
    assert proxy.paths() == ["statistics.test:443"]


def test_proxy_that_is_not_there_is_a_failure_to_connect(
    make_fetcher: MakeFetcher, folder: LocalFolder
) -> None:
    with Proxy() as gone:
        fetcher = make_fetcher(proxy=gone.url(""))
    reply = fetcher.fetch(Request("http://statistics.test/"), keep, folder.spool)
    assert reply.failure is Failure.CONNECT
