"""How long Ctrl-C takes to end a command, at any moment of it.

    python -m benchmarks.interrupts [--times 15] [--seed 1]

`tallyho crawl` works on a demo site, on one whose answers dribble in, and on pages with very many
links; `tallyho validate` checks again what was crawled. Each is interrupted at random moments, from
its start on. A row says how long it then took to end, and with which exit codes: 130 is the one of
the table, 0 that it was done already. The aim is two seconds; a busy machine needs longer.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import yaml

from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site

AIM = 2.0
LATEST = 6.0
"""Seconds after the start within which the signal comes."""
LINKS = 20_000


@dataclass(slots=True)
class Measured:
    """The interruptions of one command."""

    seconds: list[float] = field(default_factory=list)
    codes: Counter[int] = field(default_factory=Counter)
    tracebacks: int = 0


class Dribbling(BaseHTTPRequestHandler):
    """A site of pages with very many links, and of one file that never ends."""

    def do_GET(self) -> None:
        """Answers with a page, or with a byte now and then."""
        is_file = self.path.endswith(".csv")
        body = b"" if is_file else self._page()
        self.send_response(404 if self.path == "/robots.txt" else 200)
        self.send_header("Content-Type", "text/csv" if is_file else "text/html")
        self.send_header("Content-Length", str(10_000 if is_file else len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
            for _ in range(10_000 if is_file else 0):
                self.wfile.write(b"1")
                time.sleep(0.2)
        except OSError:
            return

    def log_message(self, *_: object) -> None:
        """Prints nothing."""

    def _page(self) -> bytes:
        own = self.path.strip("/").replace("/", "-")
        links = "".join(f'<p class="c{n}"><a href="/{own}{n}/">{n}</a></p>' for n in range(LINKS))
        # The last page before the file that dribbles in.
        first = '<a href="/slow.csv">data</a>' if len(self.path) > 3 else ""
        return f"<html><body>{first}{links}</body></html>".encode()


@contextmanager
def dribbling_site() -> Iterator[str]:
    """Serves it on a free port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Dribbling)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


class Desk:
    """A folder with site files, and commands that work there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "sites").mkdir()

    def describe(self, name: str, base: str, delay: float) -> None:
        """Writes the file of a site."""
        site = {
            "start_url": f"{base}/",
            "allow_private_hosts": True,
            "politeness": {"delay": delay},
            "early_stopping": False,
        }
        (self._folder / "sites" / f"{name}.yaml").write_text(yaml.safe_dump(site))

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        """A command in a process of its own."""
        others = {k: v for k, v in os.environ.items() if not k.startswith("TALLYHO_")}
        places = {
            "TALLYHO_HOME": str(self._folder / "home"),
            "TALLYHO_SITES_DIR": str(self._folder / "sites"),
        }
        return subprocess.Popen(
            [sys.executable, "-m", "crawler", *arguments],
            env=others | places,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def interrupt(self, after: float, measured: Measured, *arguments: str) -> None:
        """Starts a command, interrupts it, and notes what came of it."""
        process = self.start(*arguments)
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        _, said = process.communicate()
        measured.seconds.append(time.monotonic() - begin)
        measured.codes[process.returncode] += 1
        measured.tracebacks += "Traceback" in said


def measure(desk: Desk, times: int, chance: random.Random, *arguments: str) -> Measured:
    """A command interrupted at random moments."""
    measured = Measured()
    for _ in range(times):
        desk.interrupt(chance.uniform(0.05, LATEST), measured, *arguments)
    return measured


def print_row(name: str, measured: Measured) -> None:
    """One line of the table."""
    seconds = sorted(measured.seconds)
    codes = ", ".join(f"{code}: {count}" for code, count in sorted(measured.codes.items()))
    sys.stdout.write(
        f"| {name} | {len(seconds)} | {seconds[len(seconds) // 2]:.2f} | {seconds[-1]:.2f}"
        f" | {sum(second > AIM for second in seconds)} | {codes} | {measured.tracebacks} |\n"
    )
    sys.stdout.flush()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=15, help="interruptions of each command")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    columns = ("command", "times", "median s", "max s", f"over {AIM:g} s", "exit", "tracebacks")
    sys.stdout.write(f"| {' | '.join(columns)} |\n|---|{'---:|' * (len(columns) - 1)}\n")
    with (
        tempfile.TemporaryDirectory() as name,
        running_site(demo_site(pages=150)) as demo,
        dribbling_site() as slow,
    ):
        desk = Desk(Path(name))
        desk.describe("polite", demo, delay=1.0)
        desk.describe("quick", demo, delay=0.0)
        desk.describe("slow", slow, delay=0.0)
        for site in ("polite", "slow", "quick"):
            print_row(f"crawl, {site}", measure(desk, options.times, chance, "crawl", site))
        desk.start("crawl", "quick").communicate()
        checks = measure(desk, options.times, chance, "validate", "quick", "--all")
        print_row("validate", checks)


if __name__ == "__main__":
    main()
