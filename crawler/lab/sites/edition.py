"""A site as it stands on one night: which pages and files there are, and what lists show."""

from collections.abc import Iterator, Sequence

from crawler.lab.sites.history import History
from crawler.lab.sites.kinds import Holder, Kind
from crawler.lab.sites.places import File, Page, Place
from crawler.lab.sites.plan import RELEASES_PER_SHEET, Releases, Role, Section


class Edition:
    """One night of a site. Lists show the newest page first and shift the others to later sheets.

    A page that is removed leaves a gap on its sheet: nothing moves because of it.
    """

    def __init__(
        self, kind: Kind, sections: tuple[Section, ...], history: History, night: int
    ) -> None:
        self.night = night
        self.history = history
        self.is_redesigned = history.redesign is not None and night >= history.redesign
        self._sections = sections
        self._home_news = kind.tempo.home_news
        self.releases = {
            section.language: Releases(section)
            for section in sections
            if kind.releases and (section.role, section.rank) == (Role.DATA, 0)
        }
        """The release calendar of each language, as it was on night 0."""
        self._first_month = _month(history, 0)

    def contains(self, place: Page | File) -> bool:
        """Whether a page or file is there."""
        if isinstance(place, File):
            return self.file_birth(place) is not None
        if place.place in (Place.SPLASH, Place.HOME, Place.FIXED, Place.FRONT):
            return True
        if place.place is Place.RELEASES:
            return not place.number or place.sheet < self.month_sheets(place.section, place.number)
        section = self._sections[place.section]
        match place.place:
            case Place.GROUP:
                return place.number < section.groups
            case Place.LEAF:
                return section.holder is Holder.LEAF and self.has(section, place.number)
            case _:
                known = place.number < section.lists and place.sheet >= section.flat
                return known and place.sheet < self.sheets(section, place.number)

    def was_there(self, place: Page | File) -> bool:
        """Whether a page or file was there on some night up to this one."""
        if isinstance(place, File):
            births = self.births(self._sections[place.section], place.slot)
            return place.number < len(births)
        if place.place is not Place.LEAF:
            return self.contains(place)
        section = self._sections[place.section]
        born = self.history.birth(section, place.number, self.night)
        return born is not None and section.holder is Holder.LEAF

    def sheets(self, section: Section, number: int) -> int:
        """How many sheets a list has."""
        begin, end = section.span(number)
        items = end - begin + len(self.history.added(section, number, self.night))
        return max(1, -(-items // section.per_sheet))

    def slots(self, section: Section, number: int, sheet: int) -> list[int]:
        """The slots that a sheet of a list shows."""
        return [slot for slot in self._placed(section, number, sheet) if self.has(section, slot)]

    def _placed(self, section: Section, number: int, sheet: int) -> list[int]:
        begin, end = section.span(number)
        new = len(self.history.added(section, number, self.night))
        first = sheet * section.per_sheet
        last = min(first + section.per_sheet, new + end - begin)
        return [
            self.history.new_slot(section, number, new - 1 - at) if at < new else begin + at - new
            for at in range(first, last)
        ]

    def place(self, section: Section, slot: int) -> tuple[int, int]:
        """The list of a slot, and the sheet that shows it."""
        number = self.history.list_of(section, slot)
        new = len(self.history.added(section, number, self.night))
        if slot < section.slots:
            at = new + slot - section.span(number)[0]
        else:
            at = new - 1 - self.history.index_of(section, slot)
        return number, at // section.per_sheet

    def has(self, section: Section, slot: int) -> bool:
        """Whether a slot is there."""
        return self._born(section, slot) is not None

    def _born(self, section: Section, slot: int) -> int | None:
        """The night on which a slot came; None when it is not there."""
        birth = self.history.birth(section, slot, self.night)
        if birth is None or not self.night:
            return birth
        end = self.history.end(section, slot, birth)
        return birth if end is None or end > self.night else None

    def all_slots(self, section: Section) -> Iterator[int]:
        """Every slot that is there, the old ones first."""
        yield from (slot for slot in range(section.slots) if self.has(section, slot))
        yield from self._new_slots(section)

    def _new_slots(self, section: Section) -> Iterator[int]:
        for number in range(section.lists):
            for index in range(len(self.history.added(section, number, self.night))):
                slot = self.history.new_slot(section, number, index)
                if self.has(section, slot):
                    yield slot

    def slots_with_files(self, section: Section) -> Iterator[int]:
        """Every slot that is there and may have files, the old ones first."""
        old = self.history.holding_slots(section)
        yield from (slot for slot in old if self.has(section, slot))
        yield from self._new_slots(section)

    def linked_files(self, section: Section, slot: int) -> Sequence[int]:
        """The numbers of the files that the page of a slot links to."""
        first = self.history.first_files(section, slot)
        if not first or not self.night:
            return range(first)
        return [
            number
            for number, birth, end in self._files(section, slot)
            if end is None
            or end > self.night
            or self.history.is_linked_when_gone(File(section.origin, slot, number))
        ]

    def files(self, section: Section, slot: int) -> list[tuple[File, int]]:
        """The files of a slot that are there, each with the night on which it came."""
        if not self.has(section, slot):
            return []
        return [
            (File(section.origin, slot, number), born)
            for number, born, end in self._files(section, slot)
            if end is None or end > self.night
        ]

    def _files(self, section: Section, slot: int) -> Iterator[tuple[int, int, int | None]]:
        """Number, birth and end of every file that a slot had so far."""
        for number, born in enumerate(self.births(section, slot)):
            yield number, born, self.history.file_end(File(section.origin, slot, number), born)

    def births(self, section: Section, slot: int) -> list[int]:
        """The nights on which the files of a slot came, in the order of their numbers."""
        first = self.history.first_files(section, slot)
        birth = self.history.birth(section, slot, self.night) if first else None
        if birth is None:
            return []
        return [birth] * first + self.history.further(section, slot, birth, self.night)

    def file_birth(self, file: File) -> int | None:
        """The night on which a file came; None when it is not there."""
        section = self._sections[file.section]
        births = self.births(section, file.slot) if self.has(section, file.slot) else []
        if file.number >= len(births):
            return None
        birth = births[file.number]
        end = self.history.file_end(file, birth) if self.night else None
        return birth if end is None or end > self.night else None

    def replaced(self, file: File) -> list[int]:
        """The nights on which a file was replaced so far; its version is their number."""
        birth = self.file_birth(file) if self.night else None
        return [] if birth is None else self.history.replacements(file, birth, self.night)

    def newest(self, section: Section, limit: int) -> list[tuple[int, int]]:
        """The newest pages of a section, each as its night and its slot; some may be gone."""
        new = [
            (night, self.history.new_slot(section, number, index))
            for number in range(section.lists)
            for index, night in enumerate(self.history.added(section, number, self.night))
        ]
        old = [(0, slot) for slot in range(min(limit, section.slots))]
        return (sorted(new, reverse=True)[:limit] + old)[:limit]

    def highlights(self, section: Section, limit: int) -> list[int]:
        """The slots that the start page shows of a section."""
        if self._home_news and self.night:
            return [slot for _, slot in self.newest(section, limit)]
        return list(range(min(limit, section.slots)))

    def months(self, language: int) -> list[int]:
        """The months of the release calendar, counted from the year 0, the newest first."""
        releases = self.releases[language]
        new = {_month(self.history, night) for night, _ in self._released(releases.section)}
        old = range(self._first_month, self._first_month - releases.months, -1)
        return [*sorted(new - set(old), reverse=True), *old]

    def released(self, language: int, month: int) -> list[int]:
        """The slots of a month of the release calendar, the newest first; some may be gone."""
        releases = self.releases[language]
        new = [
            slot
            for night, slot in self._released(releases.section)
            if _month(self.history, night) == month
        ]
        ago = self._first_month - month
        return [*new, *(releases.slots(ago) if 0 <= ago < releases.months else ())]

    def month_sheets(self, language: int, month: int) -> int:
        """How many sheets a month of the release calendar has; 0 when there is no such month."""
        return -(-len(self.released(language, month)) // RELEASES_PER_SHEET)

    def _released(self, section: Section) -> list[tuple[int, int]]:
        if not self.night:
            return []
        return [each for each in self.newest(section, 1 << 30) if each[0]]

    def changed_on(self, page: Page) -> int:
        """The last night on which the links of a page changed; 0 when they never did."""
        if not self.night:
            return 0
        match page.place:
            case Place.HOME if self._home_news:
                sections = [each for each in self._sections if each.language == page.section]
                return max(map(self._grown_on, sections))
            case Place.RELEASES:
                return self._grown_on(self.releases[page.section].section)
            case Place.LEAF:
                return self._slot_changed_on(self._sections[page.section], page.number)
            case Place.SHEET:
                return self._sheet_changed_on(self._sections[page.section], page.number, page.sheet)
            case Place.FRONT if self._sections[page.section].flat:
                return self._sheet_changed_on(self._sections[page.section], 0, 0)
            case _:
                return 0

    def _grown_on(self, section: Section) -> int:
        births = (
            self.history.added(section, number, self.night) for number in range(section.lists)
        )
        return max((nights[-1] for nights in births if nights), default=0)

    def _sheet_changed_on(self, section: Section, number: int, sheet: int) -> int:
        births = self.history.added(section, number, self.night)
        nights = [births[-1] if births else 0]
        for slot in self._placed(section, number, sheet):
            birth = self.history.birth(section, slot, self.night) or 0
            end = self.history.end(section, slot, birth)
            if end is not None and end <= self.night:
                nights.append(end)
            if section.holder is Holder.LIST:
                nights.append(self._slot_changed_on(section, slot))
        return max(nights)

    def _slot_changed_on(self, section: Section, slot: int) -> int:
        nights = [self.history.birth(section, slot, self.night) or 0]
        for number, birth, end in self._files(section, slot):
            nights.append(birth)
            file = File(section.origin, slot, number)
            if end is not None and end <= self.night:
                nights.append(0 if self.history.is_linked_when_gone(file) else end)
        return max(nights)


def _month(history: History, night: int) -> int:
    day = history.calendar.day(night)
    return day.year * 12 + day.month - 1
