"""Steps on files that a crash leaves either done or undone."""

import errno
import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from crawler.errors import StorageError, StorageRefused

COPIED_AT_ONCE = 1024 * 1024
_FOR_GOOD = frozenset(
    {errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.EROFS}
)
_NO_HARD_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK})


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turns an OSError into a StorageError that names the path."""
    try:
        yield
    except OSError as error:
        raise storage_error(path, error) from error


def storage_error(place: object, error: OSError) -> StorageError:
    """The error in our words; a full disk may be emptied, a missing file does not come back."""
    kind = StorageRefused if error.errno in _FOR_GOOD else StorageError
    return kind(f"{place}: {error.strerror or error}")


def appear(source: Path, target: Path) -> bool:
    """Makes a complete file appear under its final name; False when that is there already."""
    placed = _place(source, target)
    try:
        # Also when another process has just put it there: it may not have come so far.
        sync_folder(target.parent)
    except OSError:
        # A second sync would prove nothing: the name is given once more by the next attempt.
        if placed and source.exists():
            target.unlink(missing_ok=True)
        raise
    return placed


def replace(source: Path, target: Path) -> None:
    """Makes a complete file take the place of what is under that name."""
    source.replace(target)
    sync_folder(target.parent)


def receive(source: BinaryIO, target: Path) -> None:
    """Copies a stream to a file, which has its name only when it is complete."""
    part = target.with_name(f"{target.name}.{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            shutil.copyfileobj(source, file, COPIED_AT_ONCE)
            file.flush()
            os.fsync(file.fileno())
        replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def make_durable_folder(folder: Path) -> None:
    """Makes a folder and those above it, so that they outlast a power failure."""
    if folder.is_dir():
        return
    make_durable_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    try:
        sync_folder(folder.parent)
    except OSError:
        with suppress(OSError):
            folder.rmdir()
        raise


def sync_folder(folder: Path) -> None:
    """Makes sure that the names in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds a file's lock against all threads and processes of the machine."""
    with naming(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        with naming(path):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _place(source: Path, target: Path) -> bool:
    try:
        os.link(source, target)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        # A file system without hard links: the rename may replace an equal file, never a half.
        if target.exists():
            return False
        source.rename(target)
    return True
