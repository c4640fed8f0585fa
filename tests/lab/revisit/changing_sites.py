"""Small sites that change by night, for tests: lists of datasets with release calendars.

Every list belongs to a section and publishes by its own calendar. What it publishes is a new page
with files at the front of its list, or a new file on a page that it already has.
"""

import random
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

START = date(2025, 12, 31)


@dataclass(frozen=True)
class Shape:
    """What a site is like."""

    sections: int = 4
    lists: int = 12
    """Lists per section."""
    leaves: int = 70
    """Pages per list at the start."""
    per_sheet: int = 10
    daily: float = 0.1
    mondays: float = 0.2
    monthly: float = 0.3
    quarterly: float = 0.2
    """Shares of the lists with these calendars; the others never publish."""
    random: float = 0.0
    """Share of the lists that publish by chance, every ten nights on average."""
    in_place: float = 0.3
    """Share of the publications that are a new file on a page that is there."""
    series: int = 2
    """Pages per list that such files are added to; 0 for any of its three newest pages."""
    latest: int = 10
    """New pages that the start page shows; 0 for none."""
    changing: float = 0.2
    """Share of the files that are replaced in place, daily to monthly."""
    removed: float = 0.0005
    """Share of the pages removed a night."""
    redesign: int | None = None
    """Night on which every page gets other links in its frame."""


def is_due(calendar: str, day: date, rng: random.Random) -> bool:
    if calendar == "daily":
        return day.weekday() < 5
    if calendar == "mondays":
        return day.weekday() == 0
    if calendar == "monthly":
        return day.day == 15
    if calendar == "quarterly":
        return day.day == 10 and day.month % 3 == 1
    return calendar == "random" and rng.random() < 0.1


