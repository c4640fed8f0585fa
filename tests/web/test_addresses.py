"""Only checked addresses are connected to, whatever a name resolves to."""

import socket
from collections.abc import Callable
from ipaddress import ip_address

import pytest

from crawler.storage.local_folder import LocalFolder
from crawler.web.addresses import AddressPolicy, AddressRefused, Reach, reach
from crawler.web.fetcher import Fetcher
from crawler.web.messages import Failure, Request
from tests.web.decisions import keep
from tests.web.misbehaving_server import MisbehavingServer

MakeFetcher = Callable[..., Fetcher]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("93.184.216.34", Reach.GLOBAL),
        ("2606:2800:220:1::1", Reach.GLOBAL),
        ("::ffff:93.184.216.34", Reach.GLOBAL),
        ("64:ff9b::5db8:d822", Reach.GLOBAL),
        ("2002:5db8:d822::1", Reach.GLOBAL),
        ("127.0.0.1", Reach.PRIVATE),
        ("127.255.0.9", Reach.PRIVATE),
        ("10.1.2.3", Reach.PRIVATE),
        ("172.31.0.1", Reach.PRIVATE),
        ("192.168.1.1", Reach.PRIVATE),
        ("100.64.0.1", Reach.PRIVATE),
        ("::1", Reach.PRIVATE),
        ("fd12::1", Reach.PRIVATE),
        ("::ffff:10.0.0.1", Reach.PRIVATE),
        ("64:ff9b::a00:1", Reach.PRIVATE),
        ("2002:7f00:1::", Reach.PRIVATE),
        ("0.0.0.0", Reach.FORBIDDEN),
        ("0.1.2.3", Reach.FORBIDDEN),
        ("::", Reach.FORBIDDEN),
        ("169.254.169.254", Reach.FORBIDDEN),
        ("100.100.100.200", Reach.FORBIDDEN),
        ("168.63.129.16", Reach.FORBIDDEN),
        ("fd00:ec2::254", Reach.FORBIDDEN),
        ("fe80::1", Reach.FORBIDDEN),
        ("fec0::1", Reach.FORBIDDEN),
        ("224.0.0.1", Reach.FORBIDDEN),
        ("ff02::1", Reach.FORBIDDEN),
        ("240.0.0.1", Reach.FORBIDDEN),
        ("255.255.255.255", Reach.FORBIDDEN),
        ("192.0.2.1", Reach.FORBIDDEN),
        ("198.18.0.1", Reach.FORBIDDEN),
        ("2001:db8::1", Reach.FORBIDDEN),
        ("192.0.0.8", Reach.FORBIDDEN),
        ("192.0.0.9", Reach.FORBIDDEN),
        ("192.0.0.171", Reach.FORBIDDEN),
        ("192.88.99.1", Reach.FORBIDDEN),
        ("3fff::1", Reach.FORBIDDEN),
        ("5f00::1", Reach.FORBIDDEN),
        ("100::1", Reach.FORBIDDEN),
        ("2001:20::1", Reach.FORBIDDEN),
        ("::ffff:192.88.99.1", Reach.FORBIDDEN),
        ("::127.0.0.1", Reach.FORBIDDEN),
        ("::ffff:169.254.169.254", Reach.FORBIDDEN),
        ("::ffff:168.63.129.16", Reach.FORBIDDEN),
        ("64:ff9b::a9fe:a9fe", Reach.FORBIDDEN),
        ("2002:a9fe:a9fe::", Reach.FORBIDDEN),
        # Teredo: server 1.2.3.4, client 127.0.0.1 and 169.254.169.254, inverted.
        ("2001:0:102:304:0:0:80ff:fffe", Reach.PRIVATE),
        ("2001:0:102:304:0:0:5601:5601", Reach.FORBIDDEN),
    ],
)
def test_reach_of_an_address(address: str, expected: Reach) -> None:
    assert reach(ip_address(address)) is expected


