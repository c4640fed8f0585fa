"""What safety costs: the same crawl and the same validation with it and without it.

    python -m benchmarks.safety [--pages 150] [--pairs 9] [--layers]

Without it: the catalog does not sync at every commit, state and catalog are not reconciled and
no thread watches the steps; files are not hashed on their way out, readers have no cell, share no
bound of memory, have none by what the file is, and measure no sheets. The product has no such
switch, so the parts are replaced here. `--layers` also takes off each layer alone.

Runs with and without take turns, and who comes first as well, each in a process of its own. What
counts is the processor time of a run and of everything that it started, as other work on the
machine changes that least; the ratio is the median over the pairs. The bounds are 1.15 for the
crawl and 1.25 for validation. Exit code 1: a bound was not held.
"""

import argparse
import ctypes
import json
import os
import resource
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks import without_safety
from crawler.catalog.db.group_sync import GroupSync
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
from crawler.validation import fork_server, pool
from crawler.validation.running import RUNNER

MAX_CRAWL, MAX_VALIDATION = 1.15, 1.25
NAME = "demo"
_SET_CHILD_SUBREAPER = 36
"""Of prctl, in linux/prctl.h."""
COLUMNS = ("work", "without", "processor time", "lowest and highest pair", "clock", "bound")


def without_sync() -> None:
    """The catalog is in the hands of the system between its checkpoints, as state files are."""
    GroupSync.sync = lambda _: None  # type: ignore[method-assign]


def without_reconciling() -> None:
    """State and catalog are not compared when a run starts."""
    crawl_loop.reconcile = lambda *_: Reconciled()


def without_step_watch() -> None:
    """Nothing is noted of the step in work, and no thread looks at it."""

    @contextmanager
    def unwatched(*_: object) -> Iterator[None]:
        yield

    StepWatch.working = unwatched  # type: ignore[method-assign,assignment]
    StepWatch.__enter__ = lambda self: self  # type: ignore[method-assign]
    StepWatch.__exit__ = lambda *_: None  # type: ignore[method-assign]


def without_hashing() -> None:
    """Files are opened as they are."""
    LocalFolder.open = LocalFolder.open_unchecked  # type: ignore[method-assign]


def without_shared_memory() -> None:
    """Readers do not wait for each other."""

    class Unbounded:
        @contextmanager
        def held(self, *_: object, **__: object) -> Iterator[None]:
            yield

    pool.ReaderMemory = Unbounded  # type: ignore[assignment,misc]


def readers_without(layer: str) -> Callable[[], None]:
    """Readers that are forked without this layer."""

    def take_off() -> None:
        before = fork_server._ENVIRONMENT.get(without_safety.VARIABLE, "")
        fork_server._ENVIRONMENT[without_safety.VARIABLE] = f"{before} {layer}"
        preloaded = (*pool.READERS, without_safety.__name__)
        pool.ReadingPool.__init__.__kwdefaults__["preload"] = preloaded

    return take_off


OF_CRAWL = {
    "sync at every commit of the catalog": without_sync,
    "comparing state and catalog": without_reconciling,
    "watch over steps": without_step_watch,
}
OF_VALIDATION = {
    "hashes on the way out": without_hashing,
    "memory shared by all readers": without_shared_memory,
    "memory by the kind of file": readers_without(without_safety.MEMORY_OF_A_FILE),
    "cell of a reader": readers_without(without_safety.CELL),
    "measuring sheets": readers_without(without_safety.SHEETS),
}


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds of one run."""

    processor: float
    clock: float


def adopt_orphans() -> None:
    """Has processes whose parent died become children of this one, so that their time counts."""
    if ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise SystemExit("the processor time of readers cannot be collected")


def await_children() -> None:
    """Returns when everything that this process started has ended."""
    try:
        while True:
            os.wait()
    except ChildProcessError:
        return


def processor_seconds() -> float:
    """Of this process and of all that it started and saw end."""
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def measured(work: Callable[[], None], take_off: Callable[[], None]) -> Taken:
    """What the work takes in a process of its own, with what that starts."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            adopt_orphans()
            take_off()
            begin, before = time.monotonic(), processor_seconds()
            work()
            await_children()
            taken = (processor_seconds() - before, time.monotonic() - begin)
            os.write(writing, json.dumps(taken).encode())
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        raise SystemExit("a measured process failed")
    return Taken(*json.loads(text))


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


def pairs_of(
    work: Callable[[], None], take_off: Callable[[], None], count: int
) -> list[tuple[Taken, Taken]]:
    """Runs with and without, side by side; the second pair starts with the other one."""
    pairs = []
    for number in range(count):
        if number % 2:
            bare = measured(work, take_off)
            safe = measured(work, lambda: None)
        else:
            safe = measured(work, lambda: None)
            bare = measured(work, take_off)
        pairs.append((safe, bare))
    return pairs


def print_row(
    name: str, without: str, pairs: list[tuple[Taken, Taken]], bound: float | None
) -> float:
    """One row; gives the ratio of processor time."""
    ratios = sorted(safe.processor / bare.processor for safe, bare in pairs)
    clocks = [safe.clock / bare.clock for safe, bare in pairs]
    ratio = statistics.median(ratios)
    cells = (
        name,
        without,
        f"{ratio:.2f}",
        f"{ratios[0]:.2f} to {ratios[-1]:.2f}",
        f"{statistics.median(clocks):.2f}",
        f"{bound}" if bound else "",
    )
    sys.stdout.write(f"| {' | '.join(cells)} |\n")
    sys.stdout.flush()
    return ratio


def print_work(
    name: str,
    work: Callable[[], None],
    layers: dict[str, Callable[[], None]],
    bound: float,
    options: argparse.Namespace,
) -> bool:
    """The rows of one kind of work; whether all layers together are within their bound."""

    def without_all() -> None:
        for take_off in layers.values():
            take_off()

    work()
    ratio = print_row(name, "all of it", pairs_of(work, without_all, options.pairs), bound)
    for layer, take_off in layers.items() if options.layers else ():
        print_row(name, layer, pairs_of(work, take_off, options.pairs), None)
    return ratio <= bound


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


def main() -> int:
    """Print the table; 0 when both bounds are held."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=150)
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--layers", action="store_true")
    options = parser.parse_args()
    sys.stdout.write(f"| {' | '.join(COLUMNS)} |\n|---|---|{'---:|' * (len(COLUMNS) - 2)}\n")
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
        held = [
            print_work("crawl", lambda: crawl(site, home), OF_CRAWL, MAX_CRAWL, options),
            print_work(
                "validation", lambda: validate(site, home), OF_VALIDATION, MAX_VALIDATION, options
            ),
        ]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
