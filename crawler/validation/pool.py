"""A pool of warm processes that read hostile files, each of which can be killed.

A file that hangs, eats memory or brings its reader down costs its own result and nothing else: one
process reads one file at a time, within the limits of `Bounds`, and a new one takes its place.
"""

import contextlib
import pickle
import queue
import re
import select
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from pathlib import Path
from typing import Generic, Self, TypeVar

from crawler.readers.bounds import Bounds
from crawler.readers.content import Trouble
from crawler.validation.answers import Answers
from crawler.validation.child_process import MAX_RESULT
from crawler.validation.confinement import LIMIT_SAID
from crawler.validation.failure import PoolFailure
from crawler.validation.fork_server import Child, Death, ForkServer, ForkServerLost
from crawler.validation.reader_memory import ReaderMemory, ReadersBusy
from crawler.validation.wire import HungUp, Overdue, TooLong, receive, send

READERS = (
    "pandas",
    "pyarrow.parquet",
    "lxml.etree",
    "python_calamine",
    "charset_normalizer",
    "pypdfium2",
    "pdfplumber",
    "py7zr",
)
"""Imported once, before the processes are forked."""

_OUT_OF_MEMORY = ("memory allocation of", "bad_alloc", "MemoryError", "Cannot allocate memory")
_ENDED_BY_ITSELF = frozenset({-signal.SIGABRT, -signal.SIGILL, -signal.SIGSEGV, -signal.SIGTRAP})
_FULL = 0.8
_LOOK_AROUND = 0.2
_ANSWER_HEAD = 4

_Place = tuple[ForkServer, Child]
Item = TypeVar("Item")
Result = TypeVar("Result")


