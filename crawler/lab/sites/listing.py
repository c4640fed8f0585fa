"""Everything that is there on a night: all pages, and all files."""

from collections.abc import Iterator

from crawler.lab.sites.edition import Edition
from crawler.lab.sites.kinds import Holder, Kind
from crawler.lab.sites.places import File, Page, Place
from crawler.lab.sites.plan import FIXED_PAGES, Section


def all_pages(kind: Kind, sections: tuple[Section, ...], edition: Edition) -> Iterator[Page]:
    """Every page."""
    yield from general_pages(kind, edition)
    for section in sections:
        yield from section_pages(section, edition)


def general_pages(kind: Kind, edition: Edition) -> Iterator[Page]:
    """The pages that belong to no section."""
    if kind.mirrored:
        yield Page(Place.SPLASH, 0)
    for language in range(len(kind.languages)):
        yield Page(Place.HOME, language)
        for number in range(FIXED_PAGES):
            yield Page(Place.FIXED, language, number)
    for language in edition.releases:
        yield Page(Place.RELEASES, language)
        for month in edition.months(language):
            for sheet in range(edition.month_sheets(language, month)):
                yield Page(Place.RELEASES, language, month, sheet)


def section_pages(section: Section, edition: Edition) -> Iterator[Page]:
    """The pages of a section."""
    yield Page(Place.FRONT, section.number)
    for group in range(section.groups):
        yield Page(Place.GROUP, section.number, group)
    for number in range(section.lists):
        for sheet in range(1 if section.flat else 0, edition.sheets(section, number)):
            yield Page(Place.SHEET, section.number, number, sheet)
    if section.holder is Holder.LEAF:
        for slot in edition.all_slots(section):
            yield Page(Place.LEAF, section.number, slot)


def all_files(sections: tuple[Section, ...], edition: Edition) -> Iterator[tuple[File, int]]:
    """Every file, with the night on which it came."""
    for section in sections:
        if section.origin == section.number:
            for slot in edition.slots_with_files(section):
                yield from edition.files(section, slot)
