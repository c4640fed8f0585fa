"""From a page or file of a synthetic site to its path, and back; every page has one path."""

import re
from dataclasses import dataclass
from enum import Enum

from crawler.lab.demo.chance import Chance
from crawler.lab.synth.formats import Format, pick_format
from crawler.lab.synth.kinds import Holder, Kind, UrlStyle
from crawler.lab.synth.plan import FIXED_PAGES, Role, Section
from crawler.lab.synth.words import WORDS, Words, slug


class Place(Enum):
    """What a page is in its section."""

    HOME = "home"
    FIXED = "fixed"
    FRONT = "front"
    GROUP = "group"
    SHEET = "sheet"
    LEAF = "leaf"


@dataclass(frozen=True, slots=True)
class Page:
    """One HTML page."""

    place: Place
    section: int
    """The language on pages that belong to no section."""
    number: int = 0
    """Of the group, list or leaf."""
    sheet: int = 0


@dataclass(frozen=True, slots=True)
class File:
    """One target: the so-manieth file of a slot."""

    section: int
    slot: int
    number: int


_LIST = re.compile(r"[a-z0-9-]*?(g?)([0-9]{1,9})")
_LEAF = re.compile(r"[a-z0-9-]*?([0-9]{1,9})(?:\.html)?")
_FILE = re.compile(r"(?:[a-z0-9-]+-)?([0-9]{1,9})-([0-9]{1,6})(?:\.[a-z]{3,5})?")


