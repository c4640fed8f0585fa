"""A file that is being received, whatever store it goes to."""

from collections.abc import Callable

from crawler.storage.durable_file import naming
from crawler.storage.interface import Blob
from crawler.storage.spool_file import SpoolFile


class BlobSpool:
    """Spools to this machine's disk; `keep` is how its store makes a complete file a blob."""

    def __init__(self, file: SpoolFile, keep: Callable[[SpoolFile, Blob], None]) -> None:
        self._file = file
        self._keep = keep

    def write(self, data: bytes) -> None:
        """Adds bytes."""
        with naming(self._file.path):
            self._file.write(data)

    def finish(self) -> Blob:
        """Makes the bytes a durable blob and ends the spool; the same bytes are stored once."""
        blob = Blob(sha256=self._file.sha256, size=self._file.size)
        self._keep(self._file, blob)
        self.discard()
        return blob

    def discard(self) -> None:
        """Forgets what was written; does nothing after the end."""
        with naming(self._file.path):
            self._file.remove()
