"""Where a site ends: Section II-B of paper 000, and what its owner added in `scope`."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from crawler.pages.authority import Authority, is_address, is_loopback_name
from crawler.pages.linear_pattern import compile_pattern
from crawler.pages.urls import authority_of, canonical, resolve

_CACHED_HOSTS = 10_000


class Place(Enum):
    """Where a URL lies, as the site's scope sees it."""

    SITE = "site"
    FILE_HOST = "file_host"
    """Another host, from which linked data files may be fetched, never pages."""
    OUTSIDE = "outside"
    EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class _Territory:
    """A host with its subdomains, at the ports that were named; else at the scheme's own port."""

    host: str
    port: int | None
    """The port that was named."""
    also_default: bool = False
    """The scheme's own port belongs to it beside the one that was named."""

    def holds(self, authority: Authority) -> bool:
        if self.port is None or self.also_default:
            fits = authority.default_port or authority.port == self.port
        else:
            fits = authority.port == self.port
        if not fits:
            return False
        host = _bare(authority.host)
        if host == self.host:
            return True
        return not is_address(self.host) and host.endswith(f".{self.host}")


class Scope:
    """The boundary of one site. Raises ValueError when it is malformed."""

    def __init__(
        self,
        start_url: str,
        *,
        hosts: Iterable[str] = (),
        file_hosts: Iterable[str] | str = (),
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
    ) -> None:
        start = authority_of(start_url)
        if start is None:
            raise ValueError(f"not an http(s) URL: {start_url!r}")
        self._start = canonical(start_url)
        host = _bare(start.host)
        # Two servers of one machine are two sites. A website may have a second port, but other
        # services of its machine are not for a crawler, unless the site file names the port.
        alone = is_address(host) or is_loopback_name(host)
        own = _Territory(host, start.port, also_default=not alone)
        self._site = (own, *map(_territory, hosts))
        listed = [file_hosts] if isinstance(file_hosts, str) else list(file_hosts)
        self._files_anywhere = "any" in listed
        self._files = tuple(_territory(entry) for entry in listed if entry != "any")
        self._include = tuple(map(compile_pattern, include))
        self._exclude = tuple(map(compile_pattern, exclude))
        self._place_of_host = lru_cache(_CACHED_HOSTS)(self._place_host)

    def place(self, url: str) -> Place:
        """Say where a URL lies; the start URL is always part of the site."""
        authority = authority_of(url)
        if authority is None:
            return Place.OUTSIDE
        place = self._place_of_host(authority)
        if place is Place.OUTSIDE or not (self._include or self._exclude):
            return place
        return self._filtered(url, place)

    def _place_host(self, authority: Authority) -> Place:
        if any(territory.holds(authority) for territory in self._site):
            return Place.SITE
        if any(territory.holds(authority) for territory in self._files):
            return Place.FILE_HOST
        if self._files_anywhere and authority.default_port:
            return Place.FILE_HOST
        return Place.OUTSIDE

    def _filtered(self, url: str, place: Place) -> Place:
        refused = any(pattern.search(url) for pattern in self._exclude)
        if not refused and place is Place.SITE and self._include:
            refused = not any(pattern.search(url) for pattern in self._include)
        if refused and canonical(url) != self._start:
            return Place.EXCLUDED
        return place


def _bare(host: str) -> str:
    return host.removeprefix("www.")


def _territory(entry: str) -> _Territory:
    text = entry.strip()
    url = resolve("", text if "://" in text else f"http://{text}")
    authority = None if url is None else authority_of(url)
    if authority is None:
        raise ValueError(f"not a host: {entry!r}")
    return _Territory(_bare(authority.host), None if authority.default_port else authority.port)
