"""A time limit for a whole answer, kept under every read from the socket.

A socket's own timeout only limits the silence between two bytes: a server that sends one byte
every few seconds would hold a crawl for days. Here each read waits at most for what is left.
"""

import io
import socket
import time
from collections.abc import Callable
from http.client import HTTPResponse

from crawler.turns import waiting

MAX_CHUNK_LINE = 1024
"""Longest line that may announce a chunk, extensions and all."""

_HEX_DIGITS = frozenset(b"0123456789abcdefABCDEF")


class DeadlinePassed(Exception):
    """The whole answer took longer than it may."""


class Deadline:
    """When the answer under way must be complete; a fetcher has one answer at a time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._started = clock()
        self._expires = self._started

    def start(self, seconds: float) -> None:
        """Begins anew: the answer has this long from now."""
        self._started = self._clock()
        self._expires = self._started + seconds

    def extend(self, seconds: float) -> None:
        """Gives the answer under way this long, counted from its start."""
        self._expires = self._started + seconds

    def left(self) -> float:
        """Seconds left, always more than zero; raises DeadlinePassed otherwise."""
        left = self._expires - self._clock()
        if left <= 0:
            raise DeadlinePassed(f"not complete after {self._expires - self._started:g} seconds")
        return left


class _TimedRaw(io.RawIOBase):
    """The bytes of a socket, each read bounded by the silence limit and by the deadline."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock = sock
        self._silence = sock.gettimeout()
        self._deadline = deadline
        self._raw = sock.makefile("rb", buffering=0)

    def readinto(self, buffer: memoryview) -> int | None:  # type: ignore[override]
        left = self._deadline.left()
        self._sock.settimeout(left if self._silence is None else min(self._silence, left))
        try:
            with waiting():
                return self._raw.readinto(buffer)
        except TimeoutError:
            self._deadline.left()
            raise

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._raw.fileno()

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()


class TimedResponse(HTTPResponse):
    """An answer that is read under a deadline, and whose chunk sizes are hexadecimal numbers."""

    def __init__(
        self,
        sock: socket.socket,
        debuglevel: int = 0,
        method: str | None = None,
        url: str | None = None,
        *,
        deadline: Deadline,
    ) -> None:
        super().__init__(sock, debuglevel, method, url)
        self.fp.close()
        self.fp = io.BufferedReader(_TimedRaw(sock, deadline))

    def _read_next_chunk_size(self) -> int:
        # http.client accepts "-1", and then reads to the end of the stream into memory.
        line = self.fp.readline(MAX_CHUNK_LINE + 1)
        size = line.split(b";", 1)[0].strip()
        if not size or len(line) > MAX_CHUNK_LINE or not _HEX_DIGITS.issuperset(size):
            raise ValueError("a chunk without a size")
        return int(size, 16)
