"""Keeps all threads of a process on one processor core while it crawls many sites.

Python runs one thread at a time however many cores there are. With two cores, a thread that waits
for the interpreter wakes up on the other core whenever the running one lets go of it for a moment
(at every statement of SQLite, every read of a socket), finds it taken again, and sleeps: of the
processor time of two hundred crawls, half was spent on that. On one core they take turns instead.
"""

import os
import random
import threading
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

SECONDS_BETWEEN_LOOKS = (3.0, 9.0)
"""At random in between: two processes on one core must not both move away at the same moment."""
WORTH_A_MOVE = 0.25
"""How much more of a core the work of others must take here than there."""

_TICKS = os.sysconf("SC_CLK_TCK")


@contextmanager
def one_core() -> Iterator[None]:
    """Threads of this process run on one core; on another, once others are busy on that one."""
    allowed = os.sched_getaffinity(0)
    if len(allowed) < 2:
        yield
        return
    over = threading.Event()
    core = _present_core()
    _move_to({core})
    follower = threading.Thread(
        target=_follow, args=(allowed, core, over), name="one-core", daemon=True
    )
    follower.start()
    try:
        yield
    finally:
        over.set()
        follower.join()
        _move_to(allowed)


def _follow(allowed: Collection[int], core: int, over: threading.Event) -> None:
    before = Use.now()
    while not over.wait(random.uniform(*SECONDS_BETWEEN_LOOKS)):  # noqa: S311
        now = Use.now()
        core = better_core(core, allowed, before, now)
        # Also when it stays: threads that others started may not be there yet.
        _move_to({core})
        before = now


@dataclass(frozen=True, slots=True)
class Use:
    """Processor time up to now, in seconds."""

    at: float
    busy: Mapping[int, float]
    """Of every core."""
    own: float
    """Of this process alone."""

    @classmethod
    def now(cls) -> "Use":
        """As the system counts it."""
        times = os.times()
        return cls(time.monotonic(), _busy(), times.user + times.system)


def better_core(core: int, allowed: Collection[int], before: Use, now: Use) -> int:
    """Where the work of others took least of the time; the same core unless it pays to move."""
    foreign = {each: now.busy.get(each, 0.0) - before.busy.get(each, 0.0) for each in allowed}
    foreign[core] -= now.own - before.own
    best = min(foreign, key=lambda each: foreign[each])
    pays = foreign[core] - foreign[best] > WORTH_A_MOVE * (now.at - before.at)
    return best if pays else core


def _present_core() -> int:
    """Where the system put this thread: it chooses cores that have little to do."""
    fields = Path("/proc/thread-self/stat").read_text().rpartition(")")[2].split()
    return int(fields[36])


def _busy() -> dict[int, float]:
    used = {}
    for line in Path("/proc/stat").read_text().splitlines():
        name, *ticks = line.split()
        if name.startswith("cpu") and name != "cpu":
            _user, _nice, _system, idle, waiting, *_ = map(int, ticks)
            used[int(name[3:])] = (sum(map(int, ticks[:8])) - idle - waiting) / _TICKS
    return used


def _move_to(cores: Collection[int]) -> None:
    for task in Path("/proc/self/task").iterdir():
        with suppress(OSError):  # it has ended
            os.sched_setaffinity(int(task.name), cores)
