"""The first rows of a file, read in a process of its own: a bad file costs a sentence."""

import logging
import shutil
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from crawler.errors import NotATable, StorageError, TallyhoError
from crawler.readers.bounds import Bounds
from crawler.readers.choosing import choose
from crawler.readers.content import DroppedLine, Trouble
from crawler.readers.reading import read_content
from crawler.validation.failure import PoolFailure
from crawler.validation.file_memory import limit_memory_of
from crawler.validation.pool import ReadingPool
from crawler.validation.reader_memory import ReaderMemory, ReadersBusy

if TYPE_CHECKING:
    import pandas as pd

log = logging.getLogger(__name__)

MAX_ROWS = 20
MAX_COLUMNS = 30
MAX_TABLES = 40
MAX_DROPPED = 20
MAX_CELL = 200
MAX_FILE = 20 * 1000**2
SMALL_FILE = 1000**2
"""Up to this size the rows are shown without being asked for."""
MAX_SECONDS = 10.0
MAX_WAIT = 20.0
"""Seconds that a preview waits for memory that validation and other previews take."""
_MEMORY = 1000**3
_UNPACKED = 200 * 1000**2
_PAGES = 3
_READERS = 2
_PRELOADED = ("pandas", "pyarrow.csv", "lxml.etree", "python_calamine")
"""What most previews need; the first visitor waits for these imports."""
_KEPT = 128


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows, or a sentence that says why there are none."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    sentence: str = ""
    more_columns: int = 0
    table: str = ""
    """The name of the table that is shown; empty for the only one."""
    tables: tuple[str, ...] = ()
    """The names of all tables, the best first."""
    dropped: tuple[DroppedLine, ...] = ()
    """Lines of the table's source that are no rows: titles and notes."""


@dataclass(frozen=True, slots=True)
class FileToShow:
    """A file on this machine's disk."""

    path: Path
    name: str
    bounds: Bounds
    table: str = ""
    """The name of the table to show; empty for the best one."""


class Previewer:
    """Reads files for previews, a few at a time, and remembers the last ones."""

    def __init__(
        self,
        seconds: float = MAX_SECONDS,
        wait: float = MAX_WAIT,
        memory: ReaderMemory | None = None,
    ) -> None:
        self._bounds = Bounds(
            file_bytes=MAX_FILE,
            memory=_MEMORY,
            seconds=seconds,
            rows=MAX_ROWS,
            tables=MAX_TABLES,
            unpacked=_UNPACKED,
            pdf_pages=_PAGES,
        )
        # The processes start with the first preview.
        # Copies are in a folder of their own, as a reader reads nothing else.
        self._copies = tempfile.TemporaryDirectory(prefix="tallyho-preview-")
        self._pool = ReadingPool(
            _READERS,
            self._bounds,
            show_first_rows,
            preload=_PRELOADED,
            readable=[Path(self._copies.name)],
            memory=memory,
            wait_seconds=wait,
        )
        self._free = threading.BoundedSemaphore(_READERS)
        self._known: OrderedDict[str, Preview] = OrderedDict()
        self._lock = threading.Lock()

    def preview(
        self,
        sha256: str,
        size: int,
        open_file: Callable[[], BinaryIO],
        name: str = "",
        *,
        table: str = "",
    ) -> Preview:
        """The preview of the file that `open_file` gives; its name is one hint of many."""
        key = f"{sha256} {table}"
        with self._lock:
            if known := self._known.get(key):
                self._known.move_to_end(key)
                return known
        if size > MAX_FILE:
            return Preview(sentence="The file is too large for a preview; download it instead.")
        if not self._free.acquire(blocking=False):
            return Preview(sentence="Too many previews at the moment; try again in a minute.")
        try:
            preview = self._read(open_file, name, table)
        except ReadersBusy as error:
            log.warning("no preview of %s: %s", sha256, error)
            return Preview(sentence="Other files are being read; try again in a minute.")
        except StorageError as error:
            log.warning("no preview of %s: %s", sha256, error)
            return Preview(sentence="The file cannot be fetched from the store at the moment.")
        except (TallyhoError, OSError) as error:
            log.warning("no preview of %s: %s", sha256, error)
            return Preview(sentence="There are no previews at the moment.")
        finally:
            self._free.release()
        self._remember(key, preview)
        return preview

    def known(self, sha256: str) -> bool:
        """Whether the preview of these bytes is remembered."""
        with self._lock:
            return f"{sha256} " in self._known

    def close(self) -> None:
        """Ends the processes; they also end with this one."""
        self._pool.close()
        self._copies.cleanup()

    def _read(self, open_file: Callable[[], BinaryIO], name: str, table: str) -> Preview:
        with tempfile.NamedTemporaryFile(dir=self._copies.name) as copy:
            with open_file() as source:
                shutil.copyfileobj(source, copy, 1024**2)
            copy.flush()
            preview = self._pool.run(FileToShow(Path(copy.name), name, self._bounds, table))
        return _explained(preview) if isinstance(preview, PoolFailure) else preview

    def _remember(self, key: str, preview: Preview) -> None:
        with self._lock:
            self._known[key] = preview
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)


def show_first_rows(file: FileToShow) -> Preview:
    """The first rows of the table that is wanted; runs in a process of the pool."""
    limit_memory_of(file.path, file.bounds)
    with file.path.open("rb") as stream:
        content = read_content(stream, name=file.name, bounds=file.bounds)
    if content.trouble is not None:
        return Preview(sentence=f"The file cannot be read: {content.detail}.")
    if not content.tables:
        return Preview(sentence="The file holds no table.")
    try:
        table = choose(content.tables, file.table or None)
    except NotATable as error:
        return Preview(sentence=f"{str(error)[:1].upper()}{str(error)[1:]}.")
    own = table.frame.iloc[:MAX_ROWS, : table.frame.shape[1] - table.flag_columns]
    return replace(
        _shown(own),
        table=table.name,
        tables=tuple(one.name for one in content.tables),
        dropped=table.dropped[:MAX_DROPPED],
    )


def _explained(failure: PoolFailure) -> Preview:
    if failure.trouble is Trouble.TIMEOUT:
        return Preview(sentence="Reading the file took too long; download it instead.")
    log.info("no preview: %s", failure.detail)
    return Preview(sentence="The file cannot be read as a table.")


def _shown(frame: "pd.DataFrame") -> Preview:
    kept = frame.iloc[:, :MAX_COLUMNS]
    rows = kept.astype(object).where(kept.notna(), None).to_numpy().tolist()
    return Preview(
        columns=tuple(_cell(name) for name in kept.columns),
        rows=tuple(tuple(_cell(cell) for cell in row) for row in rows),
        more_columns=max(0, frame.shape[1] - MAX_COLUMNS),
    )


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = str(value)
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - 1] + "…"
