"""One sync of a file for all commits that wait for it.

With a sync inside every commit, two hundred crawls that share a catalog in SQLite would wait for
each other's disk. So SQLite commits without one, and the log is synced before a commit counts as
done; those who commit while a sync is under way share the next one, as in PostgreSQL.
"""

import os
import threading
from pathlib import Path


class GroupSync:
    """Syncs one file; several threads may ask at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._count = threading.Lock()
        self._turn = threading.Lock()
        self._asked = self._synced = 0
        self._failure: OSError | None = None

    def sync(self) -> None:
        """Returns when everything that was written before the call is on the disk.

        A sync that failed is never tried again: the system may have dropped what it could not
        write, and would call the next sync a success.
        """
        with self._count:
            self._asked += 1
            mine = self._asked
        with self._turn:
            if self._synced >= mine:
                return
            if self._failure is not None:
                raise self._failure
            with self._count:
                asked = self._asked
            try:
                _sync(self._path)
            except OSError as error:
                self._failure = error
                raise
            self._synced = asked


def _sync(path: Path) -> None:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return  # the last connection was closed: everything is in the database, and synced
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
