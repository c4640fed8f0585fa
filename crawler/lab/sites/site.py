"""A synthetic site: every answer is computed on demand from kind, size and seed."""

from collections.abc import Iterator
from functools import cached_property
from zlib import crc32

from crawler.config.scope import ScopeConfig
from crawler.lab.replay import SiteAnswer
from crawler.lab.sites.addresses import Addresses
from crawler.lab.sites.answer import HTML, Answer, answer
from crawler.lab.sites.chance import Chance
from crawler.lab.sites.files.contents import contents_of
from crawler.lab.sites.holdings import Holdings
from crawler.lab.sites.kinds import Holder, Kind
from crawler.lab.sites.oddities import Oddities
from crawler.lab.sites.pages import Pages
from crawler.lab.sites.places import File, Page, Place
from crawler.lab.sites.plan import FIXED_PAGES, Section, html_pages, sections_of
from crawler.lab.sites.redirects import Redirects
from crawler.lab.sites.signposts import robots, sitemap
from crawler.lab.volumes import Volumes
from crawler.pages.mime import DEFAULT_TARGETS, MimeRules, UrlClass

BASE = "http://127.0.0.1:8351"
_PICTURE = b"\x89PNG\r\n\x1a\n"
_MAX_HOPS = 5


class SyntheticSite:
    """A site of one kind with the truth about it; `pages` counts pages and files together."""

    target_types = tuple(DEFAULT_TARGETS)
    scope = ScopeConfig()

    def __init__(
        self, kind: Kind, pages: int, seed: int, base: str = BASE, *, name: str = ""
    ) -> None:
        self.kind = kind
        self.name = name or f"{kind.name}-{pages}-{seed}"
        self.base = base.rstrip("/")
        self.start_url = f"{self.base}/"
        self._pages_and_files, self._seed = pages, seed
        family = kind.name.partition("-")[0]
        chance = Chance(crc32(family.encode()) << 32 | seed & 0xFFFFFFFF)
        sections = self.sections = sections_of(kind, pages)
        holdings = self._holdings = Holdings(kind, sections, chance)
        addresses = self._addresses = Addresses(kind, sections, chance)
        self._oddities = Oddities(addresses, chance, self.base) if kind.oddities else None
        self._writer = Pages(kind, sections, addresses, holdings, chance, self._oddities)
        self._contents = contents_of(kind, sections, addresses, holdings, chance)
        self._redirects = Redirects(kind, sections, addresses, holdings)

    def at(self, base: str) -> "SyntheticSite":
        """The same site under another address."""
        return SyntheticSite(self.kind, self._pages_and_files, self._seed, base, name=self.name)

    def respond(self, url: str) -> SiteAnswer:
        """The answer to a GET of a URL, or of a path; other hosts have nothing.

        The body of a `CutAnswer` is the beginning of a file, and its size is true.
        """
        path = self._path(url)
        place = self._find(path)
        if isinstance(place, Page):
            return answer(self._writer.write(place), HTML)
        if isinstance(place, File):
            return self._contents.answer(place)
        if location := self._redirects.location(path):
            status, where = location
            return Answer(status, {"Content-Type": HTML, "Location": where}, b"")
        if path.startswith("/image/"):
            return Answer(200, {"Content-Type": "image/png"}, _PICTURE)
        if path == "/robots.txt":
            return Answer(200, {"Content-Type": "text/plain"}, robots(self.kind, self.base))
        return self._odd_answer(path)

    def _odd_answer(self, path: str) -> SiteAnswer:
        if self._oddities is None:
            return Answer(404, {"Content-Type": HTML}, b"")
        if path == "/sitemap.xml":
            body = sitemap(self.base, self.sections, self._addresses)
            return answer(body, "application/xml; charset=utf-8")
        odd = self._oddities.answer(path.partition("?")[0])
        return odd or answer(self._writer.not_found(), HTML, status=404)

    def url_class(self, url: str) -> UrlClass:
        """The truth about a URL, without writing its page."""
        path = self._path(url)
        for _ in range(_MAX_HOPS):
            place = self._find(path)
            if place is not None:
                return UrlClass.TARGET if isinstance(place, File) else UrlClass.HTML
            location = self._redirects.location(path)
            if location is None:
                break
            path = location[1]
        odd = self._oddities.answer(path.partition("?")[0]) if self._oddities else None
        if odd is None or odd.status != 200:
            return UrlClass.NEITHER
        return MimeRules(self.target_types).classify(url, odd.headers["Content-Type"]).url_class

    def targets(self) -> int:
        """How many targets there are."""
        return self._targets

    def available(self) -> int:
        """Pages and targets."""
        return self._targets + self.html_pages()

    def html_pages(self) -> int:
        """How many pages there are."""
        return html_pages(self.kind, self.sections, len(self.kind.languages))

    @cached_property
    def _targets(self) -> int:
        return self._holdings.total()

    def volumes(self) -> Volumes:
        """The bytes of all targets and pages; writes every page once."""
        return self._volumes

    @cached_property
    def _volumes(self) -> Volumes:
        return Volumes(
            target=sum(self._contents.size(file) for file in self.files()),
            other=sum(len(self._writer.write(page)) for page in self.pages()),
        )

    def pages(self) -> Iterator[Page]:
        """Every page."""
        if self.kind.mirrored:
            yield Page(Place.SPLASH, 0)
        for language in range(len(self.kind.languages)):
            yield Page(Place.HOME, language)
            for number in range(FIXED_PAGES):
                yield Page(Place.FIXED, language, number)
        for language, releases in self._addresses.releases.items():
            yield Page(Place.RELEASES, language)
            for month in range(releases.months):
                for sheet in range(releases.sheets(month)):
                    yield Page(Place.RELEASES, language, month + 1, sheet)
        for section in self.sections:
            yield from self._pages_of(section)

    def _pages_of(self, section: Section) -> Iterator[Page]:
        yield Page(Place.FRONT, section.number)
        for group in range(section.groups):
            yield Page(Place.GROUP, section.number, group)
        for number in range(section.lists):
            for sheet in range(1 if section.flat else 0, section.sheets(number)):
                yield Page(Place.SHEET, section.number, number, sheet)
        if section.holder is Holder.LEAF:
            for slot in range(section.slots):
                yield Page(Place.LEAF, section.number, slot)

    def files(self) -> Iterator[File]:
        """Every target."""
        for section in self.sections:
            if section.origin == section.number:
                for slot in self._holdings.slots(section):
                    for number in range(self._holdings.count(section, slot)):
                        yield File(section.number, slot, number)

    def page_paths(self) -> Iterator[str]:
        """The path of every page."""
        return map(self._addresses.path, self.pages())

    def target_paths(self) -> Iterator[str]:
        """The path of every target."""
        return map(self._addresses.file_path, self.files())

    def url_of(self, place: Page | File) -> str:
        """The URL of a page or file."""
        if isinstance(place, File):
            return self.base + self._addresses.file_path(place)
        return self.base + self._addresses.path(place)

    def close(self) -> None:
        """Nothing is open."""

    def _path(self, url: str) -> str:
        path = url.removeprefix(self.base)
        return path.partition("#")[0] if path.startswith("/") else ""

    def _find(self, path: str) -> Page | File | None:
        place = self._addresses.find(path) if path else None
        if isinstance(place, File):
            section = self.sections[place.section]
            return place if place.number < self._holdings.count(section, place.slot) else None
        return place
