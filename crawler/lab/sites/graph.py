"""A changing site without its HTML: pages, links and files of every night.

A page's links are read from its page once, and again only when they changed: the simulation of many
nights costs little more than the changes.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from crawler.lab.sites.habits import Validators
from crawler.lab.sites.listing import all_files
from crawler.lab.sites.looks import look_number
from crawler.lab.sites.places import File, Page, Place
from crawler.lab.sites.site import SyntheticSite

_HREF = re.compile(rb'<a[^>]* href="([^"]*)"')
_REMEMBERED_NIGHTS = 8


class SiteGraph:
    """A synthetic site as the simulation of nights sees it; nights come in any order."""

    def __init__(self, site: SyntheticSite) -> None:
        self.name = site.name
        self._site = site
        self._on = lru_cache(maxsize=_REMEMBERED_NIGHTS)(site.on)
        self._links: dict[tuple[str, int], tuple[str, ...]] = {}
        self._url_of = cache(site.url_of)
        self._page_at = cache(self._find_page)
        self._end = cache(self._find_end)
        self._days = site.days
        self.files = lru_cache(maxsize=_REMEMBERED_NIGHTS)(self._list_files)
        """The URL of every file that is there on a night, with the number of its version."""

    def pages(self, night: int) -> Iterable[str]:
        """The URLs of the pages that are there on a night, the start page first."""
        site = self._on(night)
        return [self._url_of(page) for page in site.pages()]

    def links(self, night: int, page: str) -> tuple[str, ...]:
        """The URLs that a page links to on a night; redirections as what they lead to.

        Links to other sites are left out. A page that is not there has none.
        """
        site = self._on(night)
        place = self._page_at(page)
        if place is None or not site.edition.contains(place):
            return ()
        key = page, site.edition.changed_on(place)
        links = self._links.get(key)
        if links is None:
            ends = dict.fromkeys(map(self._end, _HREF.findall(site.html(place))))
            links = self._links[key] = tuple(url for url in ends if url)
        return links

    def _find_end(self, href: bytes) -> str:
        """The URL that a link leads to, on whichever night; empty when it leaves the site."""
        site = self._site
        path = href.decode().removeprefix(site.base).partition("#")[0].replace("&amp;", "&")
        if not path.startswith("/"):
            return ""
        place = site.end_of(path)
        return site.url_of(place) if place else site.base + path

    def _list_files(self, night: int) -> Mapping[str, int]:
        site = self._on(night)
        replacements = site.history.replacements
        return MappingProxyType(
            {
                self._url_of(file): len(replacements(file, birth, night))
                for file, birth in all_files(site.sections, site.edition)
            }
        )

    def modified(self, night: int, file: str) -> int | None:
        """The day on which a file changed last, as its server says; None where it does not say."""
        place = self._site.addresses.parse(file.removeprefix(self._site.base))
        if not isinstance(place, File):
            return None
        styles = self._site.kind.habits.files
        if styles[place.section % len(styles)] not in (Validators.STRONG, Validators.DATE):
            return None
        return self._days.changed(self._on(night).edition, place)

    def dates(self, night: int, page: str) -> tuple[int, ...]:
        """The days on which the files of a leaf, or the pages of a sheet, were published."""
        place = self._page_at(page)
        if place is None or place.place not in (Place.LEAF, Place.SHEET, Place.FRONT):
            return ()
        section = self._site.sections[place.section]
        if place.place is Place.FRONT and not section.flat:
            return ()
        return self._days.of(self._on(night).edition, section, place)

    def template(self, page: str) -> str:
        """The place of a page in its section, and the look that the section shares with others."""
        place = self._page_at(page)
        if place is None:
            return "none"
        if place.place in (Place.SPLASH, Place.HOME, Place.FIXED, Place.RELEASES):
            return str(place.place.value)
        section = self._site.sections[place.section]
        # The front page of a flat section is the first sheet of its list.
        is_sheet = place.place is Place.FRONT and section.flat
        name: str = Place.SHEET.value if is_sheet else place.place.value
        return f"{name}-{look_number(section, self._site.kind)}"

    def _find_page(self, url: str) -> Page | None:
        place = self._site.addresses.parse(url.removeprefix(self._site.base))
        return place if isinstance(place, Page) else None
