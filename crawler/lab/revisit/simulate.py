"""One strategy over the nights of one site, measured."""

from collections.abc import Mapping
from dataclasses import dataclass

from crawler.config.revisit import RevisitConfig
from crawler.lab.revisit.file_watch import FileWatch
from crawler.lab.revisit.greedy import foreknown_plan
from crawler.lab.revisit.recorded_nights import RecordedNights
from crawler.lab.revisit.simulated_crawl import SimulatedCrawl

GREEDY = "greedy"


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
