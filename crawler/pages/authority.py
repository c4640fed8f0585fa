"""The authority of a URL: who is asked, and at which port."""

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import unquote

DEFAULT_PORTS = {"http": 80, "https": 443}

_MAX_HOST = 253
_HOST = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_NUMERIC_END = re.compile(r"(?:\A|\.)(?:[0-9]+|0x[0-9a-f]*)\Z")
_PORT = re.compile(r"[0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class Authority:
    """A host in its one spelling, and the port that is asked in the end."""

    host: str
    port: int
    default_port: bool

    def __str__(self) -> str:
        return self.host if self.default_port else f"{self.host}:{self.port}"


def parse_authority(scheme: str, text: str) -> Authority | None:
    """Read `host[:port]` as a browser would; None where there is nothing one could connect to."""
    # A name before "@" is a login, or dresses up a strange host: neither is ours to follow.
    if "@" in text:
        return None
    if text.startswith("["):
        host_text, bracket, rest = text.partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            return None
        host, port_text = _ipv6(host_text[1:]), rest[1:]
    else:
        host_text, _, port_text = text.partition(":")
        host = _name(host_text)
    if host is None or not _PORT.fullmatch(port_text):
        return None
    default = DEFAULT_PORTS[scheme]
    port = int(port_text) if port_text else default
    if not 0 < port < 65536:
        return None
    return Authority(host, port, port == default)


def is_address(host: str) -> bool:
    """Whether the host is an IP address, which has no subdomains."""
    return host.startswith("[") or bool(_NUMERIC_END.search(host))


def is_loopback_name(host: str) -> bool:
    """Whether the host is this machine by name."""
    return host == "localhost" or host.endswith(".localhost")


def _ipv6(text: str) -> str | None:
    # A zone ("fe80::1%eth0") means something on one machine only.
    if "%" in text:
        return None
    try:
        return f"[{IPv6Address(text).compressed}]"
    except AddressValueError:
        return None


def _name(text: str) -> str | None:
    if "%" in text:
        text = unquote(text, errors="replace")
    if not text.isascii():
        if len(text) > _MAX_HOST:
            return None
        try:
            text = text.encode("idna").decode("ascii")
        except UnicodeError:
            return None
    # "example.org." is the same host, but many servers and certificates do not know it.
    host = text.lower().removesuffix(".")
    if len(host) > _MAX_HOST or not _HOST.fullmatch(host):
        return None
    if _NUMERIC_END.search(host):
        # 127.1, 0x7f.0.0.1 and 2130706433 are spellings that only hide an address.
        try:
            return str(IPv4Address(host))
        except AddressValueError:
            return None
    return host
