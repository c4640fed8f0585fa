"""The object store in a folder: one file per object, put in its place by one atomic step."""

import logging
import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from crawler.errors import StorageRefused
from crawler.storage.blob_spool import BlobSpool
from crawler.storage.durable_file import (
    COPIED_AT_ONCE,
    appear,
    locked,
    make_durable_folder,
    naming,
    receive,
    replace,
    sync_folder,
)
from crawler.storage.hashes import damaged, hash_of
from crawler.storage.interface import Blob, StoredObject
from crawler.storage.keys import (
    CHECK_BYTES,
    CHECK_KEY,
    check_key,
    check_prefix,
    is_key,
    is_sha256,
    object_key,
)
from crawler.storage.spool_file import SpoolFile, sweep

log = logging.getLogger(__name__)

_MISSING = (FileNotFoundError, NotADirectoryError, IsADirectoryError)
_LOCK = ".pointers.lock"
"""No key begins with a dot."""


class LocalFolder:
    """An object store in a folder; several processes may use it at once."""

    def __init__(self, root: Path, spool_dir: Path | None = None) -> None:
        self._root = root
        self._spool_dir = spool_dir if spool_dir is not None else root / "spool"
        with naming(root):
            root.mkdir(parents=True, exist_ok=True)
        with naming(self._spool_dir):
            self._spool_dir.mkdir(parents=True, exist_ok=True)
            same = root.stat().st_dev == self._spool_dir.stat().st_dev
        if not same:
            raise StorageRefused(f"{self._spool_dir} is not on the same file system as {root}")
        with naming(self._spool_dir):
            sweep(self._spool_dir)

    def spool(self) -> BlobSpool:
        """A new, empty spool."""
        return BlobSpool(self._spool_file(), self._keep)

    def _keep(self, file: SpoolFile, blob: Blob) -> None:
        """Makes a complete file a blob."""
        with naming(file.path):
            file.sync()
        target = self.local_path(blob.sha256)
        with naming(target):
            make_durable_folder(target.parent)
            if not appear(file.path, target) and not _is_sound(target, blob):
                log.warning("%s was damaged, and is replaced by the good bytes received", target)
                replace(file.path, target)

    def local_path(self, sha256: str) -> Path:
        """The file that holds the blob, or would hold it."""
        return self._root / object_key(sha256)

    def open(self, sha256: str) -> BinaryIO:
        """The blob's bytes, compared with their SHA-256, to be closed by the caller."""
        file = self.open_unchecked(sha256)
        path = self.local_path(sha256)
        try:
            with naming(path):
                present = hash_of(file)
                file.seek(0)
            if present != sha256:
                raise damaged(path, f"its bytes have the SHA-256 {present}")
        except BaseException:
            file.close()
            raise
        return file

    def open_unchecked(self, sha256: str) -> BinaryIO:
        """The blob's bytes as they are on the disk."""
        path = self.local_path(sha256)
        with naming(path):
            return path.open("rb")

    def exists(self, sha256: str) -> bool:
        """Whether the blob is in the store."""
        return self.size(sha256) is not None

    def size(self, sha256: str) -> int | None:
        """The blob's size in bytes; None when it is not in the store."""
        path = self.local_path(sha256)
        with naming(path), suppress(*_MISSING):
            return path.stat().st_size
        return None

    def delete(self, sha256: str) -> None:
        """Takes the blob away; does nothing when it is not there."""
        _unlink(self.local_path(sha256))

    def blobs(self) -> Iterator[Blob]:
        """Every blob in the order of their SHA-256, one of 256 folders at a time."""
        top = self._root / "blobs" / "sha256"
        for folder in _entries(top):
            for path in _entries(folder):
                if not is_sha256(path.name) or folder.name != path.name[:2]:
                    continue
                with naming(path), suppress(*_MISSING):
                    status = path.stat()
                    stored_at = datetime.fromtimestamp(status.st_mtime, UTC)
                    yield Blob(path.name, status.st_size, stored_at)

    def presigned_url(self, sha256: str, *, file_name: str, mime: str, seconds: int) -> None:
        """None: a folder has no server."""

    def check(self) -> None:
        """Writes a small object and reads it back."""
        self.put_object(CHECK_KEY, CHECK_BYTES, only_if_absent=True)
        if self.get_object(CHECK_KEY) != CHECK_BYTES:
            raise damaged(self._object_path(CHECK_KEY), "it was just written, and reads otherwise")

    def free_bytes(self) -> int:
        """Bytes that the folder's disk has left."""
        with naming(self._root):
            return shutil.disk_usage(self._root).free

    def sweep(self, before: datetime) -> int:  # noqa: ARG002
        """Takes away what dead processes left in the spool; the living hold their files locked."""
        with naming(self._spool_dir):
            return sweep(self._spool_dir)

    def put_object(self, key: str, data: bytes | Path, *, only_if_absent: bool = False) -> bool:
        """Stores bytes, or a copy of a file; False when it was to be absent and is not."""
        target = self._object_path(key)
        file = self._spool_file()
        try:
            _fill(file, data)
            with naming(target):
                make_durable_folder(target.parent)
                if only_if_absent:
                    return appear(file.path, target)
                replace(file.path, target)
                return True
        finally:
            with naming(file.path):
                file.remove()

    def get_object(self, key: str) -> bytes | None:
        """A small object's bytes; None when there is none."""
        path = self._object_path(key)
        with naming(path), suppress(*_MISSING):
            return path.read_bytes()
        return None

    def download(self, key: str, path: Path) -> bool:
        """Copies an object to a file, which appears complete; False when there is none."""
        source = self._object_path(key)
        with naming(source):
            try:
                file = source.open("rb")
            except _MISSING:
                return False
        with file, naming(path):
            receive(file, path)
        return True

    def objects(self, prefix: str) -> Iterator[str]:
        """The keys that begin with the prefix, in their order."""
        folder = check_prefix(prefix).rpartition("/")[0]
        for path in _files_below(self._root / folder):
            key = path.relative_to(self._root).as_posix()
            if key.startswith(prefix):
                yield key

    def stored_objects(self, prefix: str) -> Iterator[StoredObject]:
        """The same, with the time at which each was stored."""
        for key in self.objects(prefix):
            path = self._object_path(key)
            with naming(path), suppress(*_MISSING):
                changed = path.stat().st_mtime
                yield StoredObject(key, datetime.fromtimestamp(changed, UTC))

    def every_object(self) -> Iterator[str]:
        """The keys of all named objects, in their order."""
        for path in _files_below(self._root):
            key = path.relative_to(self._root).as_posix()
            if is_key(key):
                yield key

    def delete_object(self, key: str) -> None:
        """Takes an object away; does nothing when it is not there."""
        _unlink(self._object_path(key))

    def swap_pointer(self, key: str, expected: bytes | None, new: bytes) -> bool:
        """Replaces a small object if it still holds `expected` (None: if it is absent)."""
        with locked(self._root / _LOCK):
            if self.get_object(key) != expected:
                return False
            return self.put_object(key, new, only_if_absent=expected is None)

    def _object_path(self, key: str) -> Path:
        return self._root / check_key(key)

    def _spool_file(self) -> SpoolFile:
        with naming(self._spool_dir):
            return SpoolFile(self._spool_dir)


