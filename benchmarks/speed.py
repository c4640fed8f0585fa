"""Engine time per page against a bare parse of the same pages, and memory per known URL.

    python -m benchmarks.speed [--pages 5000,100000]

Everything is measured in one process, page by page: the engine's work on a page (choosing it,
reading it, placing its links, learning, committing its state to disk; also its share of the data
files' steps), then, on the same bytes, what nobody can do without: parsing with lxml and iterating
the links. Machines are noisy; ratios of neighbours are not.
"""

import argparse
import gc
import os
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

from crawler.config.strategy import StrategyConfig, StrategyName
from crawler.engine.crawl import Crawl
from crawler.lab.demo import DemoSite
from crawler.lab.measured_run import site_for
from crawler.lab.replay import answer_request
from crawler.state.crawl_state import CrawlState
from crawler.strategies.make import make_strategy
from crawler.web.messages import Decision

START = "http://127.0.0.1:8350/"
LINK_TAGS = ("a", "area", "iframe", "frame")


@dataclass
class Window:
    """A stretch of a crawl."""

    pages: int = 0
    engine: float = 0.0
    floor: float = 0.0

    @property
    def ratio(self) -> float:
        """Engine against floor."""
        return self.engine / self.floor

    @property
    def milliseconds(self) -> float:
        """Engine time per page."""
        return self.engine / self.pages * 1e3


@dataclass
class Measured:
    """One crawl."""

    windows: list[Window] = field(default_factory=lambda: [Window()])
    urls: int = 0
    base_bytes: int = 0
    bytes: int = 0
    requests: int = 0
    targets: int = 0
    skipped: dict[str, int] = field(default_factory=dict)

    @property
    def whole(self) -> Window:
        """All windows together."""
        return Window(
            sum(w.pages for w in self.windows),
            sum(w.engine for w in self.windows),
            sum(w.floor for w in self.windows),
        )


def resident_bytes() -> int:
    """Memory of this process."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def bare(body: bytes) -> float:
    """Seconds to parse a page and iterate its links."""
    begin = time.perf_counter()
    element = tree = etree.fromstring(body, etree.HTMLParser())
    for element in tree.iter(*LINK_TAGS):
        element.get("href")
    del tree, element  # freeing the tree is part of parsing it
    return time.perf_counter() - begin


def crawl_whole(pages: int, folder: Path, window: int, strategy: str, unique_ids: bool) -> Measured:
    """Crawl a demo site of so many pages to its end, with the clock on the engine alone."""
    demo = DemoSite(pages=pages, base=START, unique_ids=unique_ids)
    site = site_for(START, StrategyConfig(name=StrategyName(strategy)), seed=0)
    state = CrawlState(folder / f"{pages}-{unique_ids}.db")
    crawl = Crawl(
        site,
        make_strategy(site.strategy, site.seed),
        state,
        agent="Tallyho",
        wall_clock=time.time,
        monotonic=time.monotonic,
    )
    measured = Measured(base_bytes=resident_bytes())
    clock = time.perf_counter
    while True:
        begin = clock()
        request = crawl.next_request()
        spent = clock() - begin
        if request is None:
            break
        classify = 0.0

        def decide(head, first):  # type: ignore[no-untyped-def]
            nonlocal classify
            begin = clock()
            decision = crawl.on_headers(head, first)
            classify = clock() - begin
            return decision

        reply = answer_request(request, demo.respond, decide)
        is_page = reply.decision is Decision.READ and not request.url.endswith("/robots.txt")
        # Whoever parses a page first warms the caches for the other: they take turns.
        floor_first = is_page and measured.windows[-1].pages % 2 == 0
        floor = bare(reply.body) if floor_first else 0.0
        begin = clock()
        crawl.receive(reply)
        state.commit(crawl.take_changes())
        spent += classify + clock() - begin
        now = measured.windows[-1]
        if now.pages == window:
            now = Window()
            measured.windows.append(now)
        now.engine += spent
        if is_page:
            now.pages += 1
            now.floor += floor or bare(reply.body)
    measured.bytes = resident_bytes()
    measured.requests = crawl.totals.requests
    measured.targets = crawl.totals.targets
    measured.skipped = dict(crawl.totals.skipped)
    measured.urls = next(state.rows("SELECT count(*) FROM link"))[0]
    state.close()
    return measured


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", default="5000,100000", help="sizes of the site")
    parser.add_argument("--strategy", default="sb")
    parser.add_argument("--unique-ids", action="store_true", help="thousands of actions")
    options = parser.parse_args()
    sizes = [int(size) for size in options.pages.split(",")]
    small: Window | None = None
    print(f"strategy {options.strategy}; floor: lxml parse and iteration of the links, same pages")
    print("    pages  requests  engine ms/page  floor ms/page  engine/floor  last/first  bytes/URL")
    with tempfile.TemporaryDirectory() as folder:
        crawl_whole(600, Path(folder), 5000, options.strategy, options.unique_ids)
        for size in sizes:
            done = crawl_whole(size, Path(folder), 5000, options.strategy, options.unique_ids)
            whole = done.whole
            full = [w for w in done.windows if w.pages >= 2000] or done.windows
            first = small or full[0]
            small = small or first
            growth = full[-1].ratio / first.ratio
            memory = (done.bytes - done.base_bytes) / done.urls
            print(
                f"{whole.pages:9,} {done.requests:9,} {whole.milliseconds:15.2f}"
                f" {whole.floor / whole.pages * 1e3:14.2f} {whole.ratio:13.2f} {growth:11.2f}"
                f" {memory:10.0f}",
                flush=True,
            )
            print(f"          targets {done.targets:,}; skipped {done.skipped}", flush=True)


if __name__ == "__main__":
    main()
