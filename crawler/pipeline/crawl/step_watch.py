"""Watches how long a step works and how much memory it takes, and remembers a step that kills.

A page may be made to exhaust memory. The kernel then ends the process, nothing was committed, and
the next start would ask for the same page again. So a step that is slow or large leaves a mark
beside the state file before it can do harm; a step that was marked twice and never committed is
not tried again, and one that takes more memory than a step may is abandoned by itself.
"""

import ctypes
import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

MAX_ATTEMPTS = 2
"""How often a step may end its process before it is skipped."""

MAX_STEP_BYTES = 2 * 1024**3
"""Memory that one step may add to the process; over it, the step is abandoned."""

MARK_AFTER_SECONDS = 2.0
MARK_AFTER_BYTES = 256 * 1024**2
SECONDS_BETWEEN_LOOKS = 0.2
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class StepTooLarge(Exception):
    """The step took more memory than it may, and was abandoned; it is marked as poisonous."""


@dataclass(frozen=True, slots=True)
class _Step:
    number: int
    url: str
    started: float
    thread: int
    clock: int
    """Of the processor time that the thread uses."""
    used: float
    """What it had used when the step began."""

    def processor_seconds(self) -> float:
        """What the step has used so far."""
        return time.clock_gettime(self.clock) - self.used


@dataclass(frozen=True, slots=True)
class _Mark:
    """What the file beside the state says: this step was in work, and how often."""

    step: int
    url: str
    attempts: int


class StepWatch:
    """Has the step in work looked at by the process's one thread; `path` is the file with the mark.

    Memory is the process's, which may crawl other sites at the same time: what it grows by is laid
    to the step that has used most of the processor, and no other one is marked or abandoned for it.
    """

    def __init__(self, path: Path, max_step_bytes: int = MAX_STEP_BYTES) -> None:
        self._path = path
        self._max_bytes = max_step_bytes
        self._lock = threading.Lock()
        self._step: _Step | None = None
        self._resident = 0
        """The least memory of the process since the last look before the step in work."""
        self._marked = self._aborted = False
        self._known = self._load()

    def __enter__(self) -> Self:
        _LOOKOUT.add(self)
        return self

    def __exit__(self, *_: object) -> None:
        _LOOKOUT.remove(self)

    def is_poisonous(self, number: int, url: str = "") -> bool:
        """Whether this step ended its process as often as it may."""
        return self._attempts(number, url) >= MAX_ATTEMPTS

    def _attempts(self, number: int, url: str) -> int:
        return self._known.attempts if (self._known.step, self._known.url) == (number, url) else 0

    def _load(self) -> "_Mark":
        try:
            saved = json.loads(self._path.read_text(encoding="utf-8"))
            return _Mark(int(saved["step"]), str(saved["url"]), int(saved["attempts"]))
        except (OSError, ValueError, KeyError, TypeError):
            return _Mark(0, "", 0)

    @contextmanager
    def working(self, number: int, url: str = "") -> Iterator[None]:
        """The block is work of this step. Raises StepTooLarge where it takes too much memory."""
        thread = threading.get_ident()
        clock = time.pthread_getcpuclockid(thread)
        used = time.clock_gettime(clock)
        step = _Step(number, url, time.monotonic(), thread, clock, used)
        with self._lock:
            self._step, self._marked, self._aborted = step, False, False
            # Not asked for at every step: that is a file to open, and most steps take a moment.
            self._resident = _LOOKOUT.resident
        try:
            yield
        finally:
            with self._lock:
                self._step = None
                if self._aborted:
                    _raise_in(step.thread, None)
                if self._marked and not self._aborted:
                    self._path.unlink(missing_ok=True)
        if self._aborted:
            raise StepTooLarge(url)

    def processor_seconds(self) -> float:
        """What the step in work has used so far; less than nothing when there is none."""
        with self._lock:
            return self._step.processor_seconds() if self._step is not None else -1.0

    def look(self, resident: int, *, busiest: bool) -> None:
        """Mark or abandon the step in work where it has to be."""
        with self._lock:
            self._resident = min(self._resident, resident)
            if self._step is not None and not self._aborted:
                self._look_at(self._step, resident - self._resident if busiest else 0)

    def _look_at(self, step: _Step, grown: int) -> None:
        slow = time.monotonic() - step.started > MARK_AFTER_SECONDS
        if not self._marked and (slow or grown > MARK_AFTER_BYTES):
            self._marked = True
            self._mark(step, self._attempts(step.number, step.url) + 1)
        if grown > self._max_bytes:
            self._mark(step, MAX_ATTEMPTS)
            self._aborted = True
            _raise_in(step.thread, StepTooLarge)

    def _mark(self, step: _Step, attempts: int) -> None:
        self._known = _Mark(step.number, step.url, attempts)
        # A lost mark costs one more attempt, so a full disk is no reason to stop.
        with suppress(OSError):
            text = json.dumps(asdict(self._known))
            beside = self._path.with_name(f"{self._path.name}.new")
            beside.write_text(text, encoding="utf-8")
            beside.replace(self._path)


class _Lookout:
    """The one thread of a process that looks at the steps of all its crawls."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watches: tuple[StepWatch, ...] = ()
        self._thread: threading.Thread | None = None
        self.resident = 0
        """Memory of the process at the last look."""

    def add(self, watch: StepWatch) -> None:
        with self._lock:
            self._watches = (*self._watches, watch)
            if self._thread is None:
                self.resident = _resident()
                self._thread = threading.Thread(target=self._look, name="step-watch", daemon=True)
                self._thread.start()

    def remove(self, watch: StepWatch) -> None:
        with self._lock:
            self._watches = tuple(each for each in self._watches if each is not watch)

    def _look(self) -> None:
        while self._has_work():
            time.sleep(SECONDS_BETWEEN_LOOKS)
            used = [(watch.processor_seconds(), watch) for watch in self._watches]
            working = [(seconds, watch) for seconds, watch in used if seconds >= 0]
            most = max((seconds for seconds, _ in working), default=0.0)
            self.resident = resident = _resident()
            for seconds, watch in working:
                watch.look(resident, busiest=seconds == most)

    def _has_work(self) -> bool:
        with self._lock:
            if not self._watches:
                self._thread = None
            return bool(self._watches)


_LOOKOUT = _Lookout()


def _resident() -> int:
    return int(Path("/proc/self/statm").read_bytes().split()[1]) * _PAGE_BYTES


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    """Have a thread raise at its next instruction; None takes back what it has not raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(kind) if kind is not None else None
    )