class Addresses:
    """The paths of one site. What looks like a path of it but is none has no page."""

    def __init__(self, kind: Kind, sections: tuple[Section, ...], chance: Chance) -> None:
        self._sections = sections
        self._chance = chance
        self._node = kind.url_style is UrlStyle.NODE
        self._bare = kind.bare_files
        self._suffix = chance.pick(("", ".html"), "suffix")
        self._languages = kind.languages
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
        drawn = self._chance.number("title", section.number, what, number)
        subject = words.subjects[drawn % len(words.subjects)]
        form = words.forms[(drawn >> 16) % len(words.forms)]
        return f"{subject}, {form}".capitalize()

    def path(self, page: Page) -> str:
        """The path of a page."""
        if page.place is Place.HOME:
            return f"{self._prefixes[page.section]}/" if page.section else "/"
        if page.place is Place.FIXED:
            prefix = self._prefixes[page.section]
            return f"{prefix}/{WORDS_FIXED[page.number]}"
        section = self._sections[page.section]
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
        section = self._sections[file.section]
        drawn = self._chance.number("file", file.section, file.slot, file.number)
        bare = (drawn & 0xFFFF) / 0x10000 < self._bare
        if self._node:
            node = self._node_id(section, file.slot)
            if bare:
                return f"/media/{node}-{file.number}/download"
            return f"/media/{node}/{node}-{file.number}{_extension(drawn)}"
        place = f"{self._slugs[file.section]}-{self._languages[section.language]}"
        if bare:
            return f"/download/{place}/{file.slot}-{file.number}"
        word = self._word(section, "leaf", file.slot)
        return f"/files/{place}/{word}{file.slot}-{file.number}{_extension(drawn)}"

    def format(self, file: File) -> Format:
        """Which format a file has."""
        return pick_format(self._chance.number("file", file.section, file.slot, file.number) >> 16)

    def find(self, path_and_query: str) -> Page | File | None:
        """What stands at a path, whether or not the site has so many of it."""
        path, _, query = path_and_query.partition("?")
        found = self._parse(path.split("/")[1:], query)
        if found is None:
            return None
        spelt = self.file_path(found) if isinstance(found, File) else self.path(found)
        return found if spelt == path_and_query else None

    def _parse(self, parts: list[str], query: str) -> Page | File | None:
        if parts[0] in ("files", "download", "media"):
            return self._parse_file(parts)
        language = 0
        if parts[0] in self._languages and len(self._languages) > 1:
            language = self._languages.index(parts[0])
            parts = parts[1:] or [""]
        if parts == [""]:
            return Page(Place.HOME, language)
        if len(parts) == 1:
            known = parts[0] in WORDS_FIXED
            return Page(Place.FIXED, language, WORDS_FIXED.index(parts[0])) if known else None
        if parts[0] == "node" and parts[1].isascii() and parts[1].isdigit():
            section, slot = self._from_node(int(parts[1][:15]))
            return None if section is None else Page(Place.LEAF, section.number, slot)
        section = self._by_slug.get((language, parts[0]))
        return None if section is None else self._parse_in(section, parts[1:], query)

    def _parse_in(self, section: Section, rest: list[str], query: str) -> Page | None:
        sheet = 0
        if query.startswith("page=") and query[5:].isascii() and query[5:].isdigit():
            sheet = int(query[5:14])
        if rest == [""]:
            if section.flat and sheet:
                return self._known_sheet(section, 0, sheet)
            return Page(Place.FRONT, section.number)
        if len(rest) == 2 and rest[1] == "" and (found := _LIST.fullmatch(rest[0])):
            number = int(found[2])
            if found[1]:
                known = number < section.groups
                return Page(Place.GROUP, section.number, number) if known else None
            known = number < section.lists and not section.flat
            return self._known_sheet(section, number, sheet) if known else None
        if len(rest) == 1 and section.holder is Holder.LEAF and (found := _LEAF.fullmatch(rest[0])):
            slot = int(found[1])
            return Page(Place.LEAF, section.number, slot) if slot < section.slots else None
        return None

    def sheet(self, section: Section, number: int, sheet: int) -> Page:
        """A sheet of a list; in a flat section the first one is the front page."""
        if section.flat and not sheet:
            return Page(Place.FRONT, section.number)
        return Page(Place.SHEET, section.number, number, sheet)

    def holder(self, section: Section, slot: int) -> Page:
        """The page of a slot."""
        if section.holder is Holder.LEAF:
            return Page(Place.LEAF, section.number, slot)
        return self.sheet(section, *section.list_of(slot))

    def _known_sheet(self, section: Section, number: int, sheet: int) -> Page | None:
        known = sheet < section.sheets(number)
        return Page(Place.SHEET, section.number, number, sheet) if known else None

    def _parse_file(self, parts: list[str]) -> File | None:
        if self._node and parts[0] == "media" and len(parts) == 3:
            name = parts[1] if parts[2] == "download" else parts[2]
            found = _FILE.fullmatch(name)
            if found is None:
                return None
            section, slot = self._from_node(int(found[1]))
            return None if section is None else File(section.number, slot, int(found[2]))
        if len(parts) != 3 or (found := _FILE.fullmatch(parts[2])) is None:
            return None
        where, _, code = parts[1].rpartition("-")
        if code not in self._languages:
            return None
        section = self._by_slug.get((self._languages.index(code), where))
        if section is None or int(found[1]) >= section.slots:
            return None
        return File(section.number, int(found[1]), int(found[2]))

    def _node_id(self, section: Section, slot: int) -> int:
        return 1000 + slot * len(self._sections) + section.number

    def _from_node(self, node: int) -> tuple[Section | None, int]:
        slot, number = divmod(node - 1000, len(self._sections))
        section = self._sections[number]
        known = 0 <= slot < section.slots
        return (section, slot) if known else (None, 0)

    def _word(self, section: Section, what: str, number: int) -> str:
        word = slug(self.title(section, what, number))
        return f"{word}-" if word else ""

    def _name(self, section: Section) -> str:
        words = WORDS[self._languages[section.language]]
        names = {Role.DATA: words.data, Role.MIXED: words.mixed, Role.PLAIN: words.plain}
        listed = names[section.role]
        turn = self._chance.below(len(listed), "names", section.role.value)
        return listed[(turn + section.rank) % len(listed)]


WORDS_FIXED = tuple(slug(name) for name in WORDS["en"].fixed[:FIXED_PAGES])


def _extension(drawn: int) -> str:
    return f".{pick_format(drawn >> 16).extension}"