class MadeSite:
    """A site of a shape, the same for the same seed."""

    def __init__(self, name: str, shape: Shape, nights: int, seed: int = 0) -> None:
        self.name = name
        self._shape = shape
        self._rng = random.Random(f"{name}/{seed}")
        self._links: dict[str, list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
        self._templates: dict[str, str] = {}
        self._pages: list[set[str]] = []
        self._files: list[dict[str, int]] = []
        self._leaves: dict[str, list[str]] = {}
        self._on_page: dict[str, list[str]] = {}
        self._calendar: dict[str, str] = {}
        self._period: dict[str, int] = {}
        self._phase: dict[str, int] = {}
        self._versions: dict[str, int] = {}
        self._newest: list[str] = []
        self._series: dict[str, list[str]] = {}
        self._counter = 0
        self._build()
        self._freeze(0)
        for night in range(1, nights + 1):
            self._change(night)
            self._freeze(night)

    def pages(self, night: int) -> Iterable[str]:
        return self._pages[night]

    def links(self, night: int, page: str) -> tuple[str, ...]:
        versions = self._links[page]
        return versions[bisect_right(versions, night, key=lambda version: version[0]) - 1][1]

    def files(self, night: int) -> Mapping[str, int]:
        return self._files[night]

    def dates(self, night: int, page: str) -> tuple[int, ...]:
        return ()

    def modified(self, night: int, file: str) -> int | None:
        return None

    def template(self, page: str) -> str:
        return self._templates[page]

    def day(self, night: int) -> date:
        return START + timedelta(days=night)

    def _build(self) -> None:
        shape, rng = self._shape, self._rng
        names = [
            f"/s{section}/l{number}"
            for section in range(shape.sections)
            for number in range(shape.lists)
        ]
        calendars = []
        for calendar in ("daily", "mondays", "monthly", "quarterly", "random"):
            calendars += [calendar] * round(getattr(shape, calendar) * len(names))
        calendars += ["never"] * (len(names) - len(calendars))
        rng.shuffle(calendars)
        for name, calendar in zip(names, calendars, strict=False):
            self._calendar[name] = calendar
            self._leaves[name] = []
            for _ in range(rng.randint(shape.leaves // 2, shape.leaves * 3 // 2)):
                self._publish_page(name)
            if shape.series:
                self._series[name] = rng.sample(self._leaves[name], shape.series)
                for leaf in self._series[name]:
                    for _ in range(rng.randint(8, 30)):
                        self._publish_file(leaf)
        self._newest.clear()

    def _publish_page(self, name: str) -> None:
        self._counter += 1
        leaf = f"{name}/p{self._counter}"
        self._on_page[leaf] = []
        self._leaves[name].insert(0, leaf)
        self._templates[leaf] = f"leaf{name.split('/')[1]}"
        for _ in range(self._rng.choice((0, 1, 1, 2, 4))):
            self._publish_file(leaf)
        self._newest.insert(0, leaf)

    def _old_page(self, name: str) -> str:
        there = [leaf for leaf in self._series.get(name, ()) if leaf in self._on_page]
        return self._rng.choice(there or self._leaves[name][:3])

    def _publish_file(self, leaf: str) -> None:
        self._counter += 1
        file = f"{leaf}/f{self._counter}.csv"
        self._on_page[leaf].append(file)
        self._versions[file] = 1
        if self._rng.random() < self._shape.changing:
            self._period[file] = self._rng.choice((1, 7, 7, 30))
            self._phase[file] = self._rng.randrange(30)

    def _change(self, night: int) -> None:
        shape, rng, day = self._shape, self._rng, self.day(night)
        for file, period in self._period.items():
            if file in self._versions and (night + self._phase[file]) % period == 0:
                self._versions[file] += 1
        for name, leaves in self._leaves.items():
            if not is_due(self._calendar[name], day, rng):
                continue
            for _ in range(rng.choice((1, 1, 2, 3))):
                if leaves and rng.random() < shape.in_place:
                    self._publish_file(self._old_page(name))
                else:
                    self._publish_page(name)
        for leaves in self._leaves.values():
            for leaf in [leaf for leaf in leaves if rng.random() < shape.removed]:
                leaves.remove(leaf)
                for file in self._on_page.pop(leaf):
                    del self._versions[file]

    def _freeze(self, night: int) -> None:
        shape = self._shape
        sections = [f"/s{section}" for section in range(shape.sections)]
        frame = ["/", *sections]
        if shape.redesign is not None and night >= shape.redesign:
            frame += [f"/about{number}" for number in range(5)]
        now: dict[str, list[str]] = {page: list(frame) for page in frame}
        for page in frame:
            self._templates.setdefault(page, "front" if page in sections else "frame")
        # Removed ones are not listed.
        self._newest = [leaf for leaf in self._newest if leaf in self._on_page][:200]
        now["/"] += self._newest[: shape.latest]
        for name, leaves in self._leaves.items():
            now["/" + name.split("/")[1]].append(name)
            sheets = max(1, -(-len(leaves) // shape.per_sheet))
            for sheet in range(sheets):
                page = name if sheet == 0 else f"{name}?page={sheet}"
                self._templates[page] = f"list{min(sheet, 1)}"
                shown = leaves[sheet * shape.per_sheet : (sheet + 1) * shape.per_sheet]
                around = [f"{name}?page={at}" for at in (sheet - 1, sheet + 1) if 0 < at < sheets]
                now[page] = [*frame, *shown, *around]
            for leaf in leaves:
                now[leaf] = [*frame, name, *self._on_page[leaf]]
        for page, links in now.items():
            versions = self._links[page]
            if not versions or versions[-1][1] != tuple(links):
                versions.append((night, tuple(links)))
        self._pages.append(set(now))
        self._files.append(dict(self._versions))


SHAPES: dict[str, Shape] = {
    "weekly": Shape(mondays=0.4, daily=0.1, monthly=0.2, quarterly=0.1),
    "daily": Shape(sections=2, lists=30, leaves=80, daily=0.3, mondays=0.1, monthly=0.1, latest=30),
    "monthly": Shape(daily=0.05, mondays=0.1, monthly=0.5, quarterly=0.2),
    "chance": Shape(daily=0.05, mondays=0.1, monthly=0.1, random=0.4, latest=0),
    "many": Shape(sections=3, lists=80, leaves=18, per_sheet=8, daily=0.05, mondays=0.1),
    "inside": Shape(daily=0.1, mondays=0.3, monthly=0.2, in_place=0.8, redesign=30),
    "newest": Shape(daily=0.1, mondays=0.3, monthly=0.2, in_place=0.3, series=0),
}


def made(name: str, nights: int, seed: int = 0) -> MadeSite:
    return MadeSite(name, SHAPES[name], nights, seed)


def open_small(name: str, seed: int) -> MadeSite:
    """A site of a hundred pages and twelve nights, for comparisons in other processes."""
    return MadeSite(name, replace(SHAPES[name], sections=2, lists=3, leaves=15), 12, seed)
