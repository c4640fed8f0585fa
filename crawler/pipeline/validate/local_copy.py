"""A blob as a file of this machine: its own place in a folder, or a copy from S3 for a while."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crawler.errors import FileRemoved, ObjectDamaged, StorageError
from crawler.pipeline.crawl.outage import OutageRetry
from crawler.storage.interface import ObjectStore
from crawler.storage.spool_file import SpoolFile

ROOM_TO_LEAVE = 200 * 1000**2
"""Bytes of the disk that copies leave free."""

_PIECE = 1 << 20


@contextmanager
def local_copy(
    store: ObjectStore, sha256: str, size: int, folder: Path, retry: OutageRetry
) -> Iterator[Path]:
    """The path of a blob's bytes; FileRemoved when they are not in the store.

    A copy holds a lock, so that one left by a dead process is swept away at the next start.
    """
    present = retry.attempt(lambda: store.size(sha256))
    if present is None:
        raise FileRemoved("its bytes are not in the store")
    if present != size:
        raise FileRemoved(f"the store has {present:,} bytes of it instead of {size:,}")
    if (path := store.local_path(sha256)) is not None:
        try:
            retry.attempt(lambda: store.open(sha256)).close()
        except ObjectDamaged as error:
            raise FileRemoved(error.message) from error
        yield path
        return
    copy = retry.attempt(lambda: _download(store, sha256, size, folder))
    try:
        if copy.sha256 != sha256:
            raise FileRemoved("the store has other bytes than those that were acquired")
        yield copy.path
    finally:
        copy.remove()


def _download(store: ObjectStore, sha256: str, size: int, folder: Path) -> SpoolFile:
    if store.free_bytes() - size < ROOM_TO_LEAVE:
        raise StorageError(f"{folder}: no room for a copy of {size:,} bytes")
    folder.mkdir(parents=True, exist_ok=True)
    file = SpoolFile(folder)
    try:
        with store.open_unchecked(sha256) as source:
            while piece := source.read(_PIECE):
                file.write(piece)
        file.flush()
    except OSError as error:
        file.remove()
        raise StorageError(f"{folder}: {error.strerror or error}") from error
    except BaseException:
        file.remove()
        raise
    return file
