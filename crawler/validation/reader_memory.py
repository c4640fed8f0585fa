"""The memory of all readers on a machine together: a reader works while it holds its share of it.

Each reader is limited by itself, but several workers, previews and commands read at the same time.
Shares are locks on files that all processes of this user know; a lock ends with its process.
"""

import fcntl
import os
import random
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crawler.errors import StorageError

SHARE_BYTES = 1000**3
PART_OF_THE_MACHINE = 0.75
"""How much of its memory readers may take together."""
_CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
_FIRST_PAUSE, _MAX_PAUSE = 0.01, 0.2


def machine_memory() -> int:
    """Bytes of memory of this machine, or of the container that this process is in."""
    sizes = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for path in _CGROUP_LIMITS:
        try:
            sizes.append(int(Path(path).read_text()))
        except (OSError, ValueError):
            continue
    return min(sizes)


class ReaderMemory:
    """The shares of a machine; there is one at least, so that a small machine reads one by one."""

    def __init__(self, folder: Path | None = None, total: int | None = None) -> None:
        self._folder = folder or Path(tempfile.gettempdir()) / f"tallyho-readers-{os.getuid()}"
        total = total if total is not None else int(PART_OF_THE_MACHINE * machine_memory())
        self.shares = max(1, total // SHARE_BYTES)

    def shares_of(self, memory: int) -> int:
        """How many shares a reader with so much memory takes; at most all of them."""
        return min(self.shares, max(1, -(-memory // SHARE_BYTES)))

    @contextmanager
    def held(self, memory: int) -> Iterator[None]:
        """Waits for the shares of one reader and holds them."""
        wanted, pause = self.shares_of(memory), _FIRST_PAUSE
        while len(held := self._take(wanted)) < wanted:
            _give_back(held)
            # Two that each hold a part of what they need must not meet again at once.
            time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311
            pause = min(2 * pause, _MAX_PAUSE)
        try:
            yield
        finally:
            _give_back(held)

    def _take(self, wanted: int) -> list[int]:
        held: list[int] = []
        self._make_folder()
        for number in range(self.shares):
            if len(held) == wanted:
                break
            handle = os.open(
                self._folder / f"share-{number}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
            )
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(handle)
            else:
                held.append(handle)
        return held

    def _make_folder(self) -> None:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        found = self._folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            raise StorageError(f"{self._folder} belongs to somebody else: remove it")


def _give_back(handles: list[int]) -> None:
    for handle in handles:
        os.close(handle)
