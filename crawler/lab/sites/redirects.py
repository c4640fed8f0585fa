"""Paths that redirect: /go/SECTION/SLOT to a page; on odd sites also to files, and in circles."""

import re

from crawler.lab.sites.addresses import Addresses
from crawler.lab.sites.places import File, Page, Place

CHAIN = "/go/chain/1"
LOOP = "/go/loop/1"

_NUMBERS = re.compile(r"/go/([0-9]{1,9})/([0-9]{1,9})(?:/([0-9]{1,6}))?")
_MOVED_PERMANENTLY, _FOUND = 301, 302


def road_to(file: File) -> str:
    """The path that leads to a file by a redirection."""
    return f"/go/{file.section}/{file.slot}/{file.number}"


class Redirects:
    """The redirections of a site."""

    def __init__(self, addresses: Addresses) -> None:
        self._sections = addresses.sections
        self._addresses = addresses
        self._odd = addresses.kind.oddities

    def location(self, path: str) -> tuple[int, str] | None:
        """Status and location of the answer at a path; None when it is no redirection."""
        if self._odd and path in _ROUNDABOUT:
            return _ROUNDABOUT[path]
        place = self.target(path)
        if place is None or not self._addresses.edition.contains(place):
            return None
        if isinstance(place, File):
            return _FOUND, self._addresses.file_path(place)
        return _MOVED_PERMANENTLY, self._addresses.path(place)

    def target(self, path: str) -> Page | File | None:
        """What a redirection leads to in the end, whether or not it is there tonight."""
        numbers = _NUMBERS.fullmatch(path)
        if numbers is None:
            return self._odd_target(path) if self._odd else None
        if int(numbers[1]) >= len(self._sections):
            return None
        section, slot = self._sections[int(numbers[1])], int(numbers[2])
        if numbers[3] is None:
            return Page(Place.LEAF, section.number, slot)
        known = self._odd and section.origin == section.number
        return File(section.number, slot, int(numbers[3])) if known else None

    def _odd_target(self, path: str) -> Page | None:
        if path in (CHAIN, "/go/chain/2"):
            return Page(Place.FIXED, 0, 0)
        if not path.startswith("/") or path.endswith("/") or "?" in path:
            return None
        # A list without its final slash leads to the one with it.
        place = self._addresses.parse(f"{path}/")
        return place if isinstance(place, Page) else None


_ROUNDABOUT = {
    CHAIN: (_MOVED_PERMANENTLY, "/go/chain/2"),
    LOOP: (_FOUND, "/go/loop/2"),
    "/go/loop/2": (_FOUND, LOOP),
}
