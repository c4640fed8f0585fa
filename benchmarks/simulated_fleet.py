"""A fleet of simulated sites, night after night: what a way to share requests finds, and misses.

A site is acquired first: each request finds a share of the files that are left, until all its pages
are known. Then it publishes new files at a rate of its own; a revisit that is given what it takes
finds all of them, one that is given less a part.
"""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from crawler.learning.fleet_share import Arm, Visit

MAX_A_NIGHT = 20_000
RUNS = 10
"""Past runs that are looked at, as the fleet does."""

Sharing = Callable[[int, Sequence["SimulatedSite"]], Mapping[str, int]]
"""The night's number and the sites, to the requests of each."""


@dataclass(slots=True)
class SimulatedSite:
    """One site: how large and how rich it is, and what it publishes."""

    name: str
    pages: int
    richness: float
    """Files per page at the start of its acquisition."""
    published_a_night: float
    revisit_cost: int
    first_night: int
    """Sites join the fleet one after the other."""
    crawled: int = 0
    waiting: float = 0.0
    """Published since the last revisit."""
    visits: list[tuple[int, int, int]] = field(default_factory=list)
    """Night, requests and new files; the newest first."""

    @property
    def complete(self) -> bool:
        """Whether all its pages are known."""
        return self.crawled >= self.pages

    @property
    def max_requests(self) -> int:
        """What it can use in one night."""
        if not self.complete:
            return min(MAX_A_NIGHT, self.pages - self.crawled)
        return 50 + 2 * self.revisit_cost

    def publish(self, draws: random.Random) -> None:
        """A night's new files on a site that is known; of others they are found by acquiring."""
        if self.complete:
            self.waiting += _poisson(self.published_a_night, draws)

    def visit(self, night: int, requests: int) -> int:
        """Make these requests; the new files."""
        if not requests:
            return 0
        if self.complete:
            new = round(self.waiting * min(1.0, requests / self.revisit_cost))
            self.waiting -= new
        else:
            # Strategies find the best pages first: the richness falls to nothing at the end.
            before, self.crawled = self.crawled, min(self.pages, self.crawled + requests)
            done = [(2 - at / self.pages) * at for at in (before, self.crawled)]
            new = round(self.richness * (done[1] - done[0]))
        self.visits.insert(0, (night, requests, new))
        del self.visits[RUNS:]
        return new

    def history(self, night: int) -> list[Visit]:
        """Its past visits as the fleet knows them."""
        return [Visit(night - then, requests, new) for then, requests, new in self.visits]

    def arm(self, good: float, bad: float) -> Arm:
        """As the bandit sees it."""
        last = self.visits[0] if self.visits else None
        mean = last[2] / last[1] if last else 1.0
        return Arm(
            self.name,
            good,
            bad,
            best=mean / (1 + mean) if last else 1.0,
            max_requests=self.max_requests,
            need=self.revisit_cost if self.complete else 0,
            is_new=last is None,
        )


@dataclass(slots=True)
class Outcome:
    """What a way to share the requests came to."""

    new_files: int = 0
    requests: int = 0
    below_floor: int = 0
    """Nights of sites that got less than the floor."""
    never_visited: int = 0
    longest_wait: int = 0
    """Nights in a row that a site got nothing."""
    starved: int = 0
    """Sites that got nothing for seven nights in a row."""


def made_sites(number: int, seed: int) -> list[SimulatedSite]:
    """Few large and rich sites, many small ones, a fifth that give nothing."""
    draws = random.Random(seed)
    sites = []
    for index in range(number):
        pages = min(60_000, int(draws.lognormvariate(math.log(1500), 1.3)) + 20)
        rich = 0.0 if draws.random() < 0.2 else draws.betavariate(0.7, 3)
        rate = 0.0 if not rich else draws.lognormvariate(math.log(0.5), 1.2)
        cost = 20 + int(0.03 * pages)
        joins = 0 if index < number * 4 // 5 else draws.randrange(1, 40)
        sites.append(SimulatedSite(f"s{index:03}", pages, rich, rate, cost, joins))
    return sites


def simulate(
    sites: Sequence[SimulatedSite], nights: int, floor: int, sharing: Sharing, seed: int
) -> Outcome:
    """Night after night: sites publish, requests are shared, sites are visited."""
    draws = random.Random(seed)
    outcome, waits = Outcome(), dict.fromkeys((site.name for site in sites), 0)
    longest = dict(waits)
    for night in range(nights):
        here = [site for site in sites if site.first_night <= night]
        for site in here:
            site.publish(draws)
        could_use = {site.name: site.max_requests for site in here}
        given = sharing(night, here)
        for site in here:
            requests = given[site.name]
            outcome.requests += requests
            outcome.new_files += site.visit(night, requests)
            outcome.below_floor += requests < min(floor, could_use[site.name])
            waits[site.name] = 0 if requests else waits[site.name] + 1
            longest[site.name] = max(longest[site.name], waits[site.name])
    outcome.never_visited = sum(not site.visits for site in sites)
    outcome.longest_wait = max(longest.values())
    outcome.starved = sum(wait >= 7 for wait in longest.values())
    return outcome


def _poisson(mean: float, draws: random.Random) -> int:
    limit, product, count = math.exp(-min(mean, 500.0)), draws.random(), 0
    while product > limit:
        product *= draws.random()
        count += 1
    return count
