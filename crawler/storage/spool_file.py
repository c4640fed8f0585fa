"""Files that are being received, and the ones that dead processes left behind.

The owner holds a lock on its file. The lock goes with the process, however it ends, and tells the
living from the dead across containers too, where process numbers repeat; the number in the name
is for people.
"""

import errno
import fcntl
import hashlib
import os
import secrets
from contextlib import suppress
from pathlib import Path

_SUFFIX = ".part"
_BUFFER = 1024 * 1024


class SpoolFile:
    """A locked file in the spool folder that is hashed while it is written."""

    def __init__(self, folder: Path) -> None:
        self.path, descriptor = _create(folder)
        self.size = 0
        self._hash = hashlib.sha256()
        self._sync_failed = False
        self._file = os.fdopen(descriptor, "wb", buffering=_BUFFER)

    @property
    def sha256(self) -> str:
        """Of the bytes written so far."""
        return self._hash.hexdigest()

    def write(self, data: bytes) -> None:
        """Adds bytes."""
        self._file.write(data)
        self._hash.update(data)
        self.size += len(data)

    def flush(self) -> None:
        """Makes sure that all bytes are seen by who opens the file."""
        self._file.flush()

    def sync(self) -> None:
        """Makes sure that all bytes are on the disk.

        After a sync that failed, the system may call bytes written that it has lost: a second sync
        of the same file proves nothing, so the bytes are written anew into another file.
        """
        if self._sync_failed:
            self._write_anew()
        self.flush()
        self._sync_failed = True
        os.fsync(self._file.fileno())
        self._sync_failed = False

    def _write_anew(self) -> None:
        path, descriptor = _create(self.path.parent)
        file = os.fdopen(descriptor, "wb", buffering=_BUFFER)
        digest = hashlib.sha256()
        try:
            with self.path.open("rb") as source:
                while piece := source.read(_BUFFER):
                    digest.update(piece)
                    file.write(piece)
            if digest.hexdigest() != self.sha256:
                raise OSError(errno.EIO, "the bytes were lost when they could not be written")
        except BaseException:
            path.unlink(missing_ok=True)
            file.close()
            raise
        self.remove()
        self.path, self._file = path, file

    def remove(self) -> None:
        """Takes the name away and gives the lock back; a second time does nothing."""
        self.path.unlink(missing_ok=True)
        # On a full disk, closing tries once more to write what nobody wants.
        with suppress(OSError):
            self._file.close()


def sweep(folder: Path) -> int:
    """Removes what dead processes left in a spool folder; gives how many files."""
    removed = 0
    for path in folder.glob(f"*{_SUFFIX}"):
        # Another process may sweep at the same time, or its owner may have just finished.
        with suppress(FileNotFoundError):
            descriptor = os.open(path, os.O_RDONLY)
            try:
                if _lock(descriptor):
                    path.unlink()
                    removed += 1
            finally:
                os.close(descriptor)
    return removed


def _create(folder: Path) -> tuple[Path, int]:
    while True:
        path = folder / f"{os.getpid()}-{secrets.token_hex(8)}{_SUFFIX}"
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o666)
        # A sweep between these two lines takes the file for a dead one's: then another is made.
        if _lock(descriptor) and path.exists():
            return path, descriptor
        os.close(descriptor)


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
