"""Planning a night against the bare reading of its history from SQLite, and the memory it takes.

    python -m benchmarks.revisit_planning [--pages 100000] [--nights 10] [--strategy tallyho]

The state is made, not crawled: pages with 60 links each and a log of `nights` visits, half as many
files. Machines are noisy; ratios of neighbours are not.
"""

import argparse
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from crawler.config.revisit import RevisitConfig, RevisitStrategyName
from crawler.engine.first_visit import pack_links
from crawler.engine.night_planner import NightPlanner, RevisitOrder, settle_histories
from crawler.revisit.page_history import FileHistory, PageHistory
from crawler.revisit.visit_log import (
    SECONDS_PER_DAY,
    Outcome,
    Visit,
    append_check,
    append_visit,
)
from crawler.state.crawl_state import CrawlState
from crawler.state.history_records import HistoryChanges
from crawler.state.records import Changes, LinkRow, LinkStatus
from crawler.state.schema import DOWNLOAD_COLUMNS

NOW = 1_780_000_000.0
LINKS_ON_A_PAGE = 60
TEMPLATES = 200
ROUNDS = 3


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--nights", type=int, default=10)
    parser.add_argument("--strategy", default="tallyho", choices=list(RevisitStrategyName))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.db"
        make_state(path, options.pages, options.nights)
        measure(path, RevisitStrategyName(options.strategy))


def measure(path: Path, strategy: RevisitStrategyName) -> None:
    """Plan the same night a few times, each beside a bare reading."""
    order = RevisitOrder("night", NOW, RevisitConfig(name=strategy))
    ratios, planned = [], 0
    with closing(CrawlState(path)) as state:
        NightPlanner(state, order).plan(1, HistoryChanges())  # imports the planner's libraries
        before = _resident()
        for _ in range(ROUNDS):
            start = time.perf_counter()
            read_everything(state)
            middle = time.perf_counter()
            planned = len(NightPlanner(state, order).plan(1, settle_histories(state, 0)))
            end = time.perf_counter()
            ratios.append((end - middle) / (middle - start))
            print(f"read {middle - start:6.2f} s   planned {end - middle:6.2f} s", flush=True)
    print(f"{strategy}: {planned:,} visits planned")
    print(f"planning / bare reading   {statistics.median(ratios):.1f}")
    print(
        f"peak memory of all        {_peak() / 1e6:,.0f} MB (before planning {before / 1e6:,.0f})"
    )


def read_everything(state: CrawlState) -> None:
    """Every row that a plan is made from, and nothing done with it."""
    for query in (
        "SELECT * FROM page_history",
        "SELECT * FROM target JOIN link ON link.id = target.link"
        " LEFT JOIN file_history ON file_history.id = target.link",
    ):
        for _ in state.rows(query):
            pass


def make_state(path: Path, pages: int, nights: int) -> None:
    """A crawl of this many pages, and half as many files, after this many nights."""
    chance = random.Random(7)
    columns = ", ".join(f'"{name}"' for name in DOWNLOAD_COLUMNS)
    with closing(CrawlState(path)) as state:
        for start in range(1, pages + 1, 5_000):
            numbers = range(start, min(start + 5_000, pages + 1))
            links = [_link(number) for number in numbers]
            links += [_link(pages + number) for number in numbers if number % 2]
            histories = HistoryChanges(
                pages=[_page(number, nights, chance) for number in numbers],
                files=[_file(pages + n, nights, chance) for n in numbers if n % 2],
            )
            state.commit(Changes(links=links, history=histories))
        state._db.execute("BEGIN")
        state._db.executemany(
            f"INSERT INTO target (link, {columns}) VALUES (?{', ?' * len(DOWNLOAD_COLUMNS)})",
            _targets(pages),
        )
        state._db.execute("COMMIT")


def _targets(pages: int) -> Iterator[tuple[object, ...]]:
    for number in range(1, pages + 1, 2):
        known = {
            "sha256": "ab" * 32,
            "size": 12_345,
            "etag": f'"{number}"',
            "last_modified": "Mon, 01 Jun 2026 10:00:00 GMT",
            "fetched_at": NOW - 90 * SECONDS_PER_DAY,
        }
        yield (pages + number, *(known.get(name, "") for name in DOWNLOAD_COLUMNS))


def _link(number: int) -> LinkRow:
    url = f"https://stat.example/section-{number % TEMPLATES}/page-{number}"
    return LinkRow(number, number * 7919, url, max(number // 30, 0), 3, status=LinkStatus.PAGE)


def _page(number: int, nights: int, chance: random.Random) -> PageHistory:
    first = NOW - 90 * SECONDS_PER_DAY
    gap = 90.0 / nights
    outcomes = [Outcome.NEW, *[Outcome.UNCHANGED] * (nights - 1)]
    if not number % 20:
        outcomes[1::3] = [Outcome.CHANGED] * len(outcomes[1::3])
    log = b""
    for night, outcome in enumerate(outcomes):
        targets = 2 if outcome is Outcome.CHANGED else 0
        at = first + night * gap * SECONDS_PER_DAY
        log = append_visit(log, Visit(at, gap, outcome, 2 * targets, targets))
    page = PageHistory(number, f"1 /section-{number % TEMPLATES}/*", first, log, at, at)
    links = pack_links(chance.getrandbits(64) for _ in range(LINKS_ON_A_PAGE))
    return replace(
        page,
        visit_count=nights,
        observed_days=90.0,
        outlinks=links,
        target_links=links[: 8 * (number % 5)],
        targets_listed=number % 5,
        new_targets=sum(outcome is Outcome.CHANGED for outcome in outcomes),
        depth=3,
    )


def _file(number: int, nights: int, chance: random.Random) -> FileHistory:
    first = NOW - 90 * SECONDS_PER_DAY
    log = b""
    for night in range(nights):
        outcome = Outcome.CHANGED if chance.random() < 0.05 else Outcome.UNCHANGED
        at = first + night * 9 * SECONDS_PER_DAY
        log = append_check(log, Visit(at, 9.0, outcome))
    return FileHistory(number, f"csv {number % TEMPLATES}", first, log, at, at, size=12_345)


def _resident() -> int:
    text = Path("/proc/self/statm").read_text(encoding="ascii")
    return int(text.split()[1]) * resource.getpagesize()


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
