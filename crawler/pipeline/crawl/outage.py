"""Retries while a store or a catalog is away, for a limited time."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from crawler.errors import StorageError
from crawler.storage.interface import Blob, ObjectStore, Spool
from crawler.turns import waiting

MAX_OUTAGE = 300.0
"""Seconds that a crawl waits before it ends with its state saved."""

_FIRST_PAUSE = 1.0
_MAX_PAUSE = 30.0

Result = TypeVar("Result")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OutageRetry:
    """How long to retry, and what to call while waiting."""

    max_seconds: float = MAX_OUTAGE
    on_tick: Callable[[], None] = lambda: None
    stop_requested: Callable[[], bool] = lambda: False
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def attempt(self, action: Callable[[], Result]) -> Result:
        """Do it, and retry as long as that may help; the last error is raised."""
        end = self.clock() + self.max_seconds
        pause = _FIRST_PAUSE
        while True:
            try:
                return action()
            except StorageError as error:
                left = end - self.clock()
                if not error.retryable or left <= 0 or self.stop_requested():
                    raise
                log.warning("%s; trying again for %.0f s", error, left)
            self._wait(min(pause, left))
            pause = min(2 * pause, _MAX_PAUSE)

    def _wait(self, seconds: float) -> None:
        end = self.clock() + seconds
        while (left := end - self.clock()) > 0 and not self.stop_requested():
            with waiting():
                self.sleep(min(left, 1.0))
            self.on_tick()


class RetryingSpool:
    """A spool whose bytes wait on this machine until the store takes them."""

    def __init__(self, spool: Spool, retry: OutageRetry) -> None:
        self._spool = spool
        self._retry = retry

    def write(self, data: bytes) -> None:
        """Adds bytes."""
        self._spool.write(data)

    def finish(self) -> Blob:
        """Makes the bytes a durable object."""
        return self._retry.attempt(self._spool.finish)

    def discard(self) -> None:
        """Forgets what was written."""
        self._spool.discard()


def retrying_spools(store: ObjectStore, retry: OutageRetry) -> Callable[[], RetryingSpool]:
    """Spools for a fetcher that survive an outage of the store."""
    return lambda: RetryingSpool(store.spool(), retry)
