"""Paths of pages, in both directions: a page's number gives its path, a path gives the page."""

import re
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

from crawler.lab.demo.plan import Plan, Section
from crawler.lab.demo.titles import Titles, month_of
from crawler.lab.demo.topics import TOPICS, Lang, slug
from crawler.lab.demo.words import ARCHIVE, RELEASES, SECTIONS, STATISTICS

_NUMBER_AT_END = re.compile(r"(?:^|-)([0-9]{1,9})\Z")
_SHEET = re.compile(r"(?:^|&)page=([1-9][0-9]{0,8})(?:&|\Z)")
_SESSION = re.compile(r";jsessionid=[0-9A-Za-z]*")

DATED = {Section.NEWS, Section.PRESS, Section.EVENTS}
"""Sections whose items have year and month in their paths."""


class Kind(Enum):
    """What a page is."""

    SPLASH = "splash"
    HOME = "home"
    STATISTICS = "statistics"
    TOPIC = "topic"
    SUBTOPIC = "subtopic"
    DATASET = "dataset"
    ARCHIVE = "archive"
    RELEASES = "releases"
    RELEASE_YEAR = "release-year"
    RELEASE_MONTH = "release-month"
    LIST = "list"
    ITEM = "item"
    PREVIEW = "preview"


@dataclass(frozen=True, slots=True)
class Page:
    """One HTML page; `index` counts pages of its kind, `sheet` the pages of a long list."""

    kind: Kind
    lang: Lang = Lang.EN
    index: int = 0
    sheet: int = 1
    section: Section = Section.ABOUT


PREVIEW_PATH = "/files/preview/population.csv"
"""Looks like a file and is a page; offices do this with table viewers."""


