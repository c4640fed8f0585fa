"""One strategy over the nights of one site, measured."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from crawler.config.revisit import RevisitConfig, amount_of
from crawler.lab.revisit.recorded_nights import RecordedNights
from crawler.lab.revisit.simulated_crawl import SimulatedCrawl
from crawler.revisit.cover import greedy_cover
from crawler.revisit.night_plan import NightPlan, PageReason, PlannedPage
from crawler.revisit.planner_state import PlannerState

GREEDY = "greedy"
"""The pages that lead to the most new files, with foreknowledge (paper 003, 5.3).

No crawler can know it. It is the bound that others are compared with."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """What a strategy found on a site, and when."""

    nights: int
    appeared: Mapping[str, int]
    """The night on which each new file appeared."""
    found: Mapping[str, int]
    """The night on which it was found."""
    requests: tuple[int, ...]
    page_visits: tuple[int, ...]
    staleness: float
    """Mean nights that the copies held of known files are out of date, each night, each file."""
    staleness_in_turn: float
    """The same if the same number of checks had gone to all files in turn."""
    removed: int
    """Known files removed, a week or more before the end."""
    marked_gone: int
    """Those marked gone within a week."""

    def coverage(self, delay: int) -> float:
        """Share of the new files found within this many nights, of those that could be."""
        return self.count(delay) / max(self.due(delay), 1)

    def count(self, delay: int) -> int:
        """New files found within this many nights."""
        return sum(
            1
            for file, night in self.appeared.items()
            if night + delay <= self.nights
            and self.found.get(file, self.nights + 1) - night <= delay
        )

    def due(self, delay: int) -> int:
        """New files that appeared early enough to be found within this many nights."""
        return sum(1 for night in self.appeared.values() if night + delay <= self.nights)

    @property
    def mean_delay(self) -> float:
        """Mean nights until a new file is found; one never found counts until the end."""
        waits = [
            self.found.get(file, self.nights + 1) - night for file, night in self.appeared.items()
        ]
        return sum(waits) / max(len(waits), 1)


def simulate(
    site: RecordedNights, strategy: str, config: RevisitConfig, nights: int, seed: int
) -> Simulated:
    """Live through nights 1 to `nights` of a site that is known as of night 0."""
    crawl = SimulatedCrawl(site, config, seed)
    watch = FileWatch(crawl)
    appeared: dict[str, int] = {}
    found: dict[str, int] = {}
    requests, visits = [], []
    ever = set(site.files(0))
    for night in range(1, nights + 1):
        new = set(site.files(night)) - ever
        ever |= new
        appeared |= dict.fromkeys(new, night)
        if strategy == GREEDY:
            discovered = crawl.carry_out(foreknown_plan(crawl, night, config.pages), night)
        else:
            discovered = crawl.live(night)
        found |= {file: night for file in discovered if file in appeared}
        requests.append(crawl.requests)
        visits.append(crawl.page_visits)
        watch.close(night)
    return Simulated(
        nights=nights,
        appeared=appeared,
        found=found,
        requests=tuple(requests),
        page_visits=tuple(visits),
        staleness=watch.staleness,
        staleness_in_turn=watch.staleness_in_turn,
        removed=watch.removed_before(nights - 7),
        marked_gone=watch.marked_within(7, nights - 7),
    )


def foreknown_plan(crawl: SimulatedCrawl, night: int, amount: float | int) -> NightPlan:
    """GREEDY: the greedy cover of all new files that known pages lead to on a night."""
    gains = _gains(crawl, night)
    budget = amount_of(amount, len(crawl.known_pages))
    pages = tuple(
        PlannedPage(row, PageReason.COVER, float(gain)) for row, gain in greedy_cover(gains, budget)
    )
    return NightPlan(float(night), "greedy", pages, (), PlannerState())


def _gains(crawl: SimulatedCrawl, night: int) -> dict[int, frozenset[str]]:
    """For each known page the new files on it, and on the new pages behind it."""
    site = crawl.site
    existing = site.existing(night)
    files = site.files(night)
    gains: dict[int, frozenset[str]] = {}
    for row, page in enumerate(crawl.known_pages):
        if page not in existing:
            continue
        seen: set[str] = set()
        waiting = [page]
        while waiting:
            for link in site.links(night, waiting.pop()):
                if link not in seen and not crawl.is_known(link):
                    seen.add(link)
                    if link in existing:
                        waiting.append(link)
        if seen:
            gains[row] = frozenset(link for link in seen if link in files)
    return gains


class FileWatch:
    """How stale a crawl's copies are night by night, beside what checks in turn would hold."""

    def __init__(self, crawl: SimulatedCrawl) -> None:
        self._crawl = crawl
        self._in_turn: dict[str, int] = {}
        """The version of each file that checks in turn would hold."""
        self._queue: deque[str] = deque()
        self._stale_since: dict[str, int] = {}
        self._turn_stale_since: dict[str, int] = {}
        self._stale_nights = 0
        self._turn_stale_nights = 0
        self._file_nights = 0
        self._removed: dict[str, int] = {}
        self._marked: dict[str, int] = {}
        self._take_in_new()

    @property
    def staleness(self) -> float:
        """Mean nights out of date, over all nights and files."""
        return self._stale_nights / max(self._file_nights, 1)

    @property
    def staleness_in_turn(self) -> float:
        """The same with as many checks in turn."""
        return self._turn_stale_nights / max(self._file_nights, 1)

    def close(self, night: int) -> None:
        """Count a night that is over."""
        crawl = self._crawl
        files = crawl.site.files(night)
        self._take_in_new()
        for _ in range(crawl.file_checks):
            file = self._queue.popleft()
            self._queue.append(file)
            if file in files:
                self._in_turn[file] = files[file]
        for file, version in crawl.versions.items():
            if file not in files:
                self._removed.setdefault(file, night)
                if crawl.is_gone(file):
                    self._marked.setdefault(file, night)
                continue
            self._file_nights += 1
            held = files[file]
            self._stale_nights += _wait(self._stale_since, file, night, stale=version != held)
            turned = self._in_turn[file] != held
            self._turn_stale_nights += _wait(self._turn_stale_since, file, night, stale=turned)

    def removed_before(self, night: int) -> int:
        """Known files that were removed up to a night."""
        return sum(1 for removed in self._removed.values() if removed <= night)

    def marked_within(self, delay: int, before: int) -> int:
        """Those of them that were marked gone within so many nights."""
        return sum(
            1
            for file, removed in self._removed.items()
            if removed <= before and self._marked.get(file, 10**9) - removed <= delay
        )

    def _take_in_new(self) -> None:
        for file in self._crawl.known_files[len(self._queue) :]:
            self._queue.append(file)
            self._in_turn[file] = self._crawl.versions[file]


def _wait(since: dict[str, int], file: str, night: int, *, stale: bool) -> int:
    """Nights for which a copy is out of date by now, this one counted."""
    if not stale:
        since.pop(file, None)
        return 0
    return night - since.setdefault(file, night) + 1
