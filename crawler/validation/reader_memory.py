"""The memory of all readers on a machine together: a reader works while it holds its share of it.

Each reader is limited by itself, but several workers, previews and commands read at the same time.
Shares are locks on files that all processes of this user know; a lock ends with its process. Those
that wait stand in line, so that nobody waits for longer than the readers before it work.
"""

import fcntl
import os
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from crawler.errors import StorageError, TallyhoError

SHARE_BYTES = 1000**3
PART_OF_THE_MACHINE = 0.75
"""How much of its memory readers may take together."""
_CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
_FIRST_PAUSE, _MAX_PAUSE = 0.01, 0.2
_PLACE = "waiting-"


class ReadersBusy(TallyhoError):
    """Other readers hold the memory for longer than this one can wait."""

    retryable = True


def machine_memory() -> int:
    """Bytes of memory of this machine, or of the container that this process is in."""
    sizes = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for path in _CGROUP_LIMITS:
        try:
            sizes.append(int(Path(path).read_text()))
        except (OSError, ValueError):
            continue
    return min(sizes)


def shared_folder() -> Path:
    """Where all processes of this user on this machine meet."""
    return Path(tempfile.gettempdir()) / f"tallyho-readers-{os.getuid()}"


class ReaderMemory:
    """The shares of a machine; there is one at least, so that a small machine reads one by one."""

    def __init__(self, folder: Path | None = None, total: int | None = None) -> None:
        self._folder = folder or shared_folder()
        total = total if total is not None else int(PART_OF_THE_MACHINE * machine_memory())
        self.shares = max(1, total // SHARE_BYTES)

    def shares_of(self, memory: int) -> int:
        """How many shares a reader with this much memory takes; at most all of them."""
        return min(self.shares, max(1, -(-memory // SHARE_BYTES)))

    @contextmanager
    def held(
        self,
        memory: int,
        seconds: float | None = None,
        is_given_up: Callable[[], bool] = lambda: False,
    ) -> Iterator[None]:
        """Waits for the shares of one reader and holds them.

        Raises `ReadersBusy` after so many seconds, or when the caller gives up.
        """
        wanted = self.shares_of(memory)
        # A reader that needs one share, as previews do, may pass those that wait for several.
        shares = self._take(1) if wanted == 1 else []
        if not shares:
            deadline = None if seconds is None else time.monotonic() + seconds
            shares = self._wait(wanted, deadline, is_given_up)
        try:
            yield
        finally:
            _give_back(shares)

    def _wait(
        self, wanted: int, deadline: float | None, is_given_up: Callable[[], bool]
    ) -> list[int]:
        pause = _FIRST_PAUSE
        with self._place_in_line() as place:
            while True:
                if self._is_first(place):
                    if len(shares := self._take(wanted)) == wanted:
                        return shares
                    _give_back(shares)
                if is_given_up() or (deadline is not None and time.monotonic() >= deadline):
                    raise ReadersBusy("other files are being read, which takes all the memory")
                time.sleep(pause)
                pause = min(2 * pause, _MAX_PAUSE)

    @contextmanager
    def _place_in_line(self) -> Iterator[str]:
        self._make_folder()
        # The clock is that of the machine, so that processes agree on who came first.
        name = f"{_PLACE}{time.monotonic_ns():020}-{os.getpid()}-{threading.get_ident()}"
        handle = self._open(name)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield name
        finally:
            with suppress(OSError):
                (self._folder / name).unlink()
            os.close(handle)

    def _is_first(self, place: str) -> bool:
        places = sorted(path.name for path in self._folder.glob(f"{_PLACE}*"))
        return not any(self._is_held(name) for name in places if name < place)

    def _is_held(self, place: str) -> bool:
        """Whether somebody waits there; the place of a process that died is removed."""
        try:
            handle = os.open(self._folder / place, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        else:
            with suppress(FileNotFoundError):
                (self._folder / place).unlink()
            return False
        finally:
            os.close(handle)

    def _take(self, wanted: int) -> list[int]:
        """As many shares as are free, at most those wanted."""
        shares: list[int] = []
        self._make_folder()
        for number in range(self.shares):
            if len(shares) == wanted:
                break
            handle = self._open(f"share-{number}")
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(handle)
            else:
                shares.append(handle)
        return shares

    def _open(self, name: str) -> int:
        return os.open(self._folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def _make_folder(self) -> None:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        status = self._folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
            raise StorageError(f"{self._folder} belongs to somebody else: remove it")


def _give_back(shares: list[int]) -> None:
    for handle in shares:
        os.close(handle)
