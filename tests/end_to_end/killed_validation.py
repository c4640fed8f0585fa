"""Validations in processes of their own, killed with all their children at random moments."""

import multiprocessing
import os
import signal
import sqlite3
import time
from pathlib import Path
from typing import Any

from tests.pipeline.acquired import BIRTHS, FEWER, PAGE, Acquired

# Children are forked from a process that has everything imported, or each would take long to begin.
FORKSERVER = multiprocessing.get_context("forkserver")
FORKSERVER.set_forkserver_preload(
    ["great_expectations", "crawler.cli", "crawler.pipeline.validate.batches"]
)

SITE = "office"


def fill(acquired: Acquired, files: int) -> None:
    """Files of every verdict, some of them with a second version that lost rows."""
    kinds = {"table": BIRTHS, "page": PAGE, "empty": b"", "prose": b"It was a long year.\n" * 40}
    for number in range(files):
        name = list(kinds)[number % len(kinds)]
        body = kinds[name] and kinds[name] + f"\nNord,2026,{number}".encode()
        acquired.keep(f"{name}-{number}.csv", body, site=SITE)
    for number in range(0, files, 10):
        body = FEWER + f"\nNord,2026,{number}".encode()
        acquired.keep(f"table-{number // 4 * 4}.csv", body, site=SITE, night=1)


def command(home: Path, sites: Path, *options: str) -> None:
    """The body of a validating process: the command itself, in a group of its own."""
    from crawler.cli import app

    os.setsid()
    os.environ.update({"TALLYHO_HOME": str(home), "TALLYHO_SITES_DIR": str(sites)})
    app(["validate", *options], prog_name="tallyho")


class Validation:
    """Starts, kills and finishes validations of one home."""

    def __init__(self, acquired: Acquired) -> None:
        self._home = acquired.settings.home
        self._arguments = (self._home, acquired.settings.sites_dir, "--jobs", "2")

    def start(self) -> Any:
        """A validating process."""
        process = FORKSERVER.Process(target=command, args=self._arguments)
        process.start()
        return process

    def to_the_end(self) -> None:
        """Validate until nothing is left."""
        process = self.start()
        process.join()
        assert process.exitcode == 0

    def kill(self, verdicts: int, pause: float) -> None:
        """Kill it with all its children some time after there are so many verdicts."""
        process = self._running(verdicts)
        time.sleep(pause)
        os.killpg(process.pid, signal.SIGKILL)
        process.join()
        assert process.exitcode == -signal.SIGKILL, "it was over before it was killed"

    def interrupt(self, verdicts: int) -> int:
        """Press Ctrl-C once when there are so many verdicts; the exit code."""
        process = self._running(verdicts)
        os.kill(process.pid, signal.SIGINT)
        process.join()
        return int(process.exitcode)

    def _running(self, verdicts: int) -> Any:
        process = self.start()
        while process.is_alive() and os.getpgid(process.pid) != process.pid:
            time.sleep(0.001)
        while process.is_alive() and self.judged() < verdicts:
            time.sleep(0.005)
        return process

    def judged(self) -> int:
        """How many versions have a verdict now."""
        return len(self.verdicts())

    def verdicts(self) -> list[tuple[Any, ...]]:
        """All that was said of each version, but when."""
        database = sqlite3.connect(self._home / "catalog.db", timeout=30)
        try:
            return database.execute(
                "SELECT version_id, verdict, kind, rows, columns, column_names, checks, reasons, "
                "profile, data_docs FROM verdict ORDER BY version_id"
            ).fetchall()
        finally:
            database.close()
