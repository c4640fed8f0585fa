"""Work in processes of its own: each piece in a new one, so that one that dies takes no other."""

import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from crawler.errors import TallyhoError

Work = TypeVar("Work")
Result = TypeVar("Result")

# A server that has imported everything once forks a process for each piece: with a start from
# nothing, importing would take longer than many a replay.
_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    [
        "crawler.lab.measured_run",
        "crawler.strategies.acebot",
        "crawler.strategies.focused",
    ]
)


Progress = Callable[[int, int, str], None]
"""Called after every piece: how many are done, how many there are, and what the last one was."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A piece of work of which nothing came, as people are told of it."""

    what: str
    reason: str


@dataclass(frozen=True, slots=True)
class Done(Generic[Work, Result]):
    """A piece of work and what came of it."""

    work: Work
    result: Result | None
    failure: str = ""
    """Why there is no result."""


def each_in_a_process(
    function: Callable[[Work], Result], pieces: Sequence[Work], jobs: int
) -> Iterator[Done[Work, Result]]:
    """The pieces as they are done, `jobs` at a time; a failure is reported and stops no other."""
    waiting = list(reversed(pieces))
    running: dict[Connection, tuple[Work, BaseProcess]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                work = waiting.pop()
                ours, theirs = _CONTEXT.Pipe(duplex=False)
                process: BaseProcess = _CONTEXT.Process(
                    target=_work, args=(function, work, theirs), daemon=True
                )
                process.start()
                theirs.close()
                running[ours] = work, process
            for ready in wait(list(running)):
                assert isinstance(ready, Connection)  # noqa: S101
                yield _received(ready, *running.pop(ready))
    finally:
        for _, left in running.values():
            left.terminate()


def results_of(
    function: Callable[[Work], Result],
    pieces: Sequence[Work],
    jobs: int,
    on_run: Progress | None = None,
) -> tuple[dict[Work, Result], list[Failure]]:
    """What came of the pieces, and those of which nothing came; `str` of a piece is its name."""
    results: dict[Work, Result] = {}
    failures: list[Failure] = []
    for number, done in enumerate(each_in_a_process(function, pieces, jobs), 1):
        what = str(done.work)
        if done.result is None:
            failures.append(Failure(what, done.failure))
        else:
            results[done.work] = done.result
        if on_run is not None:
            on_run(number, len(pieces), what)
    return results, failures


def _received(pipe: Connection, work: Work, process: BaseProcess) -> Done[Work, Result]:
    try:
        result, failure = pipe.recv()
    except EOFError:
        process.join()
        result, failure = None, f"its process died (exit code {process.exitcode})"
    pipe.close()
    process.join()
    return Done(work, result, failure)


def _work(function: Callable[[Work], Result], work: Work, pipe: Connection) -> None:
    # Ctrl-C reaches the whole group of processes; the one that started us ends us then.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        pipe.send((function(work), ""))
    except TallyhoError as error:
        pipe.send((None, str(error)))
    except MemoryError:
        pipe.send((None, "not enough memory"))
    except Exception as error:  # whatever it is, it is this piece's own, and it is reported
        pipe.send((None, f"{type(error).__name__}: {error}"))
