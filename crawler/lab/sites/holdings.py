"""Which slots of a site have files, and how many."""

from itertools import accumulate

from crawler.lab.sites.chance import Chance
from crawler.lab.sites.kinds import Kind
from crawler.lab.sites.plan import Role, Section
from crawler.lab.sites.scatter import Scatter
from crawler.lab.sites.tail import Tail

_HUB_SHARE = 8
"""One of this many pages with files is placed by its rank: the richest are in data sections."""

_MAX_NEW = 10
"""Files of a page that is added later, at most."""


class Holdings:
    """The files of a site. In every section slots come in a shuffled order; the first have files.

    How many is a matter of the whole site: one tail over all pages with files. The richest of them
    are in the first data section, the others anywhere.
    """

    def __init__(self, kind: Kind, sections: tuple[Section, ...], chance: Chance) -> None:
        self._chance = chance
        # Sections that mirror another one have its files.
        owners = [section for section in sections if section.origin == section.number]
        self._slots = [
            Scatter(section.slots, chance.number("slots", section.number)) for section in owners
        ]
        held = [section.data_slots for section in owners]
        self._first = [0, *accumulate(held)]
        pages = self._first[-1]
        self._hubs = min(pages // _HUB_SHARE, held[0])
        self._ranks = Scatter(max(pages - self._hubs, 1), chance.number("ranks"))
        self._tail = Tail(pages, sum(section.files for section in owners), kind.profile.spread)

    def count(self, section: Section, slot: int) -> int:
        """Files of a slot."""
        place = self._slots[section.origin].place(slot)
        if place >= section.data_slots:
            return 0
        number = self._first[section.origin] + place
        if number < self._hubs:
            return self._tail.count(number)
        return self._tail.count(self._hubs + self._ranks.place(number - self._hubs))

    def new_count(self, section: Section, slot: int) -> int:
        """Files of a slot that was added later: nearly always some in sections for data."""
        drawn = self._chance.number("new files", section.origin, slot)
        share = 0.9 if section.role is Role.DATA else section.data_slots / section.slots
        if (drawn & 0xFFFF) / 0x10000 >= share:
            return 0
        ranks = self._first[-1] - self._hubs
        return min(self._tail.count(self._hubs + (drawn >> 16) % ranks), _MAX_NEW) if ranks else 1

    def some_slot(self, section: Section, drawn: int) -> int | None:
        """A slot that has files, by chance."""
        held = section.data_slots
        return self._slots[section.origin].number(drawn % held) if held else None

    def slots(self, section: Section) -> list[int]:
        """Every slot of a section that has files."""
        scatter = self._slots[section.origin]
        return [scatter.number(place) for place in range(section.data_slots)]

    def total(self) -> int:
        """Files of the whole site."""
        return self._tail.total()
