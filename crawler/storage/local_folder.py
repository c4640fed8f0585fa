"""The object store in a folder: one file per object, put in its place by one atomic step."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from crawler.errors import StorageError
from crawler.storage.interface import Blob, object_key
from crawler.storage.spool_file import SpoolFile, sweep

_NO_HARD_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK})


class LocalFolder:
    """An object store in a folder; several processes may use it at once."""

    def __init__(self, root: Path, spool_dir: Path | None = None) -> None:
        self._root = root
        self._spool_dir = spool_dir if spool_dir is not None else root / "spool"
        with _naming(root):
            root.mkdir(parents=True, exist_ok=True)
        with _naming(self._spool_dir):
            self._spool_dir.mkdir(parents=True, exist_ok=True)
            same = root.stat().st_dev == self._spool_dir.stat().st_dev
        if not same:
            raise StorageError(f"{self._spool_dir} is not on the same file system as {root}")
        with _naming(self._spool_dir):
            sweep(self._spool_dir)

    def spool(self) -> "LocalSpool":
        """A new, empty spool."""
        with _naming(self._spool_dir):
            return LocalSpool(self, SpoolFile(self._spool_dir))

    def path(self, sha256: str) -> Path:
        """Where the object is, or would be."""
        return self._root / object_key(sha256)

    def open(self, sha256: str) -> BinaryIO:
        """The object's bytes, to be closed by the caller."""
        path = self.path(sha256)
        with _naming(path):
            return path.open("rb")

    def exists(self, sha256: str) -> bool:
        """Whether the object is in the store."""
        path = self.path(sha256)
        with _naming(path):
            return path.is_file()

    def free_bytes(self) -> int:
        """Bytes that the folder's disk has left."""
        with _naming(self._root):
            return shutil.disk_usage(self._root).free


class LocalSpool:
    """A file that is being received into a folder."""

    def __init__(self, folder: LocalFolder, file: SpoolFile) -> None:
        self._folder = folder
        self._file = file

    @property
    def size(self) -> int:
        """Bytes written so far."""
        return self._file.size

    def write(self, data: bytes) -> None:
        """Adds bytes."""
        with _naming(self._file.path):
            self._file.write(data)

    def finish(self) -> Blob:
        """Makes the bytes a durable object and ends the spool; the same bytes are stored once."""
        with _naming(self._file.path):
            self._file.sync()
        blob = Blob(sha256=self._file.sha256, size=self._file.size)
        target = self._folder.path(blob.sha256)
        with _naming(target):
            _make_durable_folder(target.parent)
            _place(self._file.path, target)
            present = target.stat().st_size
            if present != blob.size:
                raise StorageError(f"{target} is damaged: {present} bytes instead of {blob.size}")
            # Also when another process has just put it there: it may not have come so far.
            _sync_folder(target.parent)
        self.discard()
        return blob

    def discard(self) -> None:
        """Forgets what was written; does nothing after the end."""
        with _naming(self._file.path):
            self._file.remove()


def _place(source: Path, target: Path) -> None:
    """Makes the complete file appear under its final name, unless that is there already."""
    try:
        os.link(source, target)
    except FileExistsError:
        return
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        # A file system without hard links: the rename may replace an equal file, never a half.
        if not target.exists():
            source.rename(target)


def _make_durable_folder(folder: Path) -> None:
    if folder.is_dir():
        return
    _make_durable_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    _sync_folder(folder.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Turns an OSError into a StorageError that names the path."""
    try:
        yield
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror or error}") from error
