"""How many of everything a site of a kind and size has: arithmetic only, nothing is stored."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import accumulate

from crawler.lab.sites.kinds import Holder, Kind, Pager, Part

FIXED_PAGES = 5
"""Imprint, contact and the like, per language."""

MAX_IN_FRONT = 48
"""Lists that a front page shows; more of them are put into groups."""

MAX_MONTHS = 48
RELEASES_PER_SHEET = 20


class Role(Enum):
    """What a section is for."""

    DATA = "data"
    MIXED = "mixed"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Section:
    """One section in one language. Its slots are the pages that may have files, in list order."""

    number: int
    origin: int
    """The section that this one mirrors in another language; itself where it mirrors none."""
    role: Role
    language: int
    rank: int
    """Which of the sections of its role, for its name and looks."""
    slots: int
    data_slots: int
    """Slots with files."""
    files: int
    per_sheet: int
    pager: Pager
    holder: Holder
    flat: bool
    ends: tuple[int, ...]
    """Where the lists of one round end, in slots."""

    @property
    def lists(self) -> int:
        """How many lists there are."""
        rounds, rest = divmod(self.slots, self.ends[-1])
        started = bisect_right(self.ends, rest - 1) + 1 if rest else 0
        return rounds * len(self.ends) + started

    def list_of(self, slot: int) -> int:
        """The list of a slot."""
        turn, rest = divmod(slot, self.ends[-1])
        return turn * len(self.ends) + bisect_right(self.ends, rest)

    def span(self, number: int) -> tuple[int, int]:
        """First slot of a list, and the slot behind its last."""
        turn, index = divmod(number, len(self.ends))
        start = turn * self.ends[-1]
        begin = start + (self.ends[index - 1] if index else 0)
        return begin, min(start + self.ends[index], self.slots)

    def sheets(self, number: int) -> int:
        """How many sheets a list has."""
        begin, end = self.span(number)
        return max(1, -(-(end - begin) // self.per_sheet))

    @property
    def groups(self) -> int:
        """Groups of lists; 0 when the front page shows all of them."""
        lists = self.lists
        return 0 if lists <= MAX_IN_FRONT else max(2, round(lists**0.5))

    def group_span(self, group: int) -> tuple[int, int]:
        """First list of a group, and the list behind its last."""
        size = -(-self.lists // self.groups)
        return group * size, min((group + 1) * size, self.lists)

    @property
    def pages(self) -> int:
        """HTML pages of the section."""
        rounds, rest = divmod(self.slots, self.ends[-1])
        widths = [end - begin for begin, end in zip((0, *self.ends), self.ends, strict=False)]
        per_round = sum(-(-width // self.per_sheet) for width in widths)
        last = sum(self.sheets(number) for number in range(rounds * len(self.ends), self.lists))
        sheets = rounds * per_round + (last if rest else 0)
        leaves = self.slots if self.holder is Holder.LEAF else 0
        return sheets + leaves + self.groups + (0 if self.flat else 1)


@dataclass(frozen=True, slots=True)
class Releases:
    """The release calendar of a section: its pages by month, the newest month is 0."""

    section: Section

    @property
    def months(self) -> int:
        """How many months it has."""
        return min(max(self.section.slots // 5, 1), MAX_MONTHS)

    def slots(self, month: int) -> range:
        """The slots of a month."""
        return range(month, self.section.slots, self.months)

    def sheets(self, month: int) -> int:
        """How many sheets the list of a month has."""
        return max(1, -(-len(self.slots(month)) // RELEASES_PER_SHEET))

    @property
    def pages(self) -> int:
        """HTML pages of the calendar."""
        return 1 + sum(self.sheets(month) for month in range(self.months))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the sections of a site share among themselves."""

    html: int
    """HTML pages, of one language where languages mirror each other."""
    data_pages: int
    targets: int
    languages: int
    """Languages with sections of their own."""


