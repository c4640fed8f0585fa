"""A synthetic site: every answer is computed on demand from kind, size, seed and night."""

from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from datetime import date
from functools import cached_property
from zlib import crc32

from crawler.config.scope import ScopeConfig
from crawler.lab.replay import Volumes
from crawler.lab.sites.addresses import Addresses
from crawler.lab.sites.answer import HTML, Answer, answer
from crawler.lab.sites.calendar import FIRST_DAY, Calendar
from crawler.lab.sites.chance import Chance
from crawler.lab.sites.edition import Edition
from crawler.lab.sites.files.contents import Tables, contents_of
from crawler.lab.sites.files.figures import Cube
from crawler.lab.sites.habits import Validators, morning, validators
from crawler.lab.sites.history import History
from crawler.lab.sites.holdings import Holdings
from crawler.lab.sites.item_days import OLDEST, ItemDays, day_of
from crawler.lab.sites.kinds import Kind
from crawler.lab.sites.listing import all_files, all_pages
from crawler.lab.sites.oddities import Oddities
from crawler.lab.sites.pages import Pages
from crawler.lab.sites.places import File, Page, Place
from crawler.lab.sites.plan import html_pages, sections_of
from crawler.lab.sites.redirects import Redirects
from crawler.lab.sites.signposts import Signposts
from crawler.lab.sites.style_sheet import STYLE_SHEET, style_sheet
from crawler.pages.mime import MimeRules, UrlClass
from crawler.pages.mime_groups import DEFAULT_TARGETS

BASE = "http://127.0.0.1:8351"
_PICTURE = b"\x89PNG\r\n\x1a\n"
_MAX_HOPS = 5
_WITHOUT_SECTION = (Place.SPLASH, Place.HOME, Place.FIXED, Place.RELEASES)


