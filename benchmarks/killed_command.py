"""Commands of `tallyho` in processes of their own, killed at random moments and started again."""

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

# Most processes are forked from one that has everything imported, or each would start for seconds.
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(
    [
        "great_expectations",
        "crawler.cli",
        "crawler.cli.crawl",
        "crawler.cli.nightly",
        "crawler.cli.revisit",
        "crawler.cli.validate",
        "crawler.pipeline.validate.validator",
        "crawler.strategies.tallyho",
        "benchmarks.killed_command",
    ]
)
COLD_EVERY = 10
"""Every tenth process is a new interpreter, as a person would start it."""
COLD_SECONDS = 2.0
MAX_SECONDS = 300.0
"""A command that takes longer than this is called hanging."""


class CommandFailed(Exception):
    """A command ended with an exit code that is not 0, or did not end."""


class _Process(Protocol):
    @property
    def pid(self) -> int | None: ...

    def join(self, timeout: float | None = None) -> None: ...

    @property
    def exitcode(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Home:
    """Where a command reads its settings from and writes to."""

    path: Path
    sites: Path

    @property
    def environment(self) -> dict[str, str]:
        """The settings as variables."""
        return {"TALLYHO_HOME": str(self.path), "TALLYHO_SITES_DIR": str(self.sites)}


def run_command(environment: dict[str, str], arguments: tuple[str, ...], log: str) -> None:
    """The body of a forked process: the command itself, in a group of its own."""
    os.setsid()
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    os.environ.update(environment)
    from crawler.cli import app

    app(list(arguments), prog_name="tallyho")


class _Cold:
    """The same as a new interpreter."""

    def __init__(self, home: Home, arguments: tuple[str, ...], log: Path) -> None:
        with log.open("ab") as said:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "crawler", *arguments],
                env={**os.environ, **home.environment},
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
        self.pid = self._process.pid

    def join(self, timeout: float | None = None) -> None:
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            return

    @property
    def exitcode(self) -> int | None:
        return self._process.poll()


@dataclass
class KilledCommand:
    """One command in one home, started until it ends by itself."""

    home: Home
    arguments: tuple[str, ...]
    chance: random.Random
    log: Path
    kills: int = 0
    started: int = 0

    def to_its_end(self) -> float:
        """Run it without a kill; the seconds it took."""
        began = time.monotonic()
        process = self._start(cold=False)
        process.join(MAX_SECONDS)
        self._check(process)
        return time.monotonic() - began

    def until_it_ends(
        self, max_kills: int, max_delay: float, is_over: Callable[[], bool] = lambda: False
    ) -> None:
        """Kill it up to `max_kills` times, each after a random delay, then let it end.

        `is_over` is asked after each kill: where it holds, the command is not started again.
        """
        while self.kills < max_kills:
            cold = self.started % COLD_EVERY == COLD_EVERY - 1
            process = self._start(cold=cold)
            process.join(self.chance.uniform(0, max_delay + (COLD_SECONDS if cold else 0)))
            if process.exitcode is not None:
                self._check(process)
                return
            self._kill(process)
            self.kills += 1
            if is_over():
                return
        self.to_its_end()

    def _start(self, *, cold: bool) -> _Process:
        self.started += 1
        if cold:
            return _Cold(self.home, self.arguments, self.log)
        process = _PROCESSES.Process(
            target=run_command, args=(self.home.environment, self.arguments, str(self.log))
        )
        process.start()
        return process

    def _kill(self, process: _Process) -> None:
        assert process.pid is not None
        # Half of the kills end the command alone: what it started must notice by itself.
        alone = self.chance.random() < 0.5
        try:
            if alone or os.getpgid(process.pid) != process.pid:
                os.kill(process.pid, signal.SIGKILL)
            else:
                os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.join()

    def _check(self, process: _Process) -> None:
        command = " ".join(self.arguments)
        if process.exitcode is None:
            self._kill(process)
            raise CommandFailed(f"{command} did not end in {MAX_SECONDS:g} seconds")
        if process.exitcode != 0:
            said = self.log.read_text(errors="replace")[-600:]
            raise CommandFailed(f"{command} ended with {process.exitcode}: {said}")
