"""Crawls that run at once in one process work one after the other, and wait at the same time.

Python runs one thread at a time, and a thread lets go of the interpreter at every statement of
SQLite and every read. Where many threads want it, each of these moments wakes one of them in vain,
and all that wait wake up two hundred times a second to ask for it: the more of them wait, the less
is done. So who has work waits for a turn first, asleep, and gives it away where it waits for
something else: a delay, a server, a disk.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

MAX_SECONDS = 1.0
"""Longest wait for a turn: whoever waits for a server in the midst of his turn holds up nobody."""


class Turns:
    """The turns of all crawls that run at once; one thread at a time has one."""

    def __init__(self) -> None:
        # It knows its owner: a thread that is ended by an exception at any point gives it back.
        self._lock = threading.RLock()

    @contextmanager
    def working(self) -> Iterator[None]:
        """The block has a turn, but for where it is `waiting`."""
        _HERE.turns = self
        self._take()
        try:
            yield
        finally:
            _HERE.turns = None
            self._give()

    def _take(self) -> None:
        self._lock.acquire(timeout=MAX_SECONDS)

    def _give(self) -> None:
        with suppress(RuntimeError):  # it did not get one in time, and works without
            self._lock.release()


class waiting:  # noqa: N801 (used like a function; a generator would be slower)
    """The block waits for something: others have their turn meanwhile. Of a lone crawl, nothing."""

    __slots__ = ("_turns",)

    def __enter__(self) -> None:
        self._turns: Turns | None = _HERE.turns
        if self._turns is not None:
            _HERE.turns = None
            self._turns._give()

    def __exit__(self, *_: object) -> None:
        if self._turns is not None:
            self._turns._take()
            _HERE.turns = self._turns


class _Here(threading.local):
    turns: Turns | None = None
    """Of this thread, while it has one."""


_HERE = _Here()
