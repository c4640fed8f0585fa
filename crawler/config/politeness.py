"""How the crawler behaves towards a server, and how it presents itself: `politeness` and `http`."""

import re
import ssl
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from crawler.config.section import Line, Section, check_line
from crawler.config.web_address import WebUrl, check_web_url

MIN_DELAY = 0.2
"""Seconds; a shorter delay is only for servers on this machine or in a private network."""

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_OWN_HEADERS = {
    "user-agent": "politeness.user_agent sets it",
    "host": "the URL sets it",
    "connection": "the connection is the crawler's business",
    "content-length": "a crawler sends no body",
    "transfer-encoding": "a crawler sends no body",
    "accept-encoding": "it says what the crawler can decode",
}


def _check_contact(contact: str) -> str:
    if "@" not in contact and not contact.startswith(("http://", "https://")):
        raise ValueError("must be an e-mail address, or a page that starts with https://")
    return contact


def _check_ascii(text: str) -> str:
    if not text.isascii():
        raise ValueError("must be plain ASCII text, since it is sent as a header")
    return text


def _check_headers(headers: dict[str, str]) -> dict[str, str]:
    mistakes = [
        reason for name, value in headers.items() if (reason := _header_problem(name, value))
    ]
    if len({name.lower() for name in headers}) < len(headers):
        mistakes.append("one header is given twice, in capitals and in small letters")
    if mistakes:
        raise ValueError("; ".join(mistakes))
    return headers


def _header_problem(name: str, value: str) -> str:
    if not _TOKEN.fullmatch(name):
        return f"'{name[:40]}' is not a header's name"
    if name.lower() in _OWN_HEADERS:
        return f"'{name}' cannot be given: {_OWN_HEADERS[name.lower()]}"
    try:
        if value:
            check_line(value).encode("latin-1")
    except UnicodeEncodeError:
        return f"'{name}' must be Latin-1 text, since it is sent as a header"
    except ValueError as error:
        return f"'{name}' {error}"
    return ""


def _check_proxy(proxy: str) -> str:
    scheme, _, rest = proxy.partition("://")
    check_web_url(f"{scheme}://{rest.rpartition('@')[2]}")
    return proxy


def _check_ca_bundle(path: Path) -> Path:
    """A run that finds out at its first request would fail night after night."""
    place = path.expanduser().absolute()
    if not place.is_file():
        raise ValueError(f"there is no file {place}")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(place)
    except (ssl.SSLError, OSError) as error:
        reason = error.strerror if not isinstance(error, ssl.SSLError) else "no PEM certificates"
        raise ValueError(f"{place} cannot be used: {reason}") from None
    return path


class Politeness(Section):
    """How the crawler behaves towards the server."""

    delay: float = Field(default=1.0, ge=0, le=3600)
    """Seconds between the end of one request to a host and the start of the next; at least 0.2 on
    public sites. A longer Crawl-delay in robots.txt wins."""

    robots: bool = True
    """Obey robots.txt (RFC 9309). Switch it off only on your own site."""

    user_agent: Annotated[Line, AfterValidator(_check_ascii)] | None = None
    """The product name to send and to look for in robots.txt, instead of Tallyho's own."""

    contact: (
        Annotated[Line, AfterValidator(_check_ascii), AfterValidator(_check_contact)] | None
    ) = None
    """An e-mail address or a web page for the site's administrators; part of the User-Agent."""

    retries: int = Field(default=3, ge=0, le=10)
    """How often a request is repeated after a connection error, a 429 or a 5xx."""

    backoff: float = Field(default=2.0, ge=0, le=600)
    """Seconds before the first repetition, doubled each time; a longer Retry-After wins."""


class Http(Section):
    """How requests are sent."""

    proxy: Annotated[str, AfterValidator(_check_proxy)] | None = None
    """An http or https proxy for all requests. Proxies set in the environment are not used."""

    headers: Annotated[dict[str, str], AfterValidator(_check_headers)] = Field(default_factory=dict)
    """More headers for requests to the origin (scheme, host and port) of start_url and start_also,
    and to no other: they may hold credentials."""

    header_origins: Annotated[tuple[WebUrl, ...], Field(strict=False)] = ()
    """More origins that get `headers`, such as https://data.example.org; paths are ignored."""

    ca_bundle: Annotated[Path, Field(strict=False), AfterValidator(_check_ca_bundle)] | None = None
    """A PEM file of certificate authorities, for sites whose certificate chain is not public."""
