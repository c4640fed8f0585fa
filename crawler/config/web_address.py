"""Addresses in site files: URLs and host names, checked before anything is requested."""

import ipaddress
import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from crawler.pages.authority import is_loopback_name
from crawler.pages.urls import authority_of
from crawler.redaction import has_userinfo

_HOST = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*")
_BLANK_OR_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]")


def check_web_url(url: str) -> str:
    """The URL itself; ValueError with a sentence when a crawler could not request it."""
    if has_userinfo(url):
        # Before anything else, as the other sentences show the URL.
        raise ValueError(
            "a URL carries no user name and no password here; a site that asks for them gets an "
            "Authorization header in http.headers"
        )
    if _BLANK_OR_CONTROL.search(url):
        raise ValueError("a URL has no spaces and no control characters; encode them (%20)")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError(f"{_shown(url)} is not a URL: its host or its port is wrong") from None
    if parts.scheme not in ("http", "https"):
        raise ValueError(f"{_shown(url)} must start with http:// or https://")
    if not host or port == 0 or authority_of(url) is None:
        raise ValueError(f"{_shown(url)} names no host that can be requested")
    return url


def check_host(host: str) -> str:
    """The host in lower case, with its port if given; ValueError when it is something else."""
    name, colon, port = host.lower().partition(":")
    if colon and _address(host):
        return f"[{host.lower()}]"
    name = name.rstrip(".")
    try:
        ascii_name = name.encode("idna").decode("ascii") if not name.isascii() else name
    except UnicodeError:
        raise ValueError(f"{_shown(host)} is not a host name") from None
    given = f"{ascii_name}{colon}{port}"
    wrong_port = colon and not (port.isascii() and port.isdigit())
    if not _HOST.fullmatch(ascii_name) or wrong_port or authority_of(f"http://{given}/") is None:
        raise ValueError(
            f"{_shown(host)} is not a host name; give the name alone, such as data.example.org"
        )
    return given


def _shown(address: str) -> str:
    """A wrong address for a sentence, unless a password may hide in it.

    What is after a colon or before an `@` was perhaps meant as one: `https://bob:pass/word@host`
    has no user name for a parser, and `https:/bob:password@host` no host.
    """
    rest = address.partition("://")[2] if "://" in address else address
    return "it" if re.search("[:@]|%40|%3a", rest, re.IGNORECASE) else f"'{address[:80]}'"


def is_private(url: str) -> bool:
    """Whether the URL itself names this machine or a private network; names are not resolved."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    address = _address(host)
    return is_loopback_name(host) or (address is not None and not address.is_global)


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


WebUrl = Annotated[
    str,
    Field(json_schema_extra={"format": "uri", "pattern": "^https?://"}),
    AfterValidator(check_web_url),
]
"""An absolute http or https URL, kept as it was written."""

Host = Annotated[str, AfterValidator(check_host)]
"""A host name, in lower case; with a port only where two ports are two servers."""