@pytest.mark.parametrize("allow_private", [False, True])
def test_private_addresses_need_permission_and_forbidden_ones_never_get_it(
    allow_private: bool,
) -> None:
    policy = AddressPolicy(allow_private=allow_private)
    assert policy.allows(ip_address("93.184.216.34"))
    assert policy.allows(ip_address("127.0.0.1")) is allow_private
    assert not policy.allows(ip_address("169.254.169.254"))


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.1", "0x7f000001", "2130706433", "::1", "[::1]", "0177.0.0.1"]
)
def test_literal_is_recognised_in_all_its_spellings(host: str) -> None:
    with pytest.raises(AddressRefused):
        AddressPolicy().check_literal(host)
    AddressPolicy(allow_private=True).check_literal(host)


def test_name_is_no_literal() -> None:
    AddressPolicy().check_literal("localhost.example.org")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "0x7f000001"])
def test_loopback_is_refused_unless_the_site_allows_it(
    server: MisbehavingServer, make_fetcher: MakeFetcher, folder: LocalFolder, host: str
) -> None:
    url = server.url("/data/plain.csv", host=host)
    refused = make_fetcher(addresses=AddressPolicy()).fetch(Request(url), keep, folder.spool)
    assert refused.failure is Failure.PRIVATE_ADDRESS
    assert not refused.failure.retryable
    assert server.requests == []
    assert make_fetcher().fetch(Request(url), keep, folder.spool).file is not None


@pytest.mark.parametrize("host", ["169.254.169.254", "0.0.0.0", "[::]", "[::ffff:169.254.169.254]"])
def test_forbidden_address_is_refused_also_where_private_ones_are_allowed(
    fetcher: Fetcher, folder: LocalFolder, host: str
) -> None:
    reply = fetcher.fetch(Request(f"http://{host}/latest/meta-data/"), keep, folder.spool)
    assert reply.failure is Failure.PRIVATE_ADDRESS


class FakeNames:
    """Answers of a name server, one list of addresses per lookup."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> None:
        self.lookups = 0
        self._answers = answers
        monkeypatch.setattr(socket, "getaddrinfo", self._lookup)

    def _lookup(self, host: str, port: int, *_: object, **__: object) -> list[tuple[object, ...]]:
        answer = self._answers[min(self.lookups, len(self._answers) - 1)]
        self.lookups += 1
        if not answer:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [
            (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, port, 0, 0))
            if ":" in address
            else (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
            for address in answer
        ]


def test_checked_address_is_the_one_connected_to(
    server: MisbehavingServer,
    fetcher: Fetcher,
    folder: LocalFolder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = FakeNames(monkeypatch, ["127.0.0.1"], ["169.254.169.254"])
    url = server.url("/data/plain.csv", host="rebinding.test")
    assert fetcher.fetch(Request(url), keep, folder.spool).file is not None
    assert names.lookups == 1
    assert server.requests[0].headers["host"] == f"rebinding.test:{server.port}"


def test_name_that_turns_private_later_is_refused_then(
    server: MisbehavingServer,
    fetcher: Fetcher,
    folder: LocalFolder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    FakeNames(monkeypatch, ["127.0.0.1"], ["169.254.169.254"])
    url = server.url("/truncated-page", host="rebinding.test")
    fetcher.fetch(Request(url), keep, folder.spool)
    assert fetcher.fetch(Request(url), keep, folder.spool).failure is Failure.PRIVATE_ADDRESS


def test_refused_addresses_are_passed_over_and_dead_ones_too(
    server: MisbehavingServer,
    fetcher: Fetcher,
    folder: LocalFolder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    FakeNames(monkeypatch, ["169.254.169.254", "127.77.0.1", "127.0.0.1"])
    url = server.url("/data/plain.csv", host="several.test")
    assert fetcher.fetch(Request(url), keep, folder.spool).file is not None


def test_name_without_address_is_a_dns_failure(
    fetcher: Fetcher, folder: LocalFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    FakeNames(monkeypatch, [])
    reply = fetcher.fetch(Request("http://nowhere.test/"), keep, folder.spool)
    assert reply.failure is Failure.DNS
    assert "nowhere.test" in reply.detail


def test_all_addresses_of_a_name_may_be_refused(
    make_fetcher: MakeFetcher, folder: LocalFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    FakeNames(monkeypatch, ["10.0.0.1", "fd00:ec2::254", "::ffff:127.0.0.1"])
    fetcher = make_fetcher(addresses=AddressPolicy())
    reply = fetcher.fetch(Request("http://inside.test/"), keep, folder.spool)
    assert reply.failure is Failure.PRIVATE_ADDRESS
