"""Politeness in time: no two requests to a host closer than its delay."""

import time
from collections.abc import Callable

SLICE = 1.0
"""Longest single sleep, so that displays stay current and a stop is noticed."""


class Interrupted(Exception):
    """A stop was requested while waiting; the request was not sent."""


class Pacer:
    """Keeps, for each host, the end of its latest request, and waits from there.

    Counting from the end means that arrivals at the server are never closer than the delay,
    however long an answer takes. A host is a name without port: two ports are one machine.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        *,
        on_tick: Callable[[], None] | None = None,
        stop_requested: Callable[[], bool] | None = None,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._on_tick = on_tick
        self._stop_requested = stop_requested
        self._ended: dict[str, float] = {}

    def before(self, host: str, delay: float, wait: float = 0.0) -> None:
        """Sleeps until the delay since the host's latest request is over, and `wait` more."""
        start = self._clock()
        ended = self._ended.get(host.lower())
        until = (start if ended is None else max(start, ended + delay)) + wait
        while True:
            left = until - self._clock()
            if left <= 0:
                return
            if self._stop_requested is not None and self._stop_requested():
                raise Interrupted(f"stopped while waiting for {host}")
            self._sleep(min(left, SLICE))
            if self._on_tick is not None:
                self._on_tick()

    def after(self, host: str) -> None:
        """Notes that a request to this host has ended now."""
        self._ended[host.lower()] = self._clock()

    def hold(self, host: str) -> None:
        """Treats now as the end of a request: after a restart, its end is unknown."""
        self.after(host)
