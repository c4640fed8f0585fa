"""The progress of a validation on standard error: a bar on a terminal, plain lines else."""

import sys
import time
from collections.abc import Callable
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

from crawler.cli.output import clean, count, duration, shortened, tell, write_at_once
from crawler.pipeline.validate.summary import ValidationSummary

LINE_SECONDS = 10.0
_STOPPING = "stopping; files in work are checked the next time; press Ctrl-C again to stop at once"


def progress_for(total: int) -> "PlainLines":
    """A bar when standard error is a terminal that can show one, else plain lines."""
    if total and sys.stderr.isatty():
        console = Console(stderr=True)
        if not console.is_dumb_terminal:
            return Bar(total, console)
    return PlainLines(total)


class PlainLines:
    """One line at the start and one every ten seconds."""

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._total = total
        self._clock = clock
        self._started = self._reported_at = clock()
        self._read = 0

    def __enter__(self) -> Self:
        if self._total:
            tell(f"checking {count(self._total, 'file')}")
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def read(self, address: str) -> None:  # noqa: ARG002 - a bar shows it
        """A file was read."""
        self._read += 1
        now = self._clock()
        if now - self._reported_at >= LINE_SECONDS:
            self._reported_at = now
            took = duration(now - self._started)
            tell(f"read {self._read:,} of {self._total:,} in {took}")

    def judged(self, summary: ValidationSummary) -> None:
        """Some verdicts are in the catalog; the summary says it."""

    def stopping(self) -> None:
        """Say so from within a signal handler."""
        write_at_once(f"{_STOPPING}\n")


class Bar(PlainLines):
    """How many files were read, how many of each verdict there are, which file was the last."""

    def __init__(self, total: int, console: Console) -> None:
        super().__init__(total)
        self._counts: dict[str, int] = {}
        self._bar = RichProgress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            # No markup: an address such as "[red]" is no style.
            TextColumn("{task.fields[text]}", markup=False),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task("checking", total=total, text="")
        self._width = max(console.width - 70, 20)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def read(self, address: str) -> None:
        """A file was read."""
        counts = ", ".join(f"{number:,} {verdict}" for verdict, number in self._counts.items())
        text = counts or clean(shortened(address, self._width))
        self._bar.update(self._task, advance=1, text=text)

    def judged(self, summary: ValidationSummary) -> None:
        """Some verdicts are in the catalog."""
        for verdict, number in summary.verdicts.items():
            self._counts[verdict.value] = self._counts.get(verdict.value, 0) + number

    def stopping(self) -> None:
        """Say so from within a signal handler: over the line of the bar."""
        write_at_once(f"\r\x1b[2K{_STOPPING}\r\n")
