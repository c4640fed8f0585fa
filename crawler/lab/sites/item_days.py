"""The days on which the items of a page were published, as they stand beside them.

Also the days on which files were changed last, as their server says.

What was there on night 0 was published by the same rhythm as what comes later: a page that gets a
file on the fifth of every month has its latest files from fifths. What never gets anything is years
old.
"""

from collections.abc import Iterator
from datetime import date, timedelta

from crawler.lab.sites.calendar import Pace, Rhythm
from crawler.lab.sites.chance import Chance
from crawler.lab.sites.edition import Edition
from crawler.lab.sites.kinds import Holder
from crawler.lab.sites.places import File, Page, Place
from crawler.lab.sites.plan import Section

_EPOCH = date(1970, 1, 1)
OLDEST = date(2015, 1, 5)
"""When the oldest pages and files were published."""
_MAX_PAST = 60
"""Publications before night 0 that follow the rhythm; earlier ones came on any day."""


def day_of(number: int) -> date:
    """The day with this number since 1970."""
    return _EPOCH + timedelta(days=number)


class ItemDays:
    """Days since 1970, for any page of a site on any night."""

    def __init__(self, chance: Chance, first_day: date) -> None:
        self._chance = chance
        self._first_day = first_day
        self._past: dict[tuple[Pace, int], list[int]] = {}

    def of(self, edition: Edition, section: Section, page: Page) -> tuple[int, ...]:
        """The days of the items of a leaf or a sheet, each once, the oldest first."""
        if page.place is Place.LEAF:
            return tuple(sorted(set(self._files(edition, section, page.number))))
        number = 0 if section.flat else page.number
        days: set[int] = set()
        for slot in edition.slots(section, number, page.sheet):
            days.add(self._slot(edition, section, number, slot))
            if section.holder is Holder.LIST and self._gets_more(edition, section, slot):
                days.update(self._files(edition, section, slot))
        return tuple(sorted(days))

    def changed(self, edition: Edition, file: File) -> int:
        """The day on which a file got its present content: what its server calls Last-Modified."""
        replaced = edition.replaced(file)
        night = replaced[-1] if replaced else edition.file_birth(file)
        if night:
            return self._day(night)
        rhythm = edition.history.file_rhythm(file)
        return self._before(rhythm, 0, "modified", file.section, file.slot, file.number)

    def _slot(self, edition: Edition, section: Section, number: int, slot: int) -> int:
        history = edition.history
        birth = history.birth(section, slot, edition.night)
        if birth:
            return self._day(birth)
        ago = slot - section.span(number)[0]
        return self._before(history.list_rhythm(section, number), ago, "slot", section.origin, slot)

    def _files(self, edition: Edition, section: Section, slot: int) -> Iterator[int]:
        births = edition.births(section, slot)
        first = sum(1 for birth in births if not birth)
        rhythm = edition.history.page_rhythm(section, slot)
        for number, birth in enumerate(births):
            if birth:
                yield self._day(birth)
            else:
                # Files that never get company came together, with their page.
                name = 0 if rhythm.pace is Pace.NEVER else number
                ago = first - 1 - number
                yield self._before(rhythm, ago, "file", section.origin, slot, name)

    def _gets_more(self, edition: Edition, section: Section, slot: int) -> bool:
        return edition.history.page_rhythm(section, slot).pace is not Pace.NEVER

    def _day(self, night: int) -> int:
        return (self._first_day - _EPOCH).days + night

    def _before(self, rhythm: Rhythm, ago: int, *name: str | int) -> int:
        """The day of the publication that was so many publications before night 0."""
        if rhythm.pace is Pace.NEVER or ago >= _MAX_PAST:
            span = (self._first_day - OLDEST).days
            return (OLDEST - _EPOCH).days + self._chance.below(span, "published", *name)
        past = self._past.setdefault((rhythm.pace, rhythm.day), [])
        day = past[-1] if past else self._day(0) + 1
        while len(past) <= ago:
            day -= 1
            if rhythm.falls_on(day_of(day)):
                past.append(day)
        return past[ago]
