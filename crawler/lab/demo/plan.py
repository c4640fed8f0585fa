"""How many of everything a site of a given size has: arithmetic only, nothing is stored.

One language has `n` pages. Over half of them hold no data: news, press, events and the like.
"""

from dataclasses import dataclass
from enum import Enum

from crawler.lab.demo.topics import TOPICS

SMALLEST = 50
"""Under this many pages the structure has no room; smaller sizes give this one."""

CURRENT_SHARE = 0.6
"""Datasets in the lists of their subtopic; the others are in the archive of their topic."""

DATASETS_PER_SHEET = 15
RELEASES_PER_SHEET = 20
ARCHIVED_DATASETS_PER_SHEET = 4
ARCHIVED_FILES_PER_SHEET = 8
MOST_MONTHS = 240


class Section(Enum):
    """A part of the site that is a paginated list and its items."""

    NEWS = "news"
    PRESS = "press"
    EVENTS = "events"
    GLOSSARY = "glossary"
    METHODS = "methods"
    STAFF = "staff"
    CAREERS = "careers"
    ABOUT = "about"
    BULK = "bulk"
    """The only one with many files: hub pages of the heavy tail."""


ITEMS_PER_SHEET = {
    Section.NEWS: 10,
    Section.PRESS: 12,
    Section.EVENTS: 10,
    Section.GLOSSARY: 20,
    Section.METHODS: 15,
    Section.STAFF: 20,
    Section.CAREERS: 10,
    Section.ABOUT: 20,
    Section.BULK: 10,
}

_SHARE = {
    Section.NEWS: 0.21,
    Section.PRESS: 0.17,
    Section.EVENTS: 0.075,
    Section.GLOSSARY: 0.04,
    Section.METHODS: 0.03,
    Section.STAFF: 0.03,
    Section.CAREERS: 0.01,
    Section.BULK: 0.008,
}
_ABOUT_PAGES = 9
_ALWAYS = (Section.NEWS, Section.PRESS, Section.METHODS, Section.BULK)
_ALL_SECTIONS_FROM = 100


def sheets(items: int, per_sheet: int) -> int:
    """How many pages a list of so many items takes; an empty list still has one."""
    return max(1, -(-items // per_sheet))


def spread(total: int, parts: int, part: int) -> int:
    """How many of the numbers below `total` leave the rest `part` when divided by `parts`."""
    return (total - part + parts - 1) // parts if part < total else 0


@dataclass(frozen=True, slots=True)
class Plan:
    """The counts from which every list, page and file follows."""

    topics: int
    subtopics: int
    """Over all topics; subtopic s belongs to topic s % topics."""
    datasets: int
    current: int
    """Datasets below this number are current, the others are archived."""
    archived_files: int
    months: int
    """Months of the release calendar, the newest is 0."""
    items: dict[Section, int]
    """Items of each section; a small site leaves some sections out."""

    @property
    def years(self) -> int:
        """Years of the release calendar; each has the twelve months that are in it."""
        return sheets(self.months, 12)

    def subtopic_datasets(self, subtopic: int) -> int:
        """How many current datasets a subtopic lists: subtopic, subtopic + subtopics, ..."""
        return spread(self.current, self.subtopics, subtopic)

    def subtopic_sheets(self, subtopic: int) -> int:
        """Pages of a subtopic's list."""
        return sheets(self.subtopic_datasets(subtopic), DATASETS_PER_SHEET)

    def archive_datasets(self, topic: int) -> int:
        """How many archived datasets a topic has."""
        return spread(self.datasets - self.current, self.topics, topic)

    def archive_files(self, topic: int) -> int:
        """How many files the archive of a topic lists directly."""
        return spread(self.archived_files, self.topics, topic)

    def archive_sheets(self, topic: int) -> int:
        """Pages of a topic's archive."""
        return max(
            sheets(self.archive_datasets(topic), ARCHIVED_DATASETS_PER_SHEET),
            sheets(self.archive_files(topic), ARCHIVED_FILES_PER_SHEET),
        )

    def month_datasets(self, month: int) -> int:
        """How many current datasets were released in a month."""
        return spread(self.current, self.months, month)

    def month_sheets(self, month: int) -> int:
        """Pages of a month of the release calendar."""
        return sheets(self.month_datasets(month), RELEASES_PER_SHEET)

    def section_sheets(self, section: Section) -> int:
        """Pages of a section's list."""
        return sheets(self.items[section], ITEMS_PER_SHEET[section])

    def topic_of_dataset(self, dataset: int) -> int:
        """The topic whose pages list the dataset."""
        if dataset < self.current:
            return dataset % self.subtopics % self.topics
        return (dataset - self.current) % self.topics

    def pages_per_language(self) -> int:
        """How many pages each language has."""
        topics, months, sections = range(self.topics), range(self.months), self.items
        return (
            3 + self.topics + self.datasets + self.years
            + sum(self.subtopic_sheets(subtopic) for subtopic in range(self.subtopics))
            + sum(self.archive_sheets(topic) for topic in topics)
            + sum(self.month_sheets(month) for month in months)
            + sum(sections[section] + self.section_sheets(section) for section in sections)
        )  # fmt: skip


def plan_for(pages: int) -> Plan:
    """The plan whose pages, over both languages, come nearest to `pages`."""
    per_language = (max(pages, SMALLEST) - 2) // 2
    low, high = 4, per_language
    while low < high:
        middle = (low + high + 1) // 2
        if _with_datasets(per_language, middle).pages_per_language() <= per_language:
            low = middle
        else:
            high = middle - 1
    return _with_datasets(per_language, low)


def _with_datasets(per_language: int, datasets: int) -> Plan:
    topics = min(max(per_language // 25, 2), len(TOPICS))
    current = max(2, int(datasets * CURRENT_SHARE))
    items = {section: max(1, int(per_language * share)) for section, share in _SHARE.items()}
    if per_language < _ALL_SECTIONS_FROM:
        items = {section: items[section] for section in _ALWAYS}
    items[Section.ABOUT] = min(_ABOUT_PAGES, 2 + per_language // 40)
    return Plan(
        topics=topics,
        subtopics=topics * min(max(per_language // 140, 1), 40),
        datasets=datasets,
        current=current,
        archived_files=int(datasets * 1.1),
        months=min(max(current // 5, 1), MOST_MONTHS),
        items=items,
    )
