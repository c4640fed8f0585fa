"""A synthetic site: every answer made on demand from kind, size and seed, nothing stored."""

from collections.abc import Iterator
from functools import cached_property
from zlib import crc32

from crawler.config.scope import ScopeConfig
from crawler.lab.demo.chance import Chance
from crawler.lab.replay import CutAnswer
from crawler.lab.synth.addresses import Addresses, File, Page, Place
from crawler.lab.synth.formats import Sizes, first_bytes
from crawler.lab.synth.holdings import Holdings
from crawler.lab.synth.kinds import Holder, Kind
from crawler.lab.synth.pages import Pages
from crawler.lab.synth.plan import FIXED_PAGES, Section, sections_of
from crawler.lab.volumes import Volumes
from crawler.pages.mime import DEFAULT_TARGETS, UrlClass

BASE = "http://127.0.0.1:8351"
HTML = "text/html; charset=utf-8"
_ROBOTS = b"User-agent: *\nDisallow: /internal/\n"
_PICTURE = b"\x89PNG\r\n\x1a\n"
_NOT_FOUND = CutAnswer(404, {"Content-Type": HTML}, b"", 0)


class SynthSite:
    """A site of one kind, with the truth about it; `pages` counts pages and files together."""

    target_types = tuple(DEFAULT_TARGETS)
    scope = ScopeConfig()

    def __init__(self, kind: Kind, pages: int, seed: int) -> None:
        self.kind = kind
        self.name = f"{kind.name}-{pages}-{seed}"
        self._base = BASE
        self.start_url = f"{self._base}/"
        chance = self._chance = Chance(crc32(kind.name.encode()) << 32 | seed & 0xFFFFFFFF)
        self._sections = sections_of(kind, pages)
        self._holdings = Holdings(kind, self._sections, chance)
        self._addresses = Addresses(kind, self._sections, chance)
        self._pages = Pages(kind, self._sections, self._addresses, self._holdings, chance)
        self._sizes = Sizes(kind.paper)

    def respond(self, url: str) -> CutAnswer:
        """What a GET of this URL is answered; a file's body is its beginning, its size is true."""
        path = self._path(url)
        found = self._find(path)
        if isinstance(found, Page):
            body = self._pages.write(found)
            headers = {"Content-Type": HTML, "Content-Length": str(len(body))}
            return CutAnswer(200, headers, body, len(body))
        if isinstance(found, File):
            return self._file(found)
        if (leaf := self._moved(path)) is not None:
            headers = {"Content-Type": HTML, "Location": self._addresses.path(leaf)}
            return CutAnswer(301, headers, b"", 0)
        if path.startswith("/image/"):
            return CutAnswer(200, {"Content-Type": "image/png"}, _PICTURE, len(_PICTURE))
        if path == "/robots.txt":
            return CutAnswer(200, {"Content-Type": "text/plain"}, _ROBOTS, len(_ROBOTS))
        return _NOT_FOUND

    def url_class(self, url: str) -> UrlClass:
        """The truth about a URL, without making its page."""
        path = self._path(url)
        found = self._find(path)
        if isinstance(found, File):
            return UrlClass.TARGET
        is_page = found is not None or self._moved(path) is not None
        return UrlClass.HTML if is_page else UrlClass.NEITHER

    def targets(self) -> int:
        """How many targets there are."""
        return self._targets

    def available(self) -> int:
        """Pages and targets."""
        return self._targets + self.html_pages()

    def html_pages(self) -> int:
        """How many pages there are."""
        general = len(self.kind.languages) * (1 + FIXED_PAGES)
        return general + sum(section.pages for section in self._sections)

    @cached_property
    def _targets(self) -> int:
        return self._holdings.total()

    def volumes(self) -> Volumes:
        """The bytes of all targets and pages; every page is made once for it."""
        return self._volumes

    @cached_property
    def _volumes(self) -> Volumes:
        return Volumes(
            target=sum(self._size(file) for file in self.files()),
            other=sum(len(self._pages.write(page)) for page in self.pages()),
        )

    def pages(self) -> Iterator[Page]:
        """Every page."""
        for language in range(len(self.kind.languages)):
            yield Page(Place.HOME, language)
            for number in range(FIXED_PAGES):
                yield Page(Place.FIXED, language, number)
        for section in self._sections:
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
        for section in self._sections:
            for slot in self._holdings.slots(section):
                for number in range(self._holdings.count(section, slot)):
                    yield File(section.number, slot, number)

    def url_of(self, found: Page | File) -> str:
        """The URL of a page or file."""
        if isinstance(found, File):
            return self._base + self._addresses.file_path(found)
        return self._base + self._addresses.path(found)

    def close(self) -> None:
        """Nothing is open."""

    def _path(self, url: str) -> str:
        rest = url.removeprefix(self._base)
        return rest.partition("#")[0] if rest is not url and rest.startswith("/") else ""

    def _find(self, path: str) -> Page | File | None:
        found = self._addresses.find(path) if path else None
        if isinstance(found, File):
            section = self._sections[found.section]
            return found if found.number < self._holdings.count(section, found.slot) else None
        return found

    def _moved(self, path: str) -> Page | None:
        parts = path.split("/")
        if len(parts) != 4 or parts[1] != "go" or not (parts[2] + parts[3]).isdecimal():
            return None
        number, slot = int(parts[2][:9] or 0), int(parts[3][:9] or 0)
        section = self._sections[number] if number < len(self._sections) else None
        if section is None or section.holder is not Holder.LEAF or slot >= section.slots:
            return None
        return Page(Place.LEAF, number, slot)

    def _file(self, file: File) -> CutAnswer:
        form = self._addresses.format(file)
        size = self._size(file)
        stream = self._chance.stream("bytes", file.section, file.slot, file.number)
        headers = {"Content-Type": form.content_type, "Content-Length": str(size)}
        return CutAnswer(200, headers, first_bytes(form, size, stream), size)

    def _size(self, file: File) -> int:
        return self._sizes.size(self._chance.stream("size", file.section, file.slot, file.number))
