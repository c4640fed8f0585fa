"""Page bombs and robots.txt bombs, one by one: what each costs, and how fast Ctrl-C ends it.

    python -m benchmarks.bombs [--only NAME] [--seed 14]

Each bomb is served on 127.0.0.1 and crawled twice by `tallyho crawl`: once to its end, and once
with Ctrl-C at a random moment after the bomb was asked for, which is then finished by a third run.
Printed are the seconds and the highest memory of the process in the first crawl, and the seconds
from Ctrl-C to its end in the second. Exit code 1 where a file is missing in the end.
"""

import argparse
import multiprocessing
import os
import random
import re
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path

import yaml

from benchmarks.killed_command import run_command
from crawler.lab.server import running_site
from tests.hostile import page_bombs, robots_bombs
from tests.hostile.bombed_site import Bombed, bombed_pages, bombed_robots

# Forked from a process that has the command imported, and little else.
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(
    ["benchmarks.killed_command", "crawler.cli.crawl", "crawler.strategies.tallyho"]
)
SITE = "bombed"
MAX_SECONDS = 300.0
MAX_PAUSE = 1.0
"""Seconds after the request for the bomb within which Ctrl-C comes."""
_HIGH_WATER = re.compile(r"VmHWM:\s+(\d+) kB")


@dataclass(frozen=True, slots=True)
class Case:
    """A bombed site, and the path that is the bomb."""

    name: str
    bombed: Bombed
    path: str


@dataclass(frozen=True, slots=True)
class Measured:
    """What one bomb cost."""

    name: str
    seconds: float
    memory: int
    stopped_in: float | None
    """Seconds from Ctrl-C to the end; None when the crawl was over before."""
    missing: int


def cases(only: str) -> Iterator[Case]:
    """All bombs, made one after the other."""
    for group in page_bombs.GROUPS.values():
        for bomb in group:
            if only in bomb.name:
                yield Case(bomb.name, bombed_pages([bomb]), f"/bomb/{bomb.name}")
    for robots in robots_bombs.BOMBS:
        name = f"robots: {robots.name}"
        if only in name:
            yield Case(name, bombed_robots(robots), "/robots.txt")


class Crawl:
    """`tallyho crawl` of the bombed site into one home."""

    def __init__(self, folder: Path, base: str) -> None:
        self._folder = folder
        sites = folder / "sites"
        sites.mkdir(parents=True)
        site = {
            "start_url": f"{base}/",
            "allow_private_hosts": True,
            "politeness": {"delay": 0, "retries": 0},
            "early_stopping": False,
        }
        (sites / f"{SITE}.yaml").write_text(yaml.safe_dump(site))
        self._environment = {
            "TALLYHO_HOME": str(folder / "home"),
            "TALLYHO_SITES_DIR": str(sites),
        }

    def start(self) -> BaseProcess:
        """The command in a process of its own."""
        arguments = (self._environment, ("crawl", SITE), os.devnull)
        process = _PROCESSES.Process(target=run_command, args=arguments)
        process.start()
        return process

    def to_its_end(self) -> int:
        """Run it to its end; the highest memory that was seen."""
        process, highest, end = self.start(), 0, time.monotonic() + MAX_SECONDS
        while process.is_alive() and time.monotonic() < end:
            highest = max(highest, _high_water(process.pid))
            time.sleep(0.02)
        process.kill()
        process.join()
        return highest

    def stopped_in(self, log: Path, path: str, pause: float) -> float | None:
        """Seconds from Ctrl-C, which comes so long after the request, to the end of the command."""
        process, end = self.start(), time.monotonic() + MAX_SECONDS
        while process.is_alive() and time.monotonic() < end and not _is_asked(log, path):
            time.sleep(0.005)
        time.sleep(pause)
        if process.pid is None or not process.is_alive():
            return None
        began = time.monotonic()
        os.kill(process.pid, signal.SIGINT)
        process.join(MAX_SECONDS)
        stopped_in = time.monotonic() - began
        process.kill()
        process.join()
        return stopped_in

    def kept(self) -> frozenset[str]:
        """Paths of the files that were acquired."""
        manifest = self._folder / "home" / "manifests" / f"{SITE}.jsonl"
        text = manifest.read_text() if manifest.exists() else ""
        return frozenset(re.findall(r'"url": ?"http://[^/"]+([^"]*)"', text))


def measure(case: Case, folder: Path, chance: random.Random) -> Measured:
    """Crawl one bombed site twice."""
    log = folder / "access.jsonl"
    with running_site(case.bombed.site, log) as base:
        whole, stopped = Crawl(folder / "whole", base), Crawl(folder / "stopped", base)
        began = time.monotonic()
        memory = whole.to_its_end()
        seconds = time.monotonic() - began
        log.write_bytes(b"")
        stopped_in = stopped.stopped_in(log, case.path, chance.uniform(0, MAX_PAUSE))
        stopped.to_its_end()
    missing = len(case.bombed.files - whole.kept()) + len(case.bombed.files - stopped.kept())
    return Measured(case.name, seconds, memory, stopped_in, missing)


def _high_water(pid: int | None) -> int:
    try:
        match = _HIGH_WATER.search(Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(match[1]) * 1024 if match else 0


def _is_asked(log: Path, path: str) -> bool:
    return log.exists() and f'"{path}"' in log.read_text()


def main() -> int:
    """Exit code 0 when every file came home."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", default="", help="Bombs whose name contains this.")
    parser.add_argument("--seed", type=int, default=14)
    options = parser.parse_args()
    chance, every = random.Random(options.seed), []
    print(f"{'bomb':<44} {'s':>6} {'MB':>6} {'Ctrl-C s':>9}")
    for case in cases(options.only):
        with tempfile.TemporaryDirectory(prefix="bombs-") as folder:
            one = measure(case, Path(folder), chance)
        every.append(one)
        stop = "" if one.stopped_in is None else f"{one.stopped_in:9.2f}"
        lost = f"  {one.missing} files missing" if one.missing else ""
        print(
            f"{one.name:<44} {one.seconds:6.1f} {one.memory / 1e6:6.0f} {stop:>9}{lost}", flush=True
        )
    stops = [one.stopped_in for one in every if one.stopped_in is not None]
    if stops:
        median, longest = statistics.median(stops), max(stops)
        print(f"Ctrl-C within {len(stops)} crawls: median {median:.2f} s, longest {longest:.2f} s")
    if every:
        print(f"highest memory: {max(one.memory for one in every) / 1e6:.0f} MB")
    return 1 if any(one.missing for one in every) else 0


if __name__ == "__main__":
    sys.exit(main())
