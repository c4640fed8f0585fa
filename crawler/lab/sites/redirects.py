"""Paths that redirect: /go/SECTION/SLOT to a page; on odd sites also to files, and in circles."""

import re

from crawler.lab.sites.addresses import Addresses
from crawler.lab.sites.holdings import Holdings
from crawler.lab.sites.kinds import Holder, Kind
from crawler.lab.sites.places import File, Page, Place
from crawler.lab.sites.plan import Section

CHAIN = "/go/chain/1"
LOOP = "/go/loop/1"

_NUMBERS = re.compile(r"/go/([0-9]{1,9})/([0-9]{1,9})(?:/([0-9]{1,6}))?")
_MOVED_PERMANENTLY, _FOUND = 301, 302


def road_to(file: File) -> str:
    """The path that leads to a file by a redirection."""
    return f"/go/{file.section}/{file.slot}/{file.number}"


class Redirects:
    """The redirections of a site."""

    def __init__(
        self, kind: Kind, sections: tuple[Section, ...], addresses: Addresses, holdings: Holdings
    ) -> None:
        self._sections = sections
        self._addresses = addresses
        self._holdings = holdings
        self._odd = kind.oddities

    def location(self, path: str) -> tuple[int, str] | None:
        """Status and location of the answer at a path; None when it is no redirection."""
        if self._odd and (location := self._odd_location(path)):
            return location
        numbers = _NUMBERS.fullmatch(path)
        if numbers is None or int(numbers[1]) >= len(self._sections):
            return None
        section, slot = self._sections[int(numbers[1])], int(numbers[2])
        if slot >= section.slots:
            return None
        if numbers[3] is None and section.holder is Holder.LEAF:
            leaf = Page(Place.LEAF, section.number, slot)
            return _MOVED_PERMANENTLY, self._addresses.path(leaf)
        if numbers[3] is None or not self._odd or section.origin != section.number:
            return None
        file = File(section.number, slot, int(numbers[3]))
        exists = file.number < self._holdings.count(section, slot)
        return (_FOUND, self._addresses.file_path(file)) if exists else None

    def _odd_location(self, path: str) -> tuple[int, str] | None:
        match path:
            case "/go/chain/1":
                return _MOVED_PERMANENTLY, "/go/chain/2"
            case "/go/chain/2":
                return _FOUND, self._addresses.path(Page(Place.FIXED, 0, 0))
            case "/go/loop/1":
                return _FOUND, "/go/loop/2"
            case "/go/loop/2":
                return _FOUND, "/go/loop/1"
        if not path or path.endswith("/") or "?" in path:
            return None
        known = isinstance(self._addresses.find(f"{path}/"), Page)
        return (_MOVED_PERMANENTLY, f"{path}/") if known else None