def sections_of(kind: Kind, pages: int) -> tuple[Section, ...]:
    """The sections of a site with about this many pages and files in all."""
    copies = len(kind.languages) if kind.mirrored else 1
    targets = round(pages * kind.profile.density)
    html = max((pages - targets) // copies, 1)
    data_pages = max(round(html * kind.profile.html_to_target / 100), 3)
    wanted = _Wanted(html, data_pages, targets, len(kind.languages) // copies)
    sections = _planned(kind, wanted)
    if not kind.mirrored:
        return tuple(sections)
    # What fronts, groups and the calendar take is known only now.
    taken = html_pages(kind, sections, languages=1)
    sections = _planned(kind, replace(wanted, html=html + html - taken))
    return tuple(
        replace(section, number=section.number + copy * len(sections), language=copy)
        for copy in range(copies)
        for section in sections
    )


def html_pages(kind: Kind, sections: Sequence[Section], languages: int) -> int:
    """HTML pages of these sections, and those of their languages that belong to no section."""
    calendars = (
        Releases(section).pages
        for section in sections
        if kind.releases and (section.role, section.rank) == (Role.DATA, 0)
    )
    splash = 1 if kind.mirrored and languages > 1 else 0
    general = splash + languages * (1 + FIXED_PAGES)
    return general + sum(calendars) + sum(section.pages for section in sections)


def _planned(kind: Kind, wanted: _Wanted) -> list[Section]:
    spent = wanted.languages * (FIXED_PAGES + 1)
    sizes: dict[Role, tuple[float, float]] = {}
    for role, part in ((Role.DATA, kind.data), (Role.MIXED, kind.mixed)):
        with_files = part.data_share * wanted.data_pages
        slots = with_files / part.purity
        sizes[role] = slots, with_files
        spent += round(slots * _pages_per_slot(part))
    rest = max(wanted.html - spent - kind.plain.sections * wanted.languages, 1)
    left = wanted.data_pages * (1 - kind.data.data_share - kind.mixed.data_share)
    sizes[Role.PLAIN] = rest / _pages_per_slot(kind.plain), left
    sections: list[Section] = []
    for role, part in ((Role.DATA, kind.data), (Role.MIXED, kind.mixed), (Role.PLAIN, kind.plain)):
        sections += _shared_out(wanted, role, part, sizes[role], len(sections))
    return sections


def _pages_per_slot(part: Part) -> float:
    return 1.0 if part.holder is Holder.LIST else 1 + 1 / part.per_sheet


def _shared_out(
    wanted: _Wanted, role: Role, part: Part, size: tuple[float, float], first: int
) -> list[Section]:
    """The sections of one role, each smaller than the one before, in every language alike."""
    slots, with_files = size
    files = wanted.targets / wanted.data_pages
    weights = [1 / (rank + 2) for rank in range(part.sections)] * wanted.languages
    shares = [weight / sum(weights) for weight in weights]
    slot_counts = [max(1, count) for count in _apportioned(slots, shares)]
    shared = _apportioned(with_files, shares)
    data_counts = [min(*pair) for pair in zip(shared, slot_counts, strict=True)]
    sections = []
    for index, (count, data) in enumerate(zip(slot_counts, data_counts, strict=True)):
        sections.append(
            Section(
                number=first + index,
                origin=first + index,
                role=role,
                language=index // part.sections,
                rank=index % part.sections,
                slots=count,
                data_slots=data,
                files=max(round(data * files), data),
                per_sheet=part.per_sheet,
                pager=part.pager,
                holder=part.holder,
                flat=part.flat,
                ends=_ends(part, count),
            )
        )
    return sections


def _apportioned(total: float, shares: list[float]) -> list[int]:
    """Whole numbers in these shares whose sum is the rounded total."""
    edges = [round(total * edge) for edge in accumulate(shares)]
    return [end - begin for begin, end in zip([0, *edges], edges, strict=False)]


def _ends(part: Part, slots: int) -> tuple[int, ...]:
    """Where lists end: one list in flat sections; shorter lists where the section is small."""
    if part.flat:
        return (slots,)
    wanted = [sheets * part.per_sheet for sheets in part.lists]
    if sum(wanted) > slots:
        wanted = [max(1, round(width * slots / sum(wanted))) for width in wanted]
    return tuple(accumulate(wanted))
