"""The guard against private addresses: which addresses a crawl may connect to.

Links come from strangers, and a name may resolve to anything: to this machine, to the network
behind it, to the service that hands out a cloud machine's credentials. So the name is resolved
once, every address is checked, and a checked address is the one that is connected to.
"""

import ipaddress
import socket
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv4Address, IPv6Address, IPv6Network

from crawler.web.deadline import Deadline

SocketOption = tuple[int, int, int | bytes]

_PRIVATE = tuple(
    ipaddress.ip_network(network)
    for network in (
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "::1/128",
        "fc00::/7",
    )
)
_NEVER_GLOBAL = tuple(
    ipaddress.ip_network(network)
    for network in (
        "192.0.0.0/24",  # IETF protocol assignments; the ipaddress module knows parts of it only
        "192.88.99.0/24",  # the former anycast of 6to4 (RFC 7526)
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.175.48.0/24",  # AS112
        "3fff::/20",  # documentation (RFC 9637)
        "5f00::/16",  # segment routing (RFC 9602)
        "100::/64",  # discard only
        "2001::/23",  # IETF protocol assignments, but for Teredo, which is looked into
        "2620:4f:8000::/48",  # AS112
    )
)
"""Registered for special purposes by IANA; which of them `is_global` knows depends on the version
of Python."""

_METADATA = frozenset(
    ipaddress.ip_address(address)
    for address in (
        "100.100.100.200",  # Alibaba Cloud
        "168.63.129.16",  # Azure; a global address like any other, but for its machines
        "192.0.0.192",  # Oracle Cloud
        "fd00:ec2::254",  # Amazon
        "fd20:ce::254",  # Google
    )
)
"""Services that trust every request of the machine; most others of them are link-local."""

_NAT64 = IPv6Network("64:ff9b::/96")


class Reach(Enum):
    """How far an address reaches."""

    GLOBAL = "global"
    PRIVATE = "private"
    FORBIDDEN = "forbidden"
    """Link-local, cloud metadata, multicast, reserved, unspecified: never a website."""


class AddressRefused(Exception):
    """The policy allows none of the addresses."""


class NameUnresolved(Exception):
    """The name has no address."""


class Unreachable(Exception):
    """None of the allowed addresses accepts a connection."""


def reach(address: IPv4Address | IPv6Address) -> Reach:
    """How far an address reaches; one that wraps an IPv4 address reaches as far as that."""
    if isinstance(address, IPv6Address) and (embedded := list(_embedded(address))):
        reaches = {reach(inner) for inner in embedded}
        return next(
            kind for kind in (Reach.FORBIDDEN, Reach.PRIVATE, Reach.GLOBAL) if kind in reaches
        )
    if address in _METADATA or address.is_link_local or address.is_unspecified:
        return Reach.FORBIDDEN
    if any(address in network for network in _PRIVATE):
        return Reach.PRIVATE
    if any(address in network for network in _NEVER_GLOBAL):
        return Reach.FORBIDDEN
    if address.is_multicast or address.is_reserved or not address.is_global:
        return Reach.FORBIDDEN
    if isinstance(address, IPv6Address) and address.is_site_local:
        return Reach.FORBIDDEN
    return Reach.GLOBAL


def _embedded(address: IPv6Address) -> Iterator[IPv4Address]:
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
    elif address.sixtofour is not None:
        yield address.sixtofour
    elif address.teredo is not None:
        yield from address.teredo
    elif address in _NAT64:
        yield IPv4Address(int(address) & 0xFFFFFFFF)


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """Which addresses may be connected to.

    With a proxy it is the proxy that resolves names, so only addresses written into URLs can be
    checked here; what a name may mean behind the proxy is the proxy's business. The proxy's own
    address comes from the site's YAML and is not checked.
    """

    allow_private: bool = False
    """Private networks and loopback too; link-local and cloud metadata addresses stay refused."""

    def allows(self, address: IPv4Address | IPv6Address) -> bool:
        """Whether this address may be connected to."""
        reached = reach(address)
        return reached is Reach.GLOBAL or (reached is Reach.PRIVATE and self.allow_private)

    def check_literal(self, host: str) -> None:
        """Raises AddressRefused when the host is written as an address that is not allowed."""
        address = _literal(host)
        if address is not None and not self.allows(address):
            raise AddressRefused(f"{host} is a {reach(address).value} address")


def _literal(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        pass
    try:
        # The old forms too: 127.1, 0x7f000001, 2130706433.
        return IPv4Address(socket.inet_aton(host.rstrip(".")))
    except (OSError, UnicodeError, ValueError):
        return None


def connect(
    host: str,
    port: int,
    *,
    policy: AddressPolicy | None,
    timeout: float | None,
    deadline: Deadline,
    options: Iterable[SocketOption] = (),
) -> socket.socket:
    """Resolves the name once and connects to the first allowed address that answers."""
    last: OSError | None = None
    for family, address in _allowed(host, port, policy):
        left = deadline.left()
        try:
            sock = socket.socket(family, socket.SOCK_STREAM)
        except OSError as error:
            last = error
            continue
        try:
            for option in options:
                sock.setsockopt(*option)
            if timeout is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
                # Otherwise the kernel sends a request on that we gave up long ago, once the network
                # is back: beside those of whoever has the site now.
                milliseconds = max(1, int(timeout * 1000))
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
            sock.settimeout(left if timeout is None else min(timeout, left))
            sock.connect(address)
        except OSError as error:
            sock.close()
            last = error
        except BaseException:
            sock.close()
            raise
        else:
            sock.settimeout(timeout)
            return sock
    deadline.left()
    raise Unreachable(f"no connection to {host}:{port}: {_reason(last)}") from last


def _allowed(
    host: str, port: int, policy: AddressPolicy | None
) -> list[tuple[socket.AddressFamily, tuple[str, int]]]:
    try:
        resolved = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        raise NameUnresolved(f"{host} has no address: {error.strerror}") from error
    allowed = []
    refused = ""
    for family, _, _, _, sockaddr in resolved:
        if family not in (socket.AF_INET, socket.AF_INET6):
            continue
        address = ipaddress.ip_address(sockaddr[0])
        if policy is None or policy.allows(address):
            allowed.append((family, sockaddr))
        else:
            refused = f"{host} resolves to {address}, a {reach(address).value} address"
    if refused and not allowed:
        raise AddressRefused(refused)
    if not allowed:
        raise NameUnresolved(f"{host} has no internet address")
    return allowed  # type: ignore[return-value]  # IPv6 socket addresses have four parts


def _reason(error: OSError | None) -> str:
    if error is None:
        return "no address was tried"
    return "timed out" if isinstance(error, TimeoutError) else (error.strerror or str(error))
