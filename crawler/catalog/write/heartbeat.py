"""Renews the leases of a process: one thread for all of them, three times in a lease's life."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from weakref import WeakKeyDictionary

from crawler.catalog.db.database import Database
from crawler.catalog.write.lease import LeaseHeld, renew_all
from crawler.errors import SiteBusy, StorageError

log = logging.getLogger(__name__)


class Heartbeat:
    """Renews a lease until the `with` ends.

    A database that does not answer is asked again until the lease must have run out.
    """

    def __init__(
        self,
        database: Database,
        lease: LeaseHeld,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.database = database
        self._monotonic = monotonic
        self._lost = threading.Event()
        self._renewed = monotonic()
        self.lease = lease
        self.due = time.monotonic() + lease.seconds / 3

    @property
    def lost(self) -> bool:
        """Whether another run has the site now, or may have it."""
        return self._lost.is_set()

    def check(self) -> None:
        """Raises SiteBusy when the lease was lost, or may be: nothing is requested without one.

        A network that swallows everything lets the renewal hang for longer than the lease lives. So
        a lease that has run out by the clock of this machine is renewed here before work goes on.
        """
        if not self.lost and self._monotonic() - self._renewed > self.lease.seconds:
            self._renew_now()
        if self.lost:
            raise SiteBusy("the lease was lost to another run", site=self.lease.site)

    def _renew_now(self) -> None:
        asked = self._monotonic()
        try:
            (lease,) = renew_all(self.database, [self.lease])
        except StorageError:
            self._lost.set()
        else:
            self.answered(asked, lease)

    def remaining(self) -> float:
        """Seconds until the lease ends unless it is renewed; 0 when it is lost."""
        left = self._renewed + self.lease.seconds - self._monotonic()
        return 0.0 if self.lost else max(left, 0.0)

    def __enter__(self) -> "Heartbeat":
        _renewals_of(self.database).add(self)
        return self

    def __exit__(self, *_: object) -> None:
        _renewals_of(self.database).remove(self)

    def asked(self, at: float) -> float:
        """The next renewal is planned from now; the time by this lease's own clock."""
        self.due = at + self.lease.seconds / 3
        return self._monotonic()

    def answered(self, asked: float, lease: LeaseHeld | None) -> None:
        """The lease as it was renewed at that time; None when another run has it."""
        if lease is None:
            self._lost.set()
        else:
            self.lease, self._renewed = lease, asked

    def unanswered(self) -> None:
        """The database did not answer."""
        if self._monotonic() - self._renewed > self.lease.seconds:
            self._lost.set()


class _Renewals:
    """The leases that one process holds in one database, and the thread that renews them."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._held: list[Heartbeat] = []
        self._thread: threading.Thread | None = None

    def add(self, heartbeat: Heartbeat) -> None:
        with self._changed:
            self._held.append(heartbeat)
            if self._thread is None:
                self._thread = threading.Thread(target=self._beat, name="leases", daemon=True)
                self._thread.start()
            self._changed.notify()

    def remove(self, heartbeat: Heartbeat) -> None:
        """A renewal in work is not waited for: it changes nothing of a lease that is released."""
        with self._changed:
            self._held.remove(heartbeat)
            self._changed.notify()

    def _beat(self) -> None:
        while (due := self._next()) is not None:
            self._renew(due)

    def _next(self) -> Sequence[Heartbeat] | None:
        """Waits until a lease is due, and gives it with those that are due soon; None at the end.

        Leases that are renewed together stay together: one transaction for all of them.
        """
        with self._changed:
            while living := [each for each in self._held if not each.lost]:
                wait = min(each.due for each in living) - time.monotonic()
                if wait <= 0:
                    break
                self._changed.wait(wait)
            else:
                if not self._held:
                    self._thread = None
                    return None
                self._changed.wait()
                return ()
            soon = time.monotonic()
            return [each for each in living if each.due - each.lease.seconds / 6 <= soon]

    def _renew(self, due: Sequence[Heartbeat]) -> None:
        if not due:
            return
        now = time.monotonic()
        asked = [each.asked(now) for each in due]
        try:
            renewed = renew_all(due[0].database, [each.lease for each in due])
        except Exception as error:
            # Without this thread every lease would end unnoticed.
            if not isinstance(error, StorageError):
                log.exception("leases could not be renewed")
            for each in due:
                each.unanswered()
            return
        for each, at, lease in zip(due, asked, renewed, strict=True):
            each.answered(at, lease)


_ALL: WeakKeyDictionary[Database, _Renewals] = WeakKeyDictionary()
_ALL_LOCK = threading.Lock()


def _renewals_of(database: Database) -> _Renewals:
    with _ALL_LOCK:
        if database not in _ALL:
            _ALL[database] = _Renewals()
        return _ALL[database]
