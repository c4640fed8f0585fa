"""Files that are read when somebody asks: a few at a time, in processes that can be killed."""

import logging
import shutil
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar

from crawler.errors import StorageError, TallyhoError
from crawler.readers.bounds import Bounds
from crawler.readers.content import Trouble
from crawler.readers.reading import Reading, read_file
from crawler.validation.failure import PoolFailure
from crawler.validation.file_memory import limit_memory_of
from crawler.validation.pool import ReadingPool
from crawler.validation.reader_memory import ReaderMemory, ReadersBusy

log = logging.getLogger(__name__)

MAX_WAIT = 20.0
"""Seconds that an answer waits for memory that validation and others take."""
_READERS = 2
_PRELOADED = (
    "pandas",
    "pyarrow.csv",
    "lxml.etree",
    "python_calamine",
    "crawler.readers.reading",
    "crawler.readers.delimited",
)
"""What most files need; the first visitor waits for these imports."""
_KEPT = 128
_SMALL_FILE = b"region,year,births\nNord,2024,812\nSud,2024,790\n"

Item = TypeVar("Item")
Result = TypeVar("Result")


def read_wanted(path: Path, name: str, bounds: Bounds, table: str) -> Reading:
    """A file with its best table, or the one of this name, in a process of the pool.

    NotATable says why there is none.
    """
    limit_memory_of(path, bounds)
    with path.open("rb") as stream:
        return read_file(stream, name=name, table=table or None, bounds=bounds)


def sentence_of(error: Exception) -> str:
    """What an error says, as a whole sentence."""
    return f"{str(error)[:1].upper()}{str(error)[1:]}."


class ReadOnDemand(Generic[Item, Result]):
    """Runs a task on files of the store, and remembers the last answers."""

    def __init__(
        self,
        task: Callable[[Item], Result],
        bounds: Bounds,
        refused: Callable[[str], Result],
        *,
        wait: float = MAX_WAIT,
        memory: ReaderMemory | None = None,
    ) -> None:
        """`refused` makes an answer of a sentence that says why there is no other."""
        self._bounds = bounds
        self._refused = refused
        # The processes start with the first file.
        # Copies are in a folder of their own, as a reader reads nothing else.
        self._copies = tempfile.TemporaryDirectory(prefix="tallyho-preview-")
        self._pool = ReadingPool(
            _READERS,
            bounds,
            task,
            preload=_PRELOADED,
            readable=[Path(self._copies.name)],
            memory=memory,
            wait_seconds=wait,
        )
        self._free = threading.BoundedSemaphore(_READERS)
        self._known: OrderedDict[str, Result] = OrderedDict()
        self._lock = threading.Lock()

    def read(
        self,
        key: str,
        size: int,
        open_file: Callable[[], BinaryIO],
        item_of: Callable[[Path], Item],
    ) -> Result:
        """The answer for the file that `open_file` gives; `key` is what it is remembered by."""
        with self._lock:
            if known := self._known.get(key):
                self._known.move_to_end(key)
                return known
        if size > self._bounds.file_bytes:
            return self._refused("The file is too large for a preview; download it instead.")
        if not self._free.acquire(blocking=False):
            return self._refused("Too many previews at the moment; try again in a minute.")
        try:
            result = self._read(open_file, item_of)
        except ReadersBusy as error:
            log.warning("no preview of %s: %s", key, error)
            return self._refused("Other files are being read; try again in a minute.")
        except StorageError as error:
            log.warning("no preview of %s: %s", key, error)
            return self._refused("The file cannot be fetched from the store at the moment.")
        except (TallyhoError, OSError) as error:
            log.warning("no preview of %s: %s", key, error)
            return self._refused("There are no previews at the moment.")
        finally:
            self._free.release()
        with self._lock:
            self._known[key] = result
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return result

    def known(self, key: str) -> bool:
        """Whether the answer of this key is remembered."""
        with self._lock:
            return key in self._known

    def warm_up(self, item_of: Callable[[Path], Item]) -> None:
        """Starts a process now and lets it read a small file: the first takes six times as long."""
        try:
            self._read(lambda: BytesIO(_SMALL_FILE), item_of)
        except (TallyhoError, OSError) as error:
            log.info("the first reader did not start: %s", error)

    def close(self) -> None:
        """Ends the processes; they also end with this one."""
        self._pool.close()
        self._copies.cleanup()

    def _read(self, open_file: Callable[[], BinaryIO], item_of: Callable[[Path], Item]) -> Result:
        with tempfile.NamedTemporaryFile(dir=self._copies.name) as copy:
            with open_file() as source:
                shutil.copyfileobj(source, copy, 1024**2)
            copy.flush()
            result = self._pool.run(item_of(Path(copy.name)))
        return self._explained(result) if isinstance(result, PoolFailure) else result

    def _explained(self, failure: PoolFailure) -> Result:
        if failure.trouble is Trouble.TIMEOUT:
            return self._refused("Reading the file took too long; download it instead.")
        log.info("no preview: %s", failure.detail)
        return self._refused("The file cannot be read as a table.")