class Addresses:
    """The paths of one site."""

    def __init__(self, plan: Plan, titles: Titles) -> None:
        self.plan = plan
        self.titles = titles

    def path(self, page: Page) -> str:
        """The canonical path of a page, with its query when it is a later sheet of a list."""
        path = self._bare_path(page)
        return f"{path}?page={page.sheet}" if page.sheet > 1 else path

    def find(self, path_and_query: str) -> Page | None:
        """The page at a path; session ids, tracking and other parameters make no difference."""
        path, _, query = path_and_query.partition("#")[0].partition("?")
        page = self._candidate(_SESSION.sub("", path))
        if page is None or self._bare_path(page) != _SESSION.sub("", path):
            return None
        wanted = _SHEET.search(query)
        sheet = int(wanted[1]) if wanted else 1
        return replace(page, sheet=sheet) if sheet <= self.sheets(page) else None

    def sheets(self, page: Page) -> int:
        """How many sheets the list has that a page belongs to."""
        plan = self.plan
        match page.kind:
            case Kind.SUBTOPIC:
                return plan.subtopic_sheets(page.index)
            case Kind.ARCHIVE:
                return plan.archive_sheets(page.index)
            case Kind.RELEASE_MONTH:
                return plan.month_sheets(page.index)
            case Kind.LIST:
                return plan.section_sheets(page.section)
            case _:
                return 1

    def _bare_path(self, page: Page) -> str:
        lang, index = page.lang, page.index
        statistics = f"/{lang}/{STATISTICS.slug(lang)}"
        match page.kind:
            case Kind.SPLASH:
                return "/"
            case Kind.PREVIEW:
                return PREVIEW_PATH
            case Kind.HOME:
                return f"/{lang}/"
            case Kind.STATISTICS:
                return f"{statistics}/"
            case Kind.TOPIC:
                return f"{statistics}/{TOPICS[index].name.slug(lang)}/"
            case Kind.ARCHIVE:
                return f"{statistics}/{TOPICS[index].name.slug(lang)}/{ARCHIVE.slug(lang)}/"
            case Kind.SUBTOPIC:
                topic = TOPICS[index % self.plan.topics].name.slug(lang)
                return f"{statistics}/{topic}/{self.titles.subtopic(index).slug(lang)}/"
            case Kind.DATASET:
                return f"{statistics}/{self._dataset_tail(index, lang)}"
            case Kind.RELEASES:
                return f"/{lang}/{RELEASES.slug(lang)}/"
            case Kind.RELEASE_YEAR:
                return f"/{lang}/{RELEASES.slug(lang)}/{month_of(0)[0] - index}/"
            case Kind.RELEASE_MONTH:
                year, month = month_of(index)
                return f"/{lang}/{RELEASES.slug(lang)}/{year}/{month:02d}/"
            case Kind.LIST:
                return f"/{lang}/{SECTIONS[page.section].slug(lang)}/"
            case Kind.ITEM:
                return f"/{lang}/{SECTIONS[page.section].slug(lang)}/{self._item_tail(page)}"

    def _dataset_tail(self, dataset: int, lang: Lang) -> str:
        topic = TOPICS[self.plan.topic_of_dataset(dataset)].name.slug(lang)
        if dataset < self.plan.current:
            parent = self.titles.subtopic(dataset % self.plan.subtopics).slug(lang)
        else:
            parent = ARCHIVE.slug(lang)
        return f"{topic}/{parent}/{self.titles.dataset(dataset).slug(lang)}-{dataset}"

    def _item_tail(self, page: Page) -> str:
        name = self.titles.item(page.section, page.index).slug(page.lang)
        if page.section is Section.ABOUT:
            return name
        if page.section not in DATED:
            return f"{name}-{page.index}"
        year, month = self.titles.item_month(page.section, page.index)
        return f"{year}/{month:02d}/{name}-{page.index}"

    def _candidate(self, path: str) -> Page | None:
        """The only page that could have this path; whether it has is checked by `find`."""
        if path == "/":
            return Page(Kind.SPLASH)
        if path == PREVIEW_PATH:
            return Page(Kind.PREVIEW)
        parts = [part for part in path.split("/") if part]
        if not parts or parts[0] not in (Lang.EN, Lang.FR) or len(parts) > 6:
            return None
        lang = Lang(parts[0])
        if len(parts) == 1:
            return Page(Kind.HOME, lang)
        if parts[1] == STATISTICS.slug(lang):
            return self._statistics_page(lang, parts[2:])
        if parts[1] == RELEASES.slug(lang):
            return self._release_page(lang, parts[2:])
        return self._section_page(lang, parts[1], parts[2:])

    def _statistics_page(self, lang: Lang, parts: list[str]) -> Page | None:
        if not parts:
            return Page(Kind.STATISTICS, lang)
        if len(parts) == 3:
            dataset = _number_at_end(parts[2])
            exists = dataset is not None and dataset < self.plan.datasets
            return Page(Kind.DATASET, lang, dataset or 0) if exists else None
        topic = self._topics[lang].get(parts[0])
        if topic is None or len(parts) > 2:
            return None
        if len(parts) == 1:
            return Page(Kind.TOPIC, lang, topic)
        if parts[1] == ARCHIVE.slug(lang):
            return Page(Kind.ARCHIVE, lang, topic)
        subtopic = self._subtopics[lang].get((topic, parts[1]))
        return None if subtopic is None else Page(Kind.SUBTOPIC, lang, subtopic)

    def _release_page(self, lang: Lang, parts: list[str]) -> Page | None:
        if not parts:
            return Page(Kind.RELEASES, lang)
        numbers = [_number_at_end(part) for part in parts]
        year = month_of(0)[0] - (numbers[0] or 0)
        if len(parts) == 1:
            return Page(Kind.RELEASE_YEAR, lang, year) if 0 <= year < self.plan.years else None
        newest = month_of(0)
        month = year * 12 + newest[1] - (numbers[1] or 0)
        return Page(Kind.RELEASE_MONTH, lang, month) if 0 <= month < self.plan.months else None

    def _section_page(self, lang: Lang, name: str, parts: list[str]) -> Page | None:
        section = self._sections[lang].get(name)
        if section is None:
            return None
        if not parts:
            return Page(Kind.LIST, lang, section=section)
        if section is Section.ABOUT:
            names = [self._item_tail(Page(Kind.ITEM, lang, item, section=section))
                     for item in range(self.plan.items[section])]  # fmt: skip
            item = names.index(parts[0]) if parts[0] in names else None
        else:
            item = _number_at_end(parts[-1])
        if item is None or item >= self.plan.items[section]:
            return None
        return Page(Kind.ITEM, lang, item, section=section)

    @cached_property
    def _topics(self) -> dict[Lang, dict[str, int]]:
        numbers = range(self.plan.topics)
        return {lang: {TOPICS[each].name.slug(lang): each for each in numbers} for lang in Lang}

    @cached_property
    def _subtopics(self) -> dict[Lang, dict[tuple[int, str], int]]:
        """At most 640 names, whatever the size of the site."""
        names = [(each, self.titles.subtopic(each)) for each in range(self.plan.subtopics)]
        topics = self.plan.topics
        return {
            lang: {(each % topics, slug(name.of(lang))): each for each, name in names}
            for lang in Lang
        }

    @cached_property
    def _sections(self) -> dict[Lang, dict[str, Section]]:
        return {
            lang: {SECTIONS[each].slug(lang): each for each in self.plan.items} for lang in Lang
        }


def _number_at_end(part: str) -> int | None:
    found = _NUMBER_AT_END.search(part)
    return int(found[1]) if found else None
