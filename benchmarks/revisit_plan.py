"""Planning a night for many known pages, against the bare reading of their history from SQLite.

    python benchmarks/revisit_plan.py [--pages 100000] [--strategies tallyho,bandit]

Prints the ratio of the two times and the peak memory of the process.
"""

import argparse
import resource
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from crawler.config.revisit import RevisitConfig, RevisitStrategyName
from crawler.revisit.fingerprints import FINGERPRINT
from crawler.revisit.page_history import FileHistory, PageHistory, Validators
from crawler.revisit.plan import plan_night
from crawler.revisit.planner_state import PlannerState
from crawler.revisit.visit_log import CHECK, SECONDS_PER_DAY, VISIT, Outcome

NIGHTS = 60
START = 1_767_571_200.0
PAGE_FIELDS = tuple(PageHistory.__dataclass_fields__)
FILE_FIELDS = tuple(FileHistory.__dataclass_fields__)


def main() -> None:
    """Make a history, read it, plan with it."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--pages", type=int, default=100_000)
    arguments.add_argument("--files", type=int, default=30_000)
    arguments.add_argument("--strategies", default="tallyho")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "history.db"
        write(path, options.pages, options.files)
        database = sqlite3.connect(path)
        reading = min(timed(lambda: read_rows(database)) for _ in range(3))
        size = path.stat().st_size / 1e6
        print(f"{options.pages:,} pages: {size:.0f} MB, read in {reading:.2f} s")
        for name in map(RevisitStrategyName, options.strategies.split(",")):
            spent = min(timed(lambda name=name: plan(database, name)) for _ in range(2))
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
            print(f"{name:9} {spent:.2f} s, {spent / reading:.1f} times; peak {peak:.0f} MB")


def timed(work: Callable[[], None]) -> float:
    """Seconds that a call takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def read_rows(database: sqlite3.Connection) -> None:
    """What must be read, and nothing else."""
    for table in ("page", "file"):
        for _ in database.execute(f"SELECT * FROM {table}"):
            pass


def plan(database: sqlite3.Connection, name: RevisitStrategyName) -> None:
    """Read and plan, as a night does it."""
    files = [FileHistory(*row) for row in database.execute("SELECT * FROM file")]
    pages = (PageHistory(*row) for row in database.execute("SELECT * FROM page"))
    now = START + NIGHTS * SECONDS_PER_DAY
    state = PlannerState(nights=NIGHTS, last_night=now - SECONDS_PER_DAY)
    made = plan_night(pages, files, RevisitConfig(name=name), now, state)
    assert made.pages


def write(path: Path, pages: int, files: int) -> None:
    """A history as sixty nights of one visit in a hundred leave it."""
    database = sqlite3.connect(path)
    database.execute(f"CREATE TABLE page ({', '.join(PAGE_FIELDS)})")
    database.execute(f"CREATE TABLE file ({', '.join(FILE_FIELDS)})")
    rng = np.random.default_rng(1)
    database.executemany(
        f"INSERT INTO page VALUES ({', '.join('?' * len(PAGE_FIELDS))})", page_rows(pages, rng)
    )
    database.executemany(
        f"INSERT INTO file VALUES ({', '.join('?' * len(FILE_FIELDS))})", file_rows(files, rng)
    )
    database.commit()
    database.close()


def page_rows(count: int, rng: np.random.Generator) -> Iterator[tuple[object, ...]]:
    """Pages with 147 links each; a few are visited every night, most hardly ever."""
    frame = rng.integers(0, 2**63, 40, dtype=np.uint64)
    for number in range(count):
        nights = np.sort(rng.choice(NIGHTS, NIGHTS if number % 200 == 0 else rng.integers(0, 2)))
        log = np.zeros(len(nights) + 1, VISIT)
        log["at"][1:] = START + (1 + nights) * SECONDS_PER_DAY
        log["gap"][1:] = np.diff(np.concatenate([[0], nights + 1]))
        log["outcome"][1:] = Outcome.CHANGED
        log["at"][0] = START
        log["targets"][1:] = rng.random(len(nights)) < 0.1
        links = np.unique(np.concatenate([frame, rng.integers(0, 2**63, 107, dtype=np.uint64)]))
        targets = np.unique(rng.integers(0, 2**63, rng.integers(0, 6), dtype=np.uint64))
        page = PageHistory(
            number,
            f"template {number % 60}",
            START,
            visits=log.tobytes(),
            last_visit=float(log["at"][-1]),
            last_try=float(log["at"][-1]),
            visit_count=len(log),
            observed_days=float(log["gap"].sum()),
            outlinks=links.astype(FINGERPRINT).tobytes(),
            target_links=targets.astype(FINGERPRINT).tobytes(),
            targets_listed=len(targets),
            inlinks=1 + number % 7,
        )
        yield tuple(getattr(page, field) for field in PAGE_FIELDS)


def file_rows(count: int, rng: np.random.Generator) -> Iterator[tuple[object, ...]]:
    """Files checked every ten nights."""
    for number in range(count):
        log = np.zeros(6, CHECK)
        log["at"] = START + 10 * SECONDS_PER_DAY * np.arange(1, 7)
        log["gap"] = 10
        log["outcome"] = np.where(rng.random(6) < 0.1, Outcome.CHANGED, Outcome.UNCHANGED)
        file = FileHistory(
            number,
            f"csv {number % 20}",
            START,
            checks=log.tobytes(),
            last_check=float(log["at"][-1]),
            validators=Validators.ETAG,
        )
        yield tuple(getattr(file, field) for field in FILE_FIELDS)


if __name__ == "__main__":
    main()
