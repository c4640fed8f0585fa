"""When every page and file of a site came, changed and went: the same for all nights."""

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

from crawler.lab.sites.calendar import Calendar, Rhythm
from crawler.lab.sites.chance import Chance
from crawler.lab.sites.holdings import Holdings
from crawler.lab.sites.kinds import Holder, Kind
from crawler.lab.sites.places import File
from crawler.lab.sites.plan import Role, Section

_FIRST_NEW = 1_000_000
"""New slots are numbered from here on above the old ones; dead links lead to numbers below."""
_ITEMS = (0, 1, 1, 1, 2)
"""Times the average number of items: some publications are cancelled."""
_REMEMBERED = 200_000
_REDESIGN = range(15, 45)
"""The nights of which one is the redesign's."""


@dataclass(slots=True)
class _Births:
    """Nights on which items were added, in order; filled as far as it was asked for."""

    rhythm: Rhythm
    nights: list[int] = field(default_factory=list)
    publications: int = 0
    """Publications of the rhythm that `nights` covers."""


class History:
    """Answers for any night; what was drawn once is remembered."""

    def __init__(self, kind: Kind, holdings: Holdings, calendar: Calendar, chance: Chance) -> None:
        self.calendar = calendar
        self._tempo = kind.tempo
        self._holdings = holdings
        self._chance = chance
        self._lists: dict[tuple[int, int], _Births] = {}
        self._further: dict[tuple[int, int], _Births] = {}
        self._holding: dict[int, list[int]] = {}
        # Simulations ask for the same pages on every night.
        self._page_end = lru_cache(_REMEMBERED)(self._find_page_end)
        self.file_end = lru_cache(_REMEMBERED)(self._find_file_end)
        """The night from which on a file is gone, given the one on which it came."""
        self.first_files = lru_cache(_REMEMBERED)(self._count_first_files)
        """How many files a slot of a section has on its first night."""
        drawn = _REDESIGN[chance.below(len(_REDESIGN), "redesign")]
        self.redesign = drawn if kind.tempo.redesign else None
        """The night on which all templates change, if any."""

    def added(self, section: Section, number: int, night: int) -> list[int]:
        """The nights up to this one on which pages were added to a list, in order."""
        key = section.origin, number
        births = self._lists.get(key)
        if births is None:
            births = self._lists[key] = _Births(self.list_rhythm(section, number))
        self._fill(births, night, self._tempo.items, "list", *key)
        return births.nights[: bisect_right(births.nights, night)]

    def list_rhythm(self, section: Section, number: int) -> Rhythm:
        """When pages are added to a list."""
        tempo = self._tempo
        paces = tempo.data_lists if section.role is Role.DATA else tempo.other_lists
        return self.calendar.rhythm(paces, "list", section.origin, number)

    def page_rhythm(self, section: Section, slot: int) -> Rhythm:
        """When further files are put on a page: on days like the one on which it began."""
        rhythm = self.calendar.rhythm(self._tempo.pages, "page", section.origin, slot)
        if slot < section.slots:
            return rhythm
        number, index = self.list_of(section, slot), self.index_of(section, slot)
        births = self._lists[section.origin, number].nights
        return self.calendar.resumed(rhythm.pace, births[index])

    def new_slot(self, section: Section, number: int, index: int) -> int:
        """The slot of the page that was added to a list as this one, counted from 0."""
        return section.slots + _FIRST_NEW + number + index * section.lists

    def list_of(self, section: Section, slot: int) -> int:
        """The list of a slot."""
        new = slot - section.slots - _FIRST_NEW
        return new % section.lists if new >= 0 else section.list_of(slot)

    def index_of(self, section: Section, slot: int) -> int:
        """Which of the pages added to its list a new slot is."""
        return (slot - section.slots - _FIRST_NEW) // section.lists

    def birth(self, section: Section, slot: int, night: int) -> int | None:
        """The night from which on a slot is there; None when that is later than `night`."""
        if slot < section.slots:
            return 0
        index, number = self.index_of(section, slot), self.list_of(section, slot)
        births = self.added(section, number, night) if index >= 0 else []
        return births[index] if 0 <= index < len(births) else None

    def end(self, section: Section, slot: int, birth: int) -> int | None:
        """The night from which on a page is gone; pages that are sheets of a list stay."""
        is_sheet = section.holder is Holder.LIST
        return None if is_sheet else self._page_end(section.origin, slot, birth)

    def _find_page_end(self, origin: int, slot: int, birth: int) -> int | None:
        return self.calendar.end(birth, self._tempo.page_loss, "page", origin, slot)

    def holding_slots(self, section: Section) -> list[int]:
        """The slots that have files on night 0."""
        slots = self._holding.get(section.origin)
        if slots is None:
            slots = self._holding[section.origin] = self._holdings.slots(section)
        return slots

    def _count_first_files(self, section: Section, slot: int) -> int:
        if slot < section.slots:
            return self._holdings.count(section, slot)
        return self._holdings.new_count(section, slot)

    def further(self, section: Section, slot: int, birth: int, night: int) -> list[int]:
        """The nights up to this one on which further files were put on a page, in order."""
        key = section.origin, slot
        births = self._further.get(key)
        if births is None:
            births = self._further[key] = _Births(self.page_rhythm(section, slot))
        self._fill(births, night, 1, "page", *key)
        return births.nights[
            bisect_right(births.nights, birth) : bisect_right(births.nights, night)
        ]

    def _find_file_end(self, file: File, birth: int) -> int | None:
        name = "file", file.section, file.slot, file.number
        return self.calendar.end(birth, self._tempo.file_loss, *name)

    def is_linked_when_gone(self, file: File) -> bool:
        """Whether the link to a file stays on its page when the file is removed."""
        return self._chance.below(3, "dangling", file.section, file.slot, file.number) == 0

    def file_rhythm(self, file: File) -> Rhythm:
        """When a file is replaced in place."""
        name = "file", file.section, file.slot, file.number
        return self.calendar.rhythm(self._tempo.files, *name)

    def replacements(self, file: File, birth: int, night: int) -> list[int]:
        """The nights up to this one on which a file was replaced, in order."""
        name = "file", file.section, file.slot, file.number
        regular = self.file_rhythm(file).nights(night)
        nights = regular[bisect_right(regular, birth) : bisect_right(regular, night)]
        corrected = self.calendar.corrections(self._tempo.correction, night, *name)
        return sorted({*nights, *(each for each in corrected if each > birth)})

    def _fill(self, births: _Births, night: int, items: int, *name: str | int) -> None:
        publications = births.rhythm.nights(night)
        for index in range(births.publications, len(publications)):
            count = items * self._chance.pick(_ITEMS, "items", *name, index)
            births.nights += [publications[index]] * count
        births.publications = len(publications)
