"""Many sites at once in one process: how near to the ideal, how polite, how much memory.

`python -m benchmarks.many_sites` crawls 200 sites of this machine for ten minutes with
`tallyho nightly --at-once`, each with one second of delay, three of them bad, and then a few of the
same sites with one process each.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from benchmarks.many_servers import BAD, PORT, address_of

DELAY = 1.0
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Cost:
    """What processes took."""

    processor_seconds: float
    peak_mb: float
    """Of all of them together, what they share counted once per process."""
    seconds_to_stop: float


@dataclass(frozen=True)
class Seen:
    """What the servers saw of the good sites."""

    sites: int
    requests: int
    ideal: float
    """From the first request of any site to the last, each site asked once a delay."""
    smallest_gap: float
    slowest: float
    """The share of its own ideal that the worst site reached."""


def main() -> None:
    """Measure, and print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--processes", type=int, default=20, help="Sites with a process each.")
    options = parser.parse_args()
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        one = measure(folder / "one", options.sites, options.seconds, at_once=True)
        # One good site at least, beside those that misbehave.
        few = min(max(options.processes, len(BAD) + 1), options.sites)
        alone = measure(folder / "many", few, min(options.seconds, 60), at_once=False)
    _print("one process", options.sites, *one)
    _print("a process each", few, *alone)
    base = alone[1].peak_mb / few
    each = (one[1].peak_mb - base) / (options.sites - 1)
    print(f"memory of a site beyond the process: {each:.1f} MB")
    print(f"load after: {os.getloadavg()[0]:.1f}")


def measure(folder: Path, sites: int, seconds: float, *, at_once: bool) -> tuple[Seen, Cost, str]:
    """Crawl this many sites for this long; what the servers saw, what it took, who was blamed."""
    (folder / "sites").mkdir(parents=True)
    for site in range(sites):
        (folder / "sites" / f"s{site:03}.yaml").write_text(
            f"start_url: http://{address_of(site)}:{PORT}/\n"
            "allow_private_hosts: true\nearly_stopping: false\n"
            f"politeness: {{delay: {DELAY}}}\nlimits: {{timeout: 20}}\n"
        )
    with _servers(folder / "arrivals.json", sites, seconds / 2):
        names = [f"s{site:03}" for site in range(sites)]
        if at_once:
            commands = [["nightly", "--at-once", str(sites), *names]]
        else:
            commands = [["nightly", name] for name in names]
        cost, said = _run(folder, commands, seconds)
    arrivals = json.loads((folder / "arrivals.json").read_text())
    return _seen(arrivals), cost, said


@contextmanager
def _servers(log: Path, sites: int, dies_after: float) -> Iterator[None]:
    command = [sys.executable, "-m", "benchmarks.many_servers", log, sites, dies_after]
    process = subprocess.Popen([str(part) for part in command])
    try:
        while not log.exists():
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


def _run(folder: Path, commands: list[list[str]], seconds: float) -> tuple[Cost, str]:
    environment = os.environ | {
        "TALLYHO_HOME": str(folder / "home"),
        "TALLYHO_SITES_DIR": str(folder / "sites"),
    }
    logs = [folder / f"log{number}" for number in range(len(commands))]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "crawler", *command],
            env=environment,
            stdout=log.open("wb"),
            stderr=subprocess.STDOUT,
        )
        for command, log in zip(commands, logs, strict=True)
    ]
    end, peak, used = time.monotonic() + seconds, 0.0, 0.0
    while time.monotonic() < end:
        time.sleep(min(2.0, max(end - time.monotonic(), 0.01)))
        peak = max(peak, sum(_memory(process.pid) for process in running))
        used = max(used, sum(_processor(process.pid) for process in running))
    stopped = time.monotonic()
    for process in running:
        process.send_signal(signal.SIGINT)
    codes = {process.wait() for process in running}
    took = time.monotonic() - stopped
    said = "".join(log.read_text(errors="replace") for log in logs)
    print(f"{len(running)} processes ended with {sorted(codes)}")
    return Cost(used, peak, took), said


def _memory(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:
        return 0.0
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _processor(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _seen(arrivals: list[list[float]]) -> Seen:
    good = [sorted(times) for times in arrivals[len(BAD) :]]
    begin, end = min(times[0] for times in good), max(times[-1] for times in good)
    ideal = (end - begin) / DELAY + 1
    gaps = [later - earlier for times in good for earlier, later in pairwise(times)]
    return Seen(
        sites=len(good),
        requests=sum(map(len, good)),
        ideal=ideal * len(good),
        smallest_gap=min(gaps),
        slowest=min(len(times) for times in good) / ideal,
    )


def _print(what: str, sites: int, seen: Seen, cost: Cost, said: str) -> None:
    failed = [line for line in said.splitlines() if "failed" in line]
    print(f"\n{what}: {sites} sites, of which one {', one '.join(BAD)}")
    print(f"  requests          {seen.requests:,} of {seen.ideal:,.0f}: ", end="")
    print(f"{seen.requests / seen.ideal:.3f} of the ideal; the slowest site {seen.slowest:.3f}")
    print(f"  smallest gap      {seen.smallest_gap:.4f} s of {DELAY} s")
    print(f"  processor         {1000 * cost.processor_seconds / seen.requests:.1f} ms a request")
    print(f"  memory            {cost.peak_mb:.0f} MB, {cost.peak_mb / sites:.1f} MB a site")
    print(f"  Ctrl-C            {cost.seconds_to_stop:.1f} s until the end")
    for line in failed[:5]:
        print(f"  said              {line[:150]}")


if __name__ == "__main__":
    main()
