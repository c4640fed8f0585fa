"""What safety costs: the same crawl and the same validation with it and without it.

    python -m benchmarks.safety [--pages 150] [--runs 3]

Without it: the catalog does not sync at every commit, state and catalog are not reconciled and
no thread watches the steps; files are not hashed on their way out, readers have no cell, share no
bound of memory and measure no sheets. The product has no such switch, so the parts are replaced
here. Both take turns, each in a process of its own; the shortest of the runs counts. The bounds are
1.15 for the crawl and 1.25 for validation. On a busy machine the ratio of processor time is the
more reliable one.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from crawler.catalog.db import connecting
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site
from crawler.pipeline.crawl import crawl_loop
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.crawl.reconcile import Reconciled
from crawler.pipeline.crawl.step_watch import StepWatch
from crawler.pipeline.validate.batches import pending_batches
from crawler.pipeline.validate.validator import open_validator
from crawler.storage.local_folder import LocalFolder
from crawler.validation import pool
from crawler.validation.running import RUNNER

MAX_CRAWL, MAX_VALIDATION = 1.15, 1.25
NAME = "demo"


def without_crawl_safety() -> None:
    """Takes the crawl's safety off, in this process."""
    prepared = connecting.prepare_sqlite

    def prepare(engine: Any) -> None:
        from sqlalchemy import event

        prepared(engine)

        @event.listens_for(engine, "connect")
        def connected(connection: Any, _record: object) -> None:
            connection.execute("PRAGMA synchronous = NORMAL")

    for module in list(sys.modules.values()):
        if getattr(module, "prepare_sqlite", None) is prepared:
            module.prepare_sqlite = prepare  # type: ignore[attr-defined]
    crawl_loop.reconcile = lambda *_: Reconciled()
    StepWatch._look = lambda _: None  # type: ignore[method-assign]


def without_reader_safety() -> None:
    """Takes the readers' safety off, in this process and those that it starts."""

    class Unbounded:
        @contextmanager
        def held(self, *_: object, **__: object) -> Iterator[None]:
            yield

    pool.READERS = (*pool.READERS, "benchmarks.without_safety")
    pool.ReadingPool.__init__.__kwdefaults__["preload"] = pool.READERS
    pool.ReaderMemory = Unbounded  # type: ignore[assignment,misc]
    LocalFolder.open = LocalFolder.open_unchecked  # type: ignore[method-assign]


def measured(work: Callable[[], None], prepare: Callable[[], None]) -> tuple[float, float]:
    """Seconds of the clock and of the processor that the work takes in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            prepare()
            begin, before = time.monotonic(), sum(os.times()[:4])
            work()
            taken = (time.monotonic() - begin, sum(os.times()[:4]) - before)
            os.write(writing, json.dumps(taken).encode())
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        raise SystemExit("a measured process failed")
    clock, processor = json.loads(text)
    return clock, processor


def crawl(site: SiteConfig, home: Path) -> None:
    """The whole site, from nothing."""
    shutil.rmtree(home, ignore_errors=True)
    acquire(site, Settings(home=home))


def validate(site: SiteConfig, home: Path) -> None:
    """Every file of the catalog, whether it has a verdict or not."""
    settings = Settings(home=home)
    batches = pending_batches(settings, everything=True)
    with open_validator(settings, jobs=1, sites=[site]) as validator:
        for batch in batches:
            validator.validate(batch, again=True)


def print_row(
    name: str, work: Callable[[], None], take_off: Callable[[], None], runs: int, most: float
) -> None:
    """One row: the shortest runs with and without safety, in turns."""
    safe: list[tuple[float, float]] = []
    bare: list[tuple[float, float]] = []
    for _ in range(runs):
        bare.append(measured(work, take_off))
        safe.append(measured(work, lambda: None))
    clocks = [min(clock for clock, _ in taken) for taken in (safe, bare)]
    processors = [min(processor for _, processor in taken) for taken in (safe, bare)]
    sys.stdout.write(
        f"| {name} | {clocks[0]:.2f} | {clocks[1]:.2f} | {clocks[0] / clocks[1]:.2f}"
        f" | {processors[0] / processors[1]:.2f} | {most} |\n"
    )
    sys.stdout.flush()


@contextmanager
def served(pages: int) -> Iterator[str]:
    """The demo site, served by a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with running_site(demo_site(pages=pages)) as base:
            os.write(writing, f"{base}\n".encode())
            threading.Event().wait()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as address:
        base = address.readline().strip()
    try:
        yield base
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=150)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    columns = ("work", "with, s", "without, s", "ratio", "of processor time", "bound")
    sys.stdout.write(f"| {' | '.join(columns)} |\n|---|{'---:|' * (len(columns) - 1)}\n")
    with served(options.pages) as base, tempfile.TemporaryDirectory() as name:
        home = Path(name) / "home"
        site = SiteConfig.model_validate(
            {
                "start_url": f"{base}/",
                "name": NAME,
                "allow_private_hosts": True,
                "politeness": {"delay": 0, "contact": "me@example.org"},
            }
        )
        # Imported before anything is measured, as both need it.
        RUNNER.warm_up()
        print_row("crawl", lambda: crawl(site, home), without_crawl_safety, options.runs, MAX_CRAWL)
        crawl(site, home)
        print_row(
            "validation",
            lambda: validate(site, home),
            without_reader_safety,
            options.runs,
            MAX_VALIDATION,
        )


if __name__ == "__main__":
    main()
