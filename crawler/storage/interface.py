"""What every object store can do; the local folder is one, S3 another.

Blobs are files under the SHA-256 of their bytes. They appear complete and durable or not at all,
and are never changed. Beside them are named objects for what the crawler itself writes, such as
snapshots of its state: they too are complete or absent, and may be replaced.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Protocol

from crawler.storage.keys import object_key

__all__ = ["Blob", "ObjectStore", "Spool", "StoredObject", "object_key"]


@dataclass(frozen=True, slots=True)
class Blob:
    """A file that is complete and durable in the store."""

    sha256: str
    size: int
    stored_at: datetime | None = field(default=None, compare=False)
    """When it was put there, in UTC; known by listings only."""


@dataclass(frozen=True, slots=True)
class StoredObject:
    """A named object in a listing."""

    key: str
    stored_at: datetime
    """When it was put there, in UTC."""


class Spool(Protocol):
    """A file that is being received: hashed while written, then made a blob or discarded."""

    def write(self, data: bytes) -> None:
        """Adds bytes."""

    def finish(self) -> Blob:
        """Makes the bytes a durable blob and ends the spool; the same bytes are stored once.

        A blob that is there already and is damaged is replaced, as good bytes are at hand.
        After a StorageError the bytes are still there, and it may be called again.
        """

    def discard(self) -> None:
        """Forgets what was written; does nothing after the end."""


class ObjectStore(Protocol):
    """Keeps files under the SHA-256 of their bytes, and named objects; serves several threads.

    Errors come as StorageError; its `retryable` says whether waiting may help. ValueError means
    that a SHA-256 or a key is none.
    """

    def spool(self) -> Spool:
        """A new, empty spool."""

    def open(self, sha256: str) -> BinaryIO:
        """The blob's bytes, seekable, to be closed by the caller.

        ObjectDamaged when they are not those of the SHA-256: at once where the store is a folder,
        otherwise at the end of a reading from the beginning to the end.
        """

    def open_unchecked(self, sha256: str) -> BinaryIO:
        """The same without a comparison, for who hashes the bytes anyway."""

    def local_path(self, sha256: str) -> Path | None:
        """The file of this machine that holds the blob, or would hold it; None where none does."""

    def exists(self, sha256: str) -> bool:
        """Whether the blob is in the store."""

    def size(self, sha256: str) -> int | None:
        """The blob's size in bytes; None when it is not in the store."""

    def delete(self, sha256: str) -> None:
        """Takes the blob away, for takedowns and retention; does nothing when it is not there."""

    def blobs(self) -> Iterator[Blob]:
        """Every blob in the order of their SHA-256, read page by page."""

    def presigned_url(self, sha256: str, *, file_name: str, mime: str, seconds: int) -> str | None:
        """A URL that lets anybody download the blob for some time; None where the store has none.

        The answer is an attachment with that name and type, whatever the blob holds.
        """

    def check(self) -> None:
        """Writes a small object and reads it back; gives up within seconds.

        StorageError says where it failed and why. Asked before a crawl's first request.
        """

    def free_bytes(self) -> int:
        """Bytes that can still be received: the room of the disk that spools are on."""

    def sweep(self, before: datetime) -> int:
        """Takes away what uploads left that were started before this time and never finished."""

    def put_object(self, key: str, data: bytes | Path, *, only_if_absent: bool = False) -> bool:
        """Stores bytes, or a copy of a file; False when it was to be absent and is not."""

    def get_object(self, key: str) -> bytes | None:
        """A small object's bytes; None when there is none."""

    def download(self, key: str, path: Path) -> bool:
        """Copies an object to a file, complete or not at all; False when there is none."""

    def objects(self, prefix: str) -> Iterator[str]:
        """The keys that start with the prefix, in their order, read page by page."""

    def stored_objects(self, prefix: str) -> Iterator[StoredObject]:
        """The same, with the time at which each was stored."""

    def every_object(self) -> Iterator[str]:
        """The keys of all named objects, in their order, read page by page."""

    def delete_object(self, key: str) -> None:
        """Takes an object away; does nothing when it is not there."""

    def swap_pointer(self, key: str, expected: bytes | None, new: bytes) -> bool:
        """Replaces a small object if it still holds `expected` (None: if it is absent).

        Of several that swap at once, one gets True and the others False.
        """
