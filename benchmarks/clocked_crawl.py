"""A crawl over a measured site, step by step, with the clock on the engine alone.

The engine's work is everything but the network: choosing a link, deciding by headers, parsing,
placing links, learning, committing the state to disk. Beside it stands, on the same bytes, what
no crawler can do without: parsing with lxml and iterating the links. The clock is the processor
time of this process, so that other work on the machine does not count.
"""

import gc
import os
import time
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from crawler.config.strategy import strategy_named
from crawler.engine.crawl import Crawl
from crawler.lab.measured_run import site_for
from crawler.lab.measured_site import open_measured_site
from crawler.lab.replay import answer_request
from crawler.state.crawl_state import CrawlState
from crawler.state.totals import Totals
from crawler.strategies.make import make_strategy
from crawler.web.messages import Decision, Head

LINK_TAGS = ("a", "area", "iframe", "frame")
_ROBOTS = "/robots.txt"


@dataclass
class Window:
    """A stretch of a crawl."""

    pages: int = 0
    requests: int = 0
    engine: float = 0.0
    floor: float = 0.0

    def add(self, step: "Step") -> None:
        """One step more."""
        self.pages += step.is_page
        self.requests += 1
        self.engine += step.engine
        self.floor += step.floor

    @property
    def ratio(self) -> float:
        """Engine against floor."""
        return self.engine / self.floor

    @property
    def milliseconds(self) -> float:
        """Engine time per page, the steps of the data files included."""
        return self.engine / self.pages * 1e3

    @property
    def request_milliseconds(self) -> float:
        """Engine time per request of any kind."""
        return self.engine / self.requests * 1e3

    @property
    def floor_milliseconds(self) -> float:
        """Bare parsing per page."""
        return self.floor / self.pages * 1e3


@dataclass(frozen=True)
class Step:
    """One request and its answer."""

    engine: float
    floor: float
    is_page: bool


class ClockedCrawl:
    """One crawl from the start of a site to its end, its state in a file as in a live crawl."""

    def __init__(self, spec: str, strategy: str, state: Path) -> None:
        self._site = open_measured_site(spec)
        config = site_for(
            self._site.start_url,
            seed=0,
            targets=self._site.target_types,
            scope=self._site.scope,
        )
        self._state = CrawlState(state)
        self._crawl = Crawl(
            config,
            make_strategy(strategy_named(strategy), config.seed),
            self._state,
            agent="Tallyho",
            wall_clock=time.time,
            monotonic=time.monotonic,
        )
        self._pages = 0
        self._deciding = 0.0

    def close(self) -> None:
        """Let go of the site and of the state's file."""
        self._site.close()
        self._state.close()

    @property
    def totals(self) -> Totals:
        """Counts since the crawl began."""
        return self._crawl.totals

    def known_urls(self) -> int:
        """URLs that the crawl has met."""
        return int(next(self._state.rows("SELECT count(*) FROM link"))[0])

    def step(self, *, with_floor: bool = True) -> Step | None:
        """The next request, answered; None when the crawl is over."""
        clock = time.process_time
        begin = clock()
        request = self._crawl.next_request()
        spent = clock() - begin
        if request is None:
            return None
        reply = answer_request(request, self._site.respond, self._decide)
        is_page = reply.decision is Decision.READ and not request.url.endswith(_ROBOTS)
        measured = is_page and with_floor
        # Whoever parses a page first warms the caches for the other: they take turns.
        first = measured and self._pages % 2 == 0
        floor = bare(reply.body) if first else 0.0
        begin = clock()
        self._crawl.receive(reply)
        self._state.commit(self._crawl.take_changes())
        spent += self._deciding + clock() - begin
        self._deciding = 0.0
        self._pages += is_page
        return Step(spent, bare(reply.body) if measured and not first else floor, is_page)

    def _decide(self, head: Head, first: bytes) -> Decision:
        begin = time.process_time()
        decision = self._crawl.on_headers(head, first)
        self._deciding = time.process_time() - begin
        return decision


def bare(body: bytes) -> float:
    """Seconds to parse a page and iterate its links."""
    begin = time.process_time()
    element = tree = etree.fromstring(body, etree.HTMLParser())
    for element in tree.iter(*LINK_TAGS):
        element.get("href")
    del tree, element  # freeing the tree is part of parsing it
    return time.process_time() - begin


def resident_bytes() -> int:
    """Memory of this process."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