class SyntheticSite:
    """A site of one kind with the truth about it; `pages` counts pages and files together.

    It stands on night 0; `on` gives it as it stands on another night.
    """

    target_types = tuple(DEFAULT_TARGETS)
    scope = ScopeConfig()

    def __init__(
        self,
        kind: Kind,
        pages: int,
        seed: int,
        base: str = BASE,
        *,
        name: str = "",
        first_day: date = FIRST_DAY,
    ) -> None:
        self.kind = kind
        self.name = name or f"{kind.name}-{pages}-{seed}"
        family = kind.name.partition("-")[0]
        chance = self.chance = Chance(crc32(family.encode()) << 32 | seed & 0xFFFFFFFF)
        self.sections = sections_of(kind, pages)
        self._holdings = Holdings(kind, self.sections, chance)
        self.history = History(kind, self._holdings, Calendar(chance, first_day), chance)
        self.days = ItemDays(chance, first_day)
        self._stand_on(0, base)

    def _stand_on(self, night: int, base: str) -> None:
        self.base = base.rstrip("/")
        self.start_url = f"{self.base}/"
        kind, sections = self.kind, self.sections
        edition = self.edition = Edition(kind, sections, self.history, night)
        addresses = self.addresses = Addresses(kind, sections, edition, self.chance)
        self._oddities = Oddities(addresses, self.base) if kind.oddities else None
        self._writer = Pages(addresses, self._holdings, self._oddities)
        self._contents = contents_of(addresses, self._holdings)
        self._redirects = Redirects(addresses)
        first = Edition(kind, sections, self.history, 0)
        self._signposts = Signposts(addresses, first, self.base)
        self.__dict__.pop("_volumes", None)

    @property
    def night(self) -> int:
        """The night on which the site stands."""
        return self.edition.night

    def on(self, night: int) -> "SyntheticSite":
        """The same site as it stands on a night."""
        site = copy(self)
        site._stand_on(night, self.base)
        return site

    def at(self, base: str) -> "SyntheticSite":
        """The same site under another address."""
        site = copy(self)
        site._stand_on(self.night, base)
        return site

    def respond(self, url: str) -> Answer:
        """The answer to a GET of a URL, or of a path; other hosts have nothing.

        The body may be the beginning of a file; the size is always the true one.
        """
        path = self.path_of(url)
        place = self.addresses.find(path) if path else None
        if isinstance(place, Page):
            return self._page(place)
        if isinstance(place, File):
            return self._file(place)
        if location := self._redirects.location(path):
            status, where = location
            return Answer(status, {"Content-Type": HTML, "Location": where}, b"")
        if path.startswith("/image/"):
            return Answer(200, {"Content-Type": "image/png"}, _PICTURE)
        if path == STYLE_SHEET:
            return answer(style_sheet(self.addresses).encode(), "text/css")
        return self._signposts.answer(path) or self._missing(path)

    def _page(self, page: Page) -> Answer:
        plain = answer(self._writer.write(page), HTML)
        number = 0 if page.place in _WITHOUT_SECTION else page.section
        styles = self.kind.habits.pages
        style = styles[number % len(styles)]
        if style is Validators.NONE:
            return plain
        redesign = self.history.redesign if self.edition.is_redesigned else None
        night = max(self.edition.changed_on(page), redesign or 0)
        return self._described(plain, style, self.history.calendar.day(night) if night else OLDEST)

    def _file(self, file: File) -> Answer:
        replaced = self.edition.replaced(file)
        content = self._contents.answer(file, len(replaced))
        styles = self.kind.habits.files
        style = styles[file.section % len(styles)]
        if style is Validators.NONE:
            return content
        return self._described(content, style, day_of(self.days.changed(self.edition, file)))

    def _described(self, plain: Answer, style: Validators, changed: date) -> Answer:
        today = self.history.calendar.day(self.night)
        headers = validators(style, plain.body, morning(changed), today)
        return replace(plain, headers={**plain.headers, **headers})

    def _missing(self, path: str) -> Answer:
        place = self.addresses.parse(path) if path and self.night else None
        if place is not None and self.edition.was_there(place):
            status = 410 if self.chance.below(3, "gone", path) == 0 else 404
            return answer(b"<html><body><h1>Withdrawn</h1></body></html>", HTML, status=status)
        if self._oddities is None:
            return Answer(404, {"Content-Type": HTML}, b"")
        odd = self._oddities.answer(path.partition("?")[0])
        return odd or answer(self._writer.not_found(), HTML, status=404)

    def url_class(self, url: str) -> UrlClass:
        """The truth about a URL, without writing its page."""
        path = self.path_of(url)
        place = self.follow(path)
        if place is not None:
            return UrlClass.TARGET if isinstance(place, File) else UrlClass.HTML
        odd = self._oddities.answer(path.partition("?")[0]) if self._oddities else None
        if odd is None or odd.status != 200:
            return UrlClass.NEITHER
        return MimeRules(self.target_types).classify(url, odd.headers["Content-Type"]).url_class

    def follow(self, path: str) -> Page | File | None:
        """The page or file at a path, or at the end of its redirections."""
        for _ in range(_MAX_HOPS):
            place = self.addresses.find(path) if path else None
            location = None if place else self._redirects.location(path)
            if location is None:
                return place
            path = location[1]
        return None

    def end_of(self, path: str) -> Page | File | None:
        """The page or file at a path or behind its redirection, there tonight or not."""
        return self.addresses.parse(path) or self._redirects.target(path)

    def html(self, page: Page) -> bytes:
        """The HTML of a page."""
        return self._writer.write(page)

    def targets(self) -> int:
        """How many targets there are."""
        return sum(1 for _ in self.files()) if self.night else self._holdings.total()

    def available(self) -> int:
        """Pages and targets."""
        return self.targets() + self.html_pages()

    def html_pages(self) -> int:
        """How many pages there are."""
        if self.night:
            return sum(1 for _ in self.pages())
        return html_pages(self.kind, self.sections, len(self.kind.languages))

    def volumes(self) -> Volumes:
        """The bytes of all targets and pages; writes every page once."""
        return self._volumes

    @cached_property
    def _volumes(self) -> Volumes:
        sizes = (
            self._contents.size(file, len(self.edition.replaced(file))) for file in self.files()
        )
        return Volumes(
            target=sum(sizes),
            other=sum(len(self._writer.write(page)) for page in self.pages()),
        )

    def pages(self) -> Iterator[Page]:
        """Every page."""
        return all_pages(self.kind, self.sections, self.edition)

    def files(self) -> Iterator[File]:
        """Every target."""
        return (file for file, _ in all_files(self.sections, self.edition))

    def page_paths(self) -> Iterator[str]:
        """The path of every page."""
        return map(self.addresses.path, self.pages())

    def target_paths(self) -> Iterator[str]:
        """The path of every target."""
        return map(self.addresses.file_path, self.files())

    def figures(self, file: File) -> Cube | None:
        """The table that a file holds tonight; None where files are sketches."""
        contents = self._contents
        return contents.figures(file) if isinstance(contents, Tables) else None

    def url_of(self, place: Page | File) -> str:
        """The URL of a page or file."""
        if isinstance(place, File):
            return self.base + self.addresses.file_path(place)
        return self.base + self.addresses.path(place)

    def close(self) -> None:
        """Nothing is open."""

    def path_of(self, url: str) -> str:
        """Path and query of a URL of the site, or of a path; empty for other URLs."""
        path = url.removeprefix(self.base)
        return path.partition("#")[0] if path.startswith("/") else ""
