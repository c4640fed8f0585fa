"""Politeness in time: no two requests to a host closer than its delay."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from crawler.turns import waiting

SLICE = 0.5
"""Longest single sleep, so that displays stay current and a stop is noticed."""


class Interrupted(Exception):
    """A stop was requested while waiting; the request was not sent."""


@dataclass(slots=True)
class _Host:
    turn: threading.Lock = field(default_factory=threading.Lock)
    """Held from the wait before a request to the request's end."""
    ended: float | None = None
    """When its latest request ended."""


class Hosts:
    """The hosts that are asked; crawls that share this object never ask one host at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hosts: dict[str, _Host] = {}

    def of(self, name: str) -> _Host:
        """A host by its name without port: two ports are one machine."""
        with self._lock:
            return self._hosts.setdefault(name.lower(), _Host())


class Pacer:
    """Keeps, for each host, the end of its latest request, and waits from there.

    Counting from the end means that arrivals at the server are never closer than the delay,
    however long an answer takes.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        *,
        on_tick: Callable[[], None] | None = None,
        stop_requested: Callable[[], bool] | None = None,
        hosts: Hosts | None = None,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._on_tick = on_tick
        self._stop_requested = stop_requested
        self._hosts = hosts or Hosts()
        self._asked: _Host | None = None
        self.waited = 0.0
        """Seconds that all requests together have waited."""

    def before(self, host: str, delay: float, wait: float = 0.0) -> None:
        """Sleeps until the delay since the host's latest request is over, and `wait` more.

        Nobody else who shares the hosts asks this one until `after` is called.
        """
        with waiting():
            self._before(host, delay, wait)

    def _before(self, host: str, delay: float, wait: float) -> None:
        start = self._clock()
        known = self._take_turn(host)
        until = (start if known.ended is None else max(start, known.ended + delay)) + wait
        try:
            while (left := until - self._clock()) > 0:
                self._check_stop(host)
                self._sleep(min(left, SLICE))
                if self._on_tick is not None:
                    self._on_tick()
        except BaseException:
            self._give_turn(known)
            raise
        self.waited += self._clock() - start

    def _take_turn(self, host: str) -> _Host:
        known = self._hosts.of(host)
        if known is not self._asked:
            while not known.turn.acquire(timeout=SLICE):
                self._check_stop(host)
                if self._on_tick is not None:
                    self._on_tick()
            self._asked = known
        return known

    def _give_turn(self, known: _Host) -> None:
        if known is self._asked:
            self._asked = None
            known.turn.release()

    def _check_stop(self, host: str) -> None:
        if self._stop_requested is not None and self._stop_requested():
            raise Interrupted(f"stopped while waiting for {host}")

    def after(self, host: str) -> None:
        """Notes that a request to this host has ended now, and lets others ask it."""
        known = self._hosts.of(host)
        known.ended = self._clock()
        self._give_turn(known)

    def hold(self, host: str) -> None:
        """Treats now as the end of a request: after a restart, its end is unknown."""
        self._hosts.of(host).ended = self._clock()