def _is_sound(path: Path, blob: Blob) -> bool:
    """Whether a file holds a blob's bytes; one that cannot be read does not."""
    try:
        if path.stat().st_size != blob.size:
            return False
        with path.open("rb") as file:
            return hash_of(file) == blob.sha256
    except OSError:
        return False


def _fill(file: SpoolFile, data: bytes | Path) -> None:
    if isinstance(data, bytes):
        with naming(file.path):
            file.write(data)
            file.sync()
        return
    with naming(data), data.open("rb") as source:
        while piece := source.read(COPIED_AT_ONCE):
            file.write(piece)
        file.sync()


def _entries(folder: Path) -> list[Path]:
    """What is in a folder, by name; nothing when it is gone."""
    with naming(folder), suppress(*_MISSING):
        return sorted(folder.iterdir())
    return []


def _files_below(folder: Path) -> Iterator[Path]:
    """In the order of the whole keys: `a.b` comes before `a/b`."""
    entries = ((path, path.is_dir()) for path in _entries(folder))
    for path, is_folder in sorted(entries, key=lambda entry: entry[0].name + "/" * entry[1]):
        if is_folder:
            yield from _files_below(path)
        else:
            yield path


def _unlink(path: Path) -> None:
    with naming(path), suppress(*_MISSING):
        path.unlink()
        sync_folder(path.parent)
