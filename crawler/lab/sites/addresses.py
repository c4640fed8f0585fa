"""From a page or file of a synthetic site to its path, and back; every page has one path."""

import re
from dataclasses import replace

from crawler.lab.sites.chance import Chance
from crawler.lab.sites.edition import Edition
from crawler.lab.sites.files.formats import REAL, SKETCHED, Format, pick_format
from crawler.lab.sites.kinds import Holder, Kind, UrlStyle
from crawler.lab.sites.places import File, Page, Place
from crawler.lab.sites.plan import FIXED_PAGES, Role, Section
from crawler.lab.sites.words import WORDS, Words, slug

_LIST = re.compile(r"[a-z0-9-]*?(g?)([0-9]{1,9})")
_LEAF = re.compile(r"[a-z0-9-]*?([0-9]{1,9})(?:\.html)?")
_FILE = re.compile(r"(?:[a-z0-9-]+-)?([0-9]{1,9})-([0-9]{1,6})(?:\.[a-z.]{3,8})?")
_SESSION = re.compile(r";jsessionid=[0-9A-Za-z]*")
_SHEET = re.compile(r"(?:^|&)page=([1-9][0-9]{0,8})(?:&|\Z)")


class Addresses:
    """The paths of one site. What looks like a path of it but is none has no page."""

    def __init__(
        self, kind: Kind, sections: tuple[Section, ...], edition: Edition, chance: Chance
    ) -> None:
        self.kind = kind
        self.sections = sections
        self.edition = edition
        self.chance = chance
        self._node = kind.url_style is UrlStyle.NODE
        self._suffix = chance.pick(("", ".html"), "suffix")
        self._languages = kind.languages
        self.mirrored = kind.mirrored
        self._lottery = REAL if kind.real_files else SKETCHED
        self._fixed = list(_FIXED)
        if kind.oddities:
            # Looks like a file and is a page, as with table viewers.
            self._fixed[-1] = "preview.csv"
        several = len(kind.languages) > 1
        self._prefixes = [f"/{code}" if several else "" for code in kind.languages]
        self._names = [self._name(section) for section in sections]
        self._slugs = [slug(name) or f"section-{n}" for n, name in enumerate(self._names)]
        self._by_slug = {
            (section.language, self._slugs[section.number]): section for section in sections
        }

    def words(self, language: int) -> Words:
        """What a language says."""
        return WORDS[self._languages[language]]

    def code(self, language: int) -> str:
        """The code of a language."""
        return self._languages[language]

    def name(self, section: Section) -> str:
        """What a section is called."""
        return self._names[section.number]

    def title(self, section: Section, what: str, number: int) -> str:
        """What a page is about."""
        words = self.words(section.language)
        drawn = self.chance.number("title", section.origin, what, number)
        subject = words.subjects[drawn % min(len(words.subjects), self.kind.subjects)]
        form = words.forms[(drawn >> 16) % len(words.forms)]
        return f"{subject}, {form}".capitalize()

    def path(self, page: Page) -> str:
        """The path of a page."""
        match page.place:
            case Place.SPLASH:
                return "/"
            case Place.HOME:
                prefixed = page.section or self.mirrored
                return f"{self._prefixes[page.section]}/" if prefixed else "/"
            case Place.FIXED:
                return f"{self._prefixes[page.section]}/{self._fixed[page.number]}"
            case Place.RELEASES:
                return self._releases_path(page)
            case _:
                return self._section_path(page)

    def _releases_path(self, page: Page) -> str:
        front = f"{self._prefixes[page.section]}/{_RELEASES}/"
        if not page.number:
            return front
        year, month = divmod(page.number, 12)
        path = f"{front}{year}/{month + 1:02d}/"
        return f"{path}?page={page.sheet}" if page.sheet else path

    def _section_path(self, page: Page) -> str:
        section = self.sections[page.section]
        if page.place is Place.LEAF and self._node:
            return f"{self._prefixes[section.language]}/node/{self._node_id(section, page.number)}"
        front = f"{self._prefixes[section.language]}/{self._slugs[page.section]}/"
        match page.place:
            case Place.FRONT:
                return front
            case Place.GROUP:
                return f"{front}{self._word(section, 'group', page.number)}g{page.number}/"
            case Place.SHEET:
                where = front
                if not section.flat:
                    where += f"{self._word(section, 'list', page.number)}{page.number}/"
                return f"{where}?page={page.sheet}" if page.sheet else where
            case _:
                word = self._word(section, "leaf", page.number)
                return f"{front}{word}{page.number}{self._suffix}"

    def file_path(self, file: File) -> str:
        """The path of a file."""
        section = self.sections[file.section]
        drawn, bare = self._drawn(file), self.is_bare(file)
        if self._node:
            node = self._node_id(section, file.slot)
            if bare:
                return f"/media/{node}-{file.number}/download"
            return f"/media/{node}/{node}-{file.number}{self._extension(drawn)}"
        place = f"{self._slugs[file.section]}-{self._languages[section.language]}"
        if bare:
            return f"/download/{place}/{file.slot}-{file.number}"
        word = self._word(section, "leaf", file.slot)
        return f"/files/{place}/{word}{file.slot}-{file.number}{self._extension(drawn)}"

    def format(self, file: File) -> Format:
        """Which format a file has."""
        return pick_format(self._lottery, self._drawn(file) >> 16)

    def is_bare(self, file: File) -> bool:
        """Whether the URL of a file has no extension."""
        return (self._drawn(file) & 0xFFFF) / 0x10000 < self.kind.bare_files

    def _drawn(self, file: File) -> int:
        return self.chance.number("file", file.section, file.slot, file.number)

    def parse(self, path_and_query: str) -> Page | File | None:
        """The page or file that has this path, whether or not it is there tonight."""
        if self.kind.oddities:
            path_and_query = _usual_spelling(path_and_query)
        path, _, query = path_and_query.partition("?")
        place = self._parse(path.split("/")[1:], query)
        if place is None:
            return None
        spelt = self.file_path(place) if isinstance(place, File) else self.path(place)
        return place if spelt == path_and_query else None

    def find(self, path_and_query: str) -> Page | File | None:
        """The page or file at a path."""
        place = self.parse(path_and_query)
        return place if place is not None and self.edition.contains(place) else None

    def _parse(self, parts: list[str], query: str) -> Page | File | None:
        if parts[0] in ("files", "download", "media"):
            return self._parse_file(parts)
        if self.mirrored and parts == [""]:
            return Page(Place.SPLASH, 0)
        language = 0
        if parts[0] in self._languages and len(self._languages) > 1:
            language = self._languages.index(parts[0])
            parts = parts[1:] or [""]
        if parts == [""]:
            return Page(Place.HOME, language)
        if len(parts) == 1:
            known = parts[0] in self._fixed
            return Page(Place.FIXED, language, self._fixed.index(parts[0])) if known else None
        if parts[0] == _RELEASES and language in self.edition.releases:
            return self._parse_releases(language, parts[1:], query)
        if parts[0] == "node" and parts[1].isascii() and parts[1].isdigit():
            section, slot = self._from_node(int(parts[1][:15]))
            return None if section is None else Page(Place.LEAF, section.number, slot)
        section = self._by_slug.get((language, parts[0]))
        return None if section is None else self._parse_in(section, parts[1:], query)

    def _parse_in(self, section: Section, rest: list[str], query: str) -> Page | None:
        sheet = _sheet(query)
        if rest == [""]:
            if section.flat and sheet:
                return Page(Place.SHEET, section.number, 0, sheet)
            return Page(Place.FRONT, section.number)
        if len(rest) == 2 and rest[1] == "" and (name := _LIST.fullmatch(rest[0])):
            if name[1]:
                return Page(Place.GROUP, section.number, int(name[2]))
            return Page(Place.SHEET, section.number, int(name[2]), sheet)
        if len(rest) == 1 and (name := _LEAF.fullmatch(rest[0])):
            return Page(Place.LEAF, section.number, int(name[1]))
        return None

    def _parse_releases(self, language: int, rest: list[str], query: str) -> Page | None:
        if rest == [""]:
            return Page(Place.RELEASES, language)
        if len(rest) != 3 or rest[2] or not all(re.fullmatch("[0-9]{1,4}", p) for p in rest[:2]):
            return None
        month = int(rest[0]) * 12 + int(rest[1]) - 1
        return Page(Place.RELEASES, language, month, _sheet(query))

    def twin(self, page: Page) -> Page | None:
        """The same page in the other language of a mirrored site."""
        if not self.mirrored or page.place is Place.SPLASH:
            return None
        if page.place in (Place.HOME, Place.FIXED, Place.RELEASES):
            return replace(page, section=1 - page.section)
        half = len(self.sections) // 2
        return replace(page, section=(page.section + half) % len(self.sections))

    def sheet(self, section: Section, number: int, sheet: int) -> Page:
        """A sheet of a list; in a flat section the first one is the front page."""
        if section.flat and not sheet:
            return Page(Place.FRONT, section.number)
        return Page(Place.SHEET, section.number, number, sheet)

    def holder(self, section: Section, slot: int) -> Page:
        """The page of a slot."""
        if section.holder is Holder.LEAF:
            return Page(Place.LEAF, section.number, slot)
        return self.sheet(section, *self.edition.place(section, slot))

    def _parse_file(self, parts: list[str]) -> File | None:
        if len(parts) != 3:
            return None
        name = parts[1] if parts[2] == "download" else parts[2]
        numbers = _FILE.fullmatch(name)
        if numbers is None:
            return None
        slot, number = int(numbers[1]), int(numbers[2])
        if self._node:
            section, slot = self._from_node(slot)
        else:
            where, _, code = parts[1].rpartition("-")
            if code not in self._languages:
                return None
            section = self._by_slug.get((self._languages.index(code), where))
        if section is None or section.origin != section.number:
            return None
        return File(section.number, slot, number)

    def _node_id(self, section: Section, slot: int) -> int:
        return 1000 + slot * len(self.sections) + section.number

    def _from_node(self, node: int) -> tuple[Section | None, int]:
        slot, number = divmod(node - 1000, len(self.sections))
        return (self.sections[number], slot) if slot >= 0 else (None, 0)

    def _word(self, section: Section, what: str, number: int) -> str:
        word = slug(self.title(section, what, number))
        return f"{word}-" if word else ""

    def _name(self, section: Section) -> str:
        words = WORDS[self._languages[section.language]]
        names = {Role.DATA: words.data, Role.MIXED: words.mixed, Role.PLAIN: words.plain}
        listed = names[section.role]
        turn = self.chance.below(len(listed), "names", section.role.value)
        return listed[(turn + section.rank) % len(listed)]

    def _extension(self, drawn: int) -> str:
        return f".{pick_format(self._lottery, drawn >> 16).extension}"


_FIXED = tuple(slug(name) for name in WORDS["en"].fixed[:FIXED_PAGES])
_RELEASES = slug(WORDS["en"].releases)


def _usual_spelling(path_and_query: str) -> str:
    """Without session id, tracking and fragment."""
    path, _, query = path_and_query.partition("#")[0].partition("?")
    sheet = _SHEET.search(query)
    return _SESSION.sub("", path) + (f"?page={sheet[1]}" if sheet else "")


def _sheet(query: str) -> int:
    known = query.startswith("page=") and query[5:].isascii() and query[5:].isdigit()
    return int(query[5:14]) if known else 0
