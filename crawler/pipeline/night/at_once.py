"""Work on many sites at once in one process: many in a first stage, one at a time in a second.

A crawl waits politely nearly all the time, and everything it calls waits in the kernel: requests,
SQLite, boto3. So a crawl is a thread. Two hundred of them need less than one core, and get one.
"""

import gc
import logging
import queue
import resource
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from crawler.pipeline.night.one_core import one_core

SECONDS_TO_STOP = 0.8
"""How long sites may take to end cleanly once a stop is wished for."""
FILES_PER_SITE = 20
"""Open files that a crawl may need: its state, its lock, its manifest, its connections."""
NEW_OBJECTS_UNTIL_COLLECTED = 20_000
"""Python's own figure is 700; a request makes some thousands."""
_LOOK_AROUND = 0.1

Item = TypeVar("Item")
Result = TypeVar("Result")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Stages(Generic[Item, Result]):
    """What is done with every item; a stage that raises is logged and harms no other item."""

    first: Callable[[Item], Result]
    second: Callable[[Item, Result], Result]
    stop_requested: Callable[[], bool] = lambda: False
    on_result: Callable[[Result], None] = lambda _: None
    """Called by the thread that called `run_at_once`."""


@dataclass(slots=True)
class Ran(Generic[Item, Result]):
    """What came of the items; those that a stop kept from starting are in neither list."""

    results: list[Result] = field(default_factory=list)
    cut_off: list[Item] = field(default_factory=list)
    """In the middle of their first stage when the time to stop was over."""


def run_at_once(
    items: Sequence[Item],
    stages: Stages[Item, Result],
    at_once: int,
    seconds_to_stop: float = SECONDS_TO_STOP,
) -> Ran[Item, Result]:
    """Take every item through both stages, up to `at_once` of them at the same time.

    A site whose server holds a request is not waited for when a stop is wished for: its thread ends
    with the process, and its state is that after its last step, as after a kill.
    """
    allow_open_files(at_once * FILES_PER_SITE)
    line = _Line(items, stages)
    with one_core(), rarely_collected():
        line.start(min(at_once, len(items)))
        return _ran(line, stages, seconds_to_stop)


def _ran(
    line: "_Line[Item, Result]", stages: Stages[Item, Result], seconds_to_stop: float
) -> Ran[Item, Result]:
    ran: Ran[Item, Result] = Ran()
    end: float | None = None
    while not line.is_over():
        try:
            result = line.done.get(timeout=_LOOK_AROUND)
        except queue.Empty:
            pass
        else:
            ran.results.append(result)
            stages.on_result(result)
        if stages.stop_requested():
            end = end or time.monotonic() + seconds_to_stop
            if time.monotonic() >= end:
                ran.cut_off = line.in_work()
                break
    return ran


class _Line(Generic[Item, Result]):
    """Threads of the first stage, a thread of the second, and what waits between them."""

    def __init__(self, items: Sequence[Item], stages: Stages[Item, Result]) -> None:
        self._stages = stages
        self._lock = threading.Lock()
        self._todo = deque(items)
        self._in_work: list[Item] = []
        self._open = 0
        """Items that were begun and whose result was not handed out."""
        self._between: queue.SimpleQueue[tuple[Item, Result]] = queue.SimpleQueue()
        self.done: queue.SimpleQueue[Result] = queue.SimpleQueue()

    def start(self, threads: int) -> None:
        for number in range(threads):
            name = f"site-{number}"
            threading.Thread(target=self._first, name=name, daemon=True).start()
        threading.Thread(target=self._second, name="second-stage", daemon=True).start()

    def is_over(self) -> bool:
        """Whether nothing is left to begin, to do or to hand out."""
        with self._lock:
            waits = bool(self._todo) and not self._stages.stop_requested()
            return not waits and not self._in_work and not self._open and self.done.empty()

    def in_work(self) -> list[Item]:
        with self._lock:
            return list(self._in_work)

    def _first(self) -> None:
        while (item := self._next()) is not None:
            try:
                result = self._stages.first(item)
            except Exception:
                log.exception("a site was given up")
                with self._lock:
                    self._open -= 1
            else:
                self._between.put((item, result))
            with self._lock:
                self._in_work.remove(item)

    def _next(self) -> Item | None:
        with self._lock:
            if not self._todo or self._stages.stop_requested():
                return None
            item = self._todo.popleft()
            self._in_work.append(item)
            self._open += 1
            return item

    def _second(self) -> None:
        while True:
            item, result = self._between.get()
            if not self._stages.stop_requested():
                try:
                    result = self._stages.second(item, result)
                except Exception:
                    log.exception("the second stage failed")
            self.done.put(result)
            with self._lock:
                self._open -= 1


@contextmanager
def rarely_collected() -> Iterator[None]:
    """The garbage of many crawls is looked for once in several requests, not several times in one.

    What they know lives as long as they do, and to look through it in vain takes long.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS_UNTIL_COLLECTED, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def allow_open_files(number: int) -> None:
    """Let the process have this many files open, as far as the system lets us."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number + 512
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(most, soft), hard))
