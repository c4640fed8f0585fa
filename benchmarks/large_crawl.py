"""One crawl of a large synthetic site to its end: time per page on the way, and memory.

    python -m benchmarks.large_crawl --strategy sb [--kind il] [--pages 1000000]

A row stands for the last 5,000 pages that were read before it; their time is beside a bare parse of
the same bytes. The state is in a file, committed step by step as in a live crawl.
"""

import argparse
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from benchmarks.clocked_crawl import ClockedCrawl, Window
from crawler.lab.measured_run import peak_bytes
from crawler.lab.sites.kinds import KINDS

WINDOW = 5_000
ROWS_AT = (5_000, 10_000, 30_000, 100_000, 300_000, 600_000)
TELL_EVERY = 10 * WINDOW
COLUMNS = (
    "pages",
    "requests",
    "targets",
    "ms/page",
    "floor ms/page",
    "ratio",
    "ms/request",
    "peak MB",
    "minutes",
)


def crawl_to_the_end(crawl: ClockedCrawl) -> float:
    """Crawl, print a row now and then, and tell the seconds that the engine worked."""
    begin = time.monotonic()
    pages, engine = 0, 0.0
    now, full = Window(), Window()
    while (step := crawl.step()) is not None:
        engine += step.engine
        now.add(step)
        pages += step.is_page
        if now.pages == WINDOW:
            now, full = Window(), now
            if pages in ROWS_AT:
                print_row(crawl, pages, full, begin)
            if pages % TELL_EVERY == 0:
                sys.stderr.write(f"{pages:,} pages, {minutes_since(begin):.1f} min\n")
    print_row(crawl, pages, full if full.pages else now, begin)
    return engine


def print_row(crawl: ClockedCrawl, pages: int, window: Window, begin: float) -> None:
    """Where the crawl stands."""
    sys.stdout.write(
        f"| {pages:,} | {crawl.totals.requests:,} | {crawl.totals.targets:,}"
        f" | {window.milliseconds:.2f} | {window.floor_milliseconds:.2f} | {window.ratio:.2f}"
        f" | {window.request_milliseconds:.2f} | {peak_bytes() / 1e6:,.0f}"
        f" | {minutes_since(begin):.1f} |\n"
    )
    sys.stdout.flush()


def minutes_since(begin: float) -> float:
    """Minutes on the clock."""
    return (time.monotonic() - begin) / 60


def main() -> None:
    """Crawl and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strategy", default="sb")
    parser.add_argument("--kind", default="il", choices=list(KINDS))
    parser.add_argument("--pages", type=int, default=1_000_000, help="pages and files together")
    options = parser.parse_args()
    spec = f"synth:{options.kind}:{options.pages}"
    print(f"{spec}, strategy {options.strategy}\n")
    print(f"| {' | '.join(COLUMNS)} |\n|{'---:|' * len(COLUMNS)}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder) / "state.db"
        with closing(ClockedCrawl(spec, options.strategy, state)) as crawl:
            engine = crawl_to_the_end(crawl)
            urls = crawl.known_urls()
        size = state.stat().st_size
    print(f"\n{urls:,} URLs, engine {engine / 60:.1f} min, state file {size / 1e6:,.0f} MB")


if __name__ == "__main__":
    main()
