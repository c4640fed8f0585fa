"""Validation in a process beside the crawls: judging takes the processor, and imports a lot.

In the process that crawls two hundred sites it would make all of them wait.
"""

import multiprocessing
import os
import signal
from collections.abc import Collection, Sequence
from multiprocessing.connection import Connection
from typing import Self

from crawler.config.settings import Settings
from crawler.errors import StorageError, TallyhoError
from crawler.metrics.meter import flush_metrics
from crawler.pipeline.validate.batches import validate_versions
from crawler.pipeline.validate.summary import ValidationSummary


class ValidationProcess:
    """Judges batches one after the other; started by the first, ended with the `with`."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._cores = os.sched_getaffinity(0)
        self._process: multiprocessing.process.BaseProcess | None = None
        self._line: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Ends it also in the middle of a batch: what has no verdict gets it the next night."""
        if self._process is not None:
            self._process.terminate()

    def validate(self, version_ids: Sequence[int]) -> ValidationSummary:
        """The verdicts on these versions, counted; StorageError when the process died."""
        line = self._line or self._started()
        try:
            line.send(list(version_ids))
            answer = line.recv()
        except (EOFError, OSError) as error:
            self._line = None
            raise StorageError("the process that validates has died") from error
        if isinstance(answer, Exception):
            raise answer
        summary: ValidationSummary = answer
        return summary

    def _started(self) -> Connection:
        start = multiprocessing.get_context("spawn")
        self._line, theirs = start.Pipe()
        self._process = start.Process(
            target=_serve,
            args=(theirs, self._settings, self._cores),
            name="validation",
            daemon=True,
        )
        self._process.start()
        theirs.close()
        return self._line


def _serve(line: Connection, settings: Settings, cores: Collection[int]) -> None:
    # The crawls keep to one core, and who is started by them would, too.
    os.sched_setaffinity(0, cores)
    # Ctrl-C goes to every process of the terminal; this one is ended by the one that asks.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            batch = line.recv()
        except EOFError:
            return
        answer = _answer(settings, batch)
        flush_metrics()  # before the answer: after the last one this process is ended at once
        line.send(answer)


def _answer(settings: Settings, batch: list[int]) -> ValidationSummary | Exception:
    try:
        return validate_versions(settings, batch)
    except TallyhoError as error:
        return error
    except Exception as error:
        return TallyhoError(f"{type(error).__name__}: {error}")
