"""What every object store can do; the local folder is one, S3 another.

Objects are files under the SHA-256 of their bytes. They appear complete and durable or not at all,
and are never changed.
"""

import re
from dataclasses import dataclass
from typing import BinaryIO, Protocol

_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Blob:
    """An object that is complete and durable in the store."""

    sha256: str
    size: int


class Spool(Protocol):
    """A file that is being received: hashed while written, then made an object or discarded."""

    @property
    def size(self) -> int:
        """Bytes written so far."""

    def write(self, data: bytes) -> None:
        """Adds bytes."""

    def finish(self) -> Blob:
        """Makes the bytes a durable object and ends the spool; the same bytes are stored once."""

    def discard(self) -> None:
        """Forgets what was written; does nothing after the end."""


class ObjectStore(Protocol):
    """Keeps files under the SHA-256 of their bytes; errors come as StorageError."""

    def spool(self) -> Spool:
        """A new, empty spool."""

    def open(self, sha256: str) -> BinaryIO:
        """The object's bytes, to be closed by the caller."""

    def exists(self, sha256: str) -> bool:
        """Whether the object is in the store."""

    def free_bytes(self) -> int:
        """Bytes that can still be received: the room of the disk that spools are on."""


def object_key(sha256: str) -> str:
    """The key of an object, `blobs/sha256/ab/<sha256>`; ValueError unless it is a SHA-256."""
    if not _SHA256.fullmatch(sha256):
        raise ValueError(f"not a SHA-256 in lower-case hexadecimal: {sha256!r}")
    return f"blobs/sha256/{sha256[:2]}/{sha256}"
