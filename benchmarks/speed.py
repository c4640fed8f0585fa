"""Engine time per page against a bare parse of the same pages, and memory per known URL.

    python -m benchmarks.speed [--pages 5000,100000]

Everything is measured in one process, page by page, on the demo site, which is crawled to its end.
Machines are noisy; ratios of neighbours are not.
"""

import argparse
import tempfile
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.clocked_crawl import ClockedCrawl, Window, resident_bytes


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
            sum(w.requests for w in self.windows),
            sum(w.engine for w in self.windows),
            sum(w.floor for w in self.windows),
        )


def crawl_whole(pages: int, folder: Path, window: int, strategy: str, unique_ids: bool) -> Measured:
    """Crawl a demo site of this size to its end."""
    spec = f"{'demo-ids' if unique_ids else 'demo'}:{pages}"
    state = folder / f"{pages}-{unique_ids}.db"
    with closing(ClockedCrawl(spec, strategy, state)) as crawl:
        measured = Measured(base_bytes=resident_bytes())
        while (step := crawl.step()) is not None:
            now = measured.windows[-1]
            if now.pages == window:
                now = Window()
                measured.windows.append(now)
            now.add(step)
        measured.bytes = resident_bytes()
        measured.requests = crawl.totals.requests
        measured.targets = crawl.totals.targets
        measured.skipped = dict(crawl.totals.skipped)
        measured.urls = crawl.known_urls()
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
                f" {whole.floor_milliseconds:14.2f} {whole.ratio:13.2f} {growth:11.2f}"
                f" {memory:10.0f}",
                flush=True,
            )
            print(f"          targets {done.targets:,}; skipped {done.skipped}", flush=True)


if __name__ == "__main__":
    main()
