"""A blob in S3 as a file that can be read from anywhere, without a copy on disk."""

import hashlib
import io
from typing import Any

from botocore.exceptions import (
    ConnectionClosedError,
    IncompleteReadError,
    ReadTimeoutError,
    ResponseStreamingError,
)

from crawler.errors import StorageError
from crawler.storage.hashes import damaged
from crawler.storage.s3_errors import naming_object

_BROKEN_OFF = (
    ConnectionClosedError,
    IncompleteReadError,
    ReadTimeoutError,
    ResponseStreamingError,
)
_REOPENED = 3
"""How often a stream that breaks off is taken up again without a byte in between."""


class S3Reader(io.RawIOBase):
    """Streams from where it stands; a jump, or a broken connection, begins a new request.

    With a `sha256`, ObjectDamaged comes instead of the end when the bytes have another one. A
    reader that jumps about sees parts of the bytes only, and nothing can be said of them.
    """

    def __init__(
        self, client: Any, bucket: str, key: str, size: int, where: str, sha256: str | None = None
    ) -> None:
        self._client = client
        self._bucket = bucket
        self._key = key
        self._where = where
        self._size = size
        self._position = 0
        self._body: Any = None
        self._sha256 = sha256
        self._digest = hashlib.sha256()
        self._in_order = True

    def readable(self) -> bool:
        """Yes."""
        return True

    def seekable(self) -> bool:
        """Yes, at the price of a request."""
        return True

    def tell(self) -> int:
        """Where the next byte comes from."""
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Goes elsewhere; nothing is requested before the next read.

        Back at the beginning, the hash begins anew.
        """
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        position = start + offset
        if position < 0:
            raise ValueError("before the beginning of the file")
        if position == 0:
            self._digest, self._in_order = hashlib.sha256(), True
        elif position != self._position:
            self._in_order = False
        if position != self._position:
            self._hang_up()
            self._position = position
        return position

    def readinto(self, buffer: Any) -> int:
        """Fills as much of the buffer as has arrived."""
        wanted = min(len(buffer), self._size - self._position)
        if wanted <= 0:
            if len(buffer):
                self._compare()
            return 0
        data = self._read(wanted)
        if self._sha256 is not None:
            self._digest.update(data)
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)

    def close(self) -> None:
        """Gives the connection back."""
        self._hang_up()
        super().close()

    def _compare(self) -> None:
        """At the end: whether what was read in order is what was stored."""
        present = self._digest.hexdigest()
        if self._sha256 is not None and self._in_order and present != self._sha256:
            raise damaged(self._where, f"its bytes have the SHA-256 {present}")

    def _read(self, wanted: int) -> bytes:
        with naming_object(self._where):
            for attempt in range(_REOPENED + 1):
                try:
                    if self._body is None:
                        self._body = self._request()
                    data: bytes = self._body.read(wanted)
                except _BROKEN_OFF:
                    self._hang_up()
                    if attempt == _REOPENED:
                        raise
                    continue
                if data:
                    return data
                self._hang_up()
        raise StorageError(f"{self._where}: ended after {self._position} of {self._size} bytes")

    def _request(self) -> Any:
        start = {"Range": f"bytes={self._position}-"} if self._position else {}
        return self._client.get_object(Bucket=self._bucket, Key=self._key, **start)["Body"]

    def _hang_up(self) -> None:
        if self._body is not None:
            self._body.close()
            self._body = None
