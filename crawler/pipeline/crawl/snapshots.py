"""Snapshots of a crawl's state in the object store: another machine can resume from the newest."""

import gzip
import json
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from crawler.state.crawl_state import CrawlState
from crawler.storage.interface import ObjectStore

MIN_SECONDS = 60.0
MIN_WORK = 20
"""The next snapshot waits this many times as long as the last one took: a twentieth at most."""
_NEWEST = "newest"
KEPT = 2
"""Snapshots that stay beside the newest, for one that turns out damaged."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """The newest snapshot."""

    key: str
    fence: int
    step: int

    def encode(self) -> bytes:
        """As it is stored."""
        return json.dumps(asdict(self)).encode()

    @staticmethod
    def decode(data: bytes) -> "Pointer":
        """Back from the store."""
        return Pointer(**json.loads(data))


def pointer_key(site: str) -> str:
    """Where the store says which snapshot of a site is the newest."""
    return f"state/{site}/{_NEWEST}"


def snapshot_times(store: ObjectStore) -> dict[str, datetime]:
    """When the newest snapshot of each site was stored, in one listing."""
    times = {}
    for stored in store.stored_objects("state/"):
        site, _, name = stored.key.removeprefix("state/").partition("/")
        if name == _NEWEST:
            times[site] = stored.stored_at
    return times


class Snapshots:
    """Takes snapshots of one site's state, and brings the newest one back."""

    def __init__(
        self,
        store: ObjectStore,
        site: str,
        fence: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._prefix = f"state/{site}"
        self._pointer_key = pointer_key(site)
        self._fence = fence
        self._clock = clock
        self._taken_at = clock()
        self._took = 0.0

    def newer_than(self, state: CrawlState | None) -> Pointer | None:
        """The newest snapshot, where another machine has written it since this state was, if any.

        A state that was written under the newest fence is at least as new as any snapshot of it.
        """
        data = self._store.get_object(self._pointer_key)
        if data is None:
            return None
        pointer, run = Pointer.decode(data), state.run() if state is not None else None
        return pointer if run is None or run.fence < pointer.fence else None

    def restore(self, pointer: Pointer, path: Path) -> None:
        """Put a snapshot in the place of the state file at `path`, which nobody has open."""
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            packed, state = Path(folder) / "packed", Path(folder) / "state"
            self._store.download(pointer.key, packed)
            with gzip.open(packed, "rb") as source, state.open("wb") as target:
                shutil.copyfileobj(source, target)
            for part in ("-wal", "-shm"):
                path.with_name(path.name + part).unlink(missing_ok=True)
            state.replace(path)

    def due(self) -> bool:
        """Whether enough work was done since the last one."""
        return self.age() >= max(MIN_SECONDS, MIN_WORK * self._took)

    def age(self) -> float:
        """Seconds since the last one, or since the work began."""
        return self._clock() - self._taken_at

    def take(self, state: CrawlState, step: int) -> None:
        """Store a snapshot and move the pointer to it, unless a later holder moved it already."""
        start = self._clock()
        key = f"{self._prefix}/{self._fence:010d}/{step:012d}.db.gz"
        with tempfile.TemporaryDirectory(dir=state.path.parent) as folder:
            copy, packed = Path(folder) / "state", Path(folder) / "packed"
            state.copy_to(copy)
            with copy.open("rb") as source, gzip.open(packed, "wb", compresslevel=1) as target:
                shutil.copyfileobj(source, target)
            self._store.put_object(key, packed)
        if self._point_to(Pointer(key, self._fence, step)):
            self._forget_old(key)
        self._taken_at = self._clock()
        self._took = self._taken_at - start

    def _point_to(self, pointer: Pointer) -> bool:
        while True:
            before = self._store.get_object(self._pointer_key)
            if before is not None and Pointer.decode(before).fence > pointer.fence:
                return False
            if self._store.swap_pointer(self._pointer_key, before, pointer.encode()):
                return True

    def _forget_old(self, newest: str) -> None:
        keys = sorted(key for key in self._store.objects(f"{self._prefix}/") if key != newest)
        snapshots = [key for key in keys if key.endswith(".db.gz")]
        for key in snapshots[:-KEPT]:
            self._store.delete_object(key)
