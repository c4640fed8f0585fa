"""Bytes on their way out of a store, compared with the SHA-256 that they are kept under."""

import hashlib
import io
from typing import Any, BinaryIO

from crawler.errors import ObjectDamaged


def damaged(where: object, detail: str) -> ObjectDamaged:
    """The error for an object whose bytes are not those that were stored."""
    return ObjectDamaged(
        f"{where}: is damaged: {detail}; the next crawl that receives the file puts it right"
    )


def hash_of(stream: BinaryIO) -> str:
    """The SHA-256 of a stream from where it stands to its end."""
    return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]


class CheckedReader(io.RawIOBase):
    """Hashes what is read, and raises ObjectDamaged instead of the end when it is something else.

    A reader that jumps about sees parts of the bytes only, and nothing can be said of them.
    """

    def __init__(self, source: io.RawIOBase, sha256: str, where: str) -> None:
        self._source = source
        self._sha256 = sha256
        self._where = where
        self._digest = hashlib.sha256()
        self._in_order = True

    def readable(self) -> bool:
        """Yes."""
        return True

    def seekable(self) -> bool:
        """As the source."""
        return self._source.seekable()

    def tell(self) -> int:
        """Where the next byte comes from."""
        return self._source.tell()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Goes elsewhere; back at the beginning, the hash begins anew."""
        before = self._source.tell()
        position = self._source.seek(offset, whence)
        if position == 0:
            self._digest, self._in_order = hashlib.sha256(), True
        elif position != before:
            self._in_order = False
        return position

    def readinto(self, buffer: Any) -> int:
        """Fills as much of the buffer as has arrived."""
        size = self._source.readinto(buffer) or 0
        if size:
            self._digest.update(memoryview(buffer)[:size])
        elif self._in_order and len(buffer) and self._digest.hexdigest() != self._sha256:
            raise damaged(self._where, f"its bytes have the SHA-256 {self._digest.hexdigest()}")
        return size

    def close(self) -> None:
        """Closes the source."""
        self._source.close()
        super().close()