class ReadingPool(Generic[Item, Result]):
    """Runs a task on items, `jobs` at a time; the task is a function that can be imported.

    Processes start when they are first needed. From threads, and within Airflow's tasks, it can be
    used like anywhere else; all its processes end with the one that made it.
    """

    def __init__(
        self,
        jobs: int,
        bounds: Bounds,
        task: Callable[[Item], Result],
        *,
        preload: Iterable[str] = READERS,
        readable: Iterable[Path] = (),
        memory: ReaderMemory | None = None,
        wait_seconds: float | None = None,
    ) -> None:
        """`readable` are the folders of the files; without any they may be anywhere.

        `memory` is what all readers of the machine share; a reader waits `wait_seconds` for its
        part of it, or for as long as it takes.
        """
        self._memory = memory or ReaderMemory()
        self._wait_seconds = wait_seconds
        self._answers = Answers(task)
        self._readable = tuple(path.absolute() for path in readable)
        self._jobs = max(1, jobs)
        self._bounds = bounds
        self._task = task
        self._preload = tuple(preload)
        self._lock = threading.Lock()
        self._fork_server: ForkServer | None = None
        self._idle: queue.LifoQueue[_Place | None] = queue.LifoQueue()
        for _ in range(self._jobs):
            self._idle.put(None)
        self._threads: ThreadPoolExecutor | None = None
        self._is_closed = False

    def run(self, item: Item) -> Result | PoolFailure:
        """The result for one item; waits for a process that is free.

        Raises `ReadersBusy` when other readers take all the memory for too long.
        """
        message = pickle.dumps(item, pickle.HIGHEST_PROTOCOL)
        place = self._idle.get()
        try:
            try:
                result, place = self._attempt(place, message)
            except ForkServerLost:
                # The process that forks was lost, for which the item is hardly to blame: again.
                place = None
                result, place = self._attempt(None, message)
        except (ForkServerLost, ReadersBusy):
            if not self._is_closed:
                raise
            return PoolFailure(Trouble.CRASHED, "the pool was closed")
        finally:
            self._idle.put(place)
        return result

    def submit(self, item: Item) -> "Future[Result | PoolFailure]":
        """The same in the background."""
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the pool is closed")
            if self._threads is None:
                self._threads = ThreadPoolExecutor(self._jobs, thread_name_prefix="reading")
            return self._threads.submit(self.run, item)

    def map_unordered(
        self, items: Iterable[Item], is_stopped: Callable[[], bool] = lambda: False
    ) -> Iterator[tuple[Item, Result | PoolFailure]]:
        """Each item with its result, as they come; items are taken as there is room for them.

        When it is stopped, the items in work are given up.
        """
        coming = iter(items)
        running: dict[Future[Result | PoolFailure], Item] = {}
        try:
            while True:
                for item in islice(coming, 2 * self._jobs - len(running)):
                    running[self.submit(item)] = item
                if not running or is_stopped():
                    return
                for future in wait(running, _LOOK_AROUND, FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        finally:
            for future in running:
                future.cancel()

    def warm_up(self) -> None:
        """Starts the imports now, in the background, for callers that do not want to wait later."""
        self._alive()

    def close(self) -> None:
        """Kills all processes; what was not finished comes back as a failure."""
        with self._lock:
            self._is_closed = True
            server, self._fork_server = self._fork_server, None
            threads = self._threads
        if server is not None:
            server.close()
        if threads is not None:
            threads.shutdown(wait=True, cancel_futures=True)
        with contextlib.suppress(queue.Empty):
            while True:
                if (place := self._idle.get_nowait()) is not None:
                    place[1].forget()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _alive(self) -> ForkServer:
        with self._lock:
            if self._is_closed:
                raise ForkServerLost("the pool is closed")
            if self._fork_server is None:
                self._fork_server = ForkServer(
                    self._task, self._preload, self._bounds, self._readable
                )
            return self._fork_server

    def _awake(self, place: _Place | None) -> _Place:
        """A process that waits for an item: the one given, or a new one if that is dead."""
        if place is not None:
            if not _is_readable(place[1]):
                return place
            # It said something without being asked: that it is gone.
            self._reaped(*place)
        server = self._alive()
        try:
            return server, server.fork()
        except ForkServerLost:
            self._drop(server)
            raise

    def _reaped(self, server: ForkServer, child: Child) -> Death:
        try:
            return server.reap(child)
        except ForkServerLost:
            self._drop(server)
            raise

    def _drop(self, server: ForkServer) -> None:
        with self._lock:
            if self._fork_server is server:
                self._fork_server = None
        server.close()

    def _attempt(
        self, place: _Place | None, message: bytes
    ) -> tuple[Result | PoolFailure, _Place | None]:
        with self._memory.held(
            self._bounds.memory, self._wait_seconds, is_given_up=lambda: self._is_closed
        ):
            return self._ask(*self._awake(place), message)

    def _ask(
        self, server: ForkServer, child: Child, message: bytes
    ) -> tuple[Result | PoolFailure, _Place | None]:
        """The result, and the process if it can take more work."""
        deadline = time.monotonic() + self._bounds.seconds
        try:
            send(child.connection, message, deadline)
            answer = receive(child.connection, deadline, MAX_RESULT + _ANSWER_HEAD)
        except Overdue:
            self._reaped(server, child)
            sentence = f"reading it took longer than {self._bounds.seconds:g} seconds"
            return PoolFailure(Trouble.TIMEOUT, sentence), None
        except TooLong:
            self._reaped(server, child)
            return PoolFailure(Trouble.TOO_LARGE, "its result is too long"), None
        except HungUp:
            said = child.last_words()
            return _of_death(self._reaped(server, child), said, self._bounds.memory), None
        is_last = answer[:_ANSWER_HEAD] == b"last"
        if is_last:
            self._reaped(server, child)
        result = self._answers.read(memoryview(answer)[_ANSWER_HEAD:])
        return result, None if is_last else (server, child)


def _is_readable(child: Child) -> bool:
    return bool(select.select([child.connection], [], [], 0)[0])


def _of_death(death: Death, said: str, memory: int) -> PoolFailure:
    if any(words in said for words in _OUT_OF_MEMORY) or _was_full(death, said, memory):
        return PoolFailure(Trouble.MEMORY, "reading it needs more memory than it may have")
    if death.code == -signal.SIGXCPU:
        return PoolFailure(Trouble.TIMEOUT, "reading it took more processor time than it may")
    if death.code < 0:
        with contextlib.suppress(ValueError):
            name = signal.Signals(-death.code).name
            return PoolFailure(Trouble.CRASHED, f"the process that read it died of {name}")
    return PoolFailure(Trouble.CRASHED, f"the process that read it ended with code {death.code}")


def _was_full(death: Death, said: str, memory: int) -> bool:
    """Whether a process died of a library that ends it without a word when memory is refused."""
    if death.code not in _ENDED_BY_ITSELF:
        return False
    if limits := re.findall(rf"{LIMIT_SAID}(\d{{1,18}})", said):
        memory = min(memory, int(limits[-1]))
    return death.memory > _FULL * memory
