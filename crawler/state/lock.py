"""One worker at a time: a file lock on a site's state."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crawler.errors import SiteBusy, StorageError


@contextmanager
def site_lock(path: Path, site: str) -> Iterator[None]:
    """Hold the site, or raise SiteBusy; the lock ends with its process, however that ends."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise StorageError(f"lock {path}: {error}", site=site) from error
    try:
        try:
            _hold(handle, site)
        except OSError as error:
            raise StorageError(f"lock {path}: {error}", site=site) from error
        yield
    finally:
        os.close(handle)


def _hold(handle: int, site: str) -> None:
    if not (_take(handle) or _take_a_moment_later(handle)):
        holder = os.pread(handle, 32, 0).decode("ascii", "replace").strip()
        who = f" (process {holder})" if holder.isdigit() else ""
        raise SiteBusy(f"another run holds this site{who}", site=site)
    os.ftruncate(handle, 0)
    os.pwrite(handle, str(os.getpid()).encode(), 0)


def _take(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _take_a_moment_later(handle: int) -> bool:
    """A process that checks whether the site is held holds the lock for an instant itself."""
    time.sleep(0.05)
    return _take(handle)


def is_held(path: Path) -> bool:
    """Whether a run holds the site at this moment; a free lock is left alone."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StorageError(f"lock {path}: {error}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False
