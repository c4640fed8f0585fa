"""Waiting for a store or a catalog that went away, within bounds."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from crawler.errors import StorageError
from crawler.storage.interface import Blob, ObjectStore, Spool

LONGEST_OUTAGE = 300.0
"""Seconds that a crawl waits before it ends with its state saved."""

_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 30.0

Result = TypeVar("Result")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait, and what to do meanwhile."""

    longest: float = LONGEST_OUTAGE
    on_tick: Callable[[], None] = lambda: None
    stop_requested: Callable[[], bool] = lambda: False
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def attempt(self, action: Callable[[], Result]) -> Result:
        """Do it, again and again while that may help; the last error is the caller's."""
        end = self.clock() + self.longest
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
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _wait(self, seconds: float) -> None:
        end = self.clock() + seconds
        while (left := end - self.clock()) > 0 and not self.stop_requested():
            self.sleep(min(left, 1.0))
            self.on_tick()


class PatientSpool:
    """A spool whose bytes wait on this machine until the store takes them."""

    def __init__(self, spool: Spool, patience: Patience) -> None:
        self._spool = spool
        self._patience = patience

    def write(self, data: bytes) -> None:
        """Adds bytes."""
        self._spool.write(data)

    def finish(self) -> Blob:
        """Makes the bytes a durable object."""
        return self._patience.attempt(self._spool.finish)

    def discard(self) -> None:
        """Forgets what was written."""
        self._spool.discard()


def patient_spools(store: ObjectStore, patience: Patience) -> Callable[[], PatientSpool]:
    """Spools for a fetcher that survive an outage of the store."""
    return lambda: PatientSpool(store.spool(), patience)
