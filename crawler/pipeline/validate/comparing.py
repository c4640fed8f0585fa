"""What a version of a file changed: both are read side by side, in a process that can be killed."""

import shutil
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path

from crawler.catalog.read.records import Version
from crawler.catalog.write.differences import Bytes
from crawler.differences.records import Difference
from crawler.errors import FileRemoved, ObjectDamaged
from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.storage.interface import ObjectStore
from crawler.validation.comparison import FilePair, compare_pair
from crawler.validation.failure import PoolFailure
from crawler.validation.pool import READERS, ReadingPool

MAX_BYTES = 200 * 1000**2
"""Versions that are larger are not compared: reading two of them costs more than it says."""
SAME_BYTES = "both versions have the same bytes"


StoredBytes = Bytes | Version
"""A version whose bytes are in the store."""


class Comparer(AbstractContextManager["Comparer"]):
    """Compares versions, one pair at a time; its process starts with the first comparison."""

    def __init__(
        self,
        store: ObjectStore,
        *,
        bounds: Bounds = DEFAULT_BOUNDS,
        wait_seconds: float | None = None,
    ) -> None:
        self._store = store
        self._bounds = bounds
        # Copies are in a folder of their own, as the process reads nothing else.
        self._copies = tempfile.TemporaryDirectory(prefix="tallyho-compare-")
        self._pool: ReadingPool[FilePair, Difference] = ReadingPool(
            1,
            bounds,
            compare_pair,
            preload=(
                *READERS,
                "crawler.readers.reading",
                "crawler.readers.delimited",
                "crawler.differences.compare",
            ),
            readable=[Path(self._copies.name)],
            wait_seconds=wait_seconds,
        )

    def compare(self, old: StoredBytes, new: StoredBytes, name: str) -> Difference:
        """What the newer version of a file says otherwise than the older one."""
        if old.sha256 == new.sha256:
            return Difference(reason=SAME_BYTES)
        if max(old.bytes, new.bytes) > MAX_BYTES:
            return Difference(reason="the versions are too large to be compared")
        with tempfile.TemporaryDirectory(dir=self._copies.name) as folder:
            try:
                before, after = (self._copy(one, Path(folder)) for one in (old, new))
            except (FileRemoved, ObjectDamaged) as error:
                return Difference(reason=error.message)
            compared = self._pool.run(FilePair(before, after, name, self._bounds))
        if isinstance(compared, PoolFailure):
            return Difference(reason=f"they cannot be compared: {compared.detail}")
        return compared

    def _copy(self, version: StoredBytes, folder: Path) -> Path:
        path = folder / version.sha256
        with self._store.open(version.sha256) as source, path.open("wb") as copy:
            shutil.copyfileobj(source, copy, 1024**2)
        return path

    def warm_up(self) -> None:
        """Starts the process now and lets it compare two small files."""
        with tempfile.TemporaryDirectory(dir=self._copies.name) as folder:
            before, after = (Path(folder) / name for name in ("before", "after"))
            before.write_text("region,year,births\nNord,2024,812\nSud,2024,790\n")
            after.write_text("region,year,births\nNord,2024,813\nSud,2024,790\n")
            self._pool.run(FilePair(before, after, "", self._bounds))

    def close(self) -> None:
        """Ends the process."""
        self._pool.close()
        self._copies.cleanup()

    def __exit__(self, *_: object) -> None:
        self.close()
