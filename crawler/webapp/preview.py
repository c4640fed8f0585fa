"""The first rows of a file, read in bounds: a bad file costs a sentence, not the page."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from dataclasses import dataclass

from crawler.errors import StorageError, TallyhoError

log = logging.getLogger(__name__)

MOST_ROWS = 20
MOST_COLUMNS = 30
LONGEST_CELL = 200
LARGEST_FILE = 20 * 1000**2
SMALL_FILE = 1000**2
"""Up to this size the rows are shown without being asked for."""
MOST_SECONDS = 10.0
_READERS = 2
_KEPT = 128


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows, or a sentence that says why there are none."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    sentence: str = ""
    more_columns: int = 0


Table = tuple[list[str], list[list[object]]]
"""Names of columns, and rows."""


class Previewer:
    """Reads files for previews, a few at a time, and remembers the last ones."""

    def __init__(self, seconds: float = MOST_SECONDS) -> None:
        self._seconds = seconds
        self._free = threading.BoundedSemaphore(_READERS)
        self._known: OrderedDict[str, Preview] = OrderedDict()
        self._lock = threading.Lock()

    def preview(self, sha256: str, size: int, read: Callable[[], Table]) -> Preview:
        """The preview of a file; `read` gives its first rows and may take long or fail."""
        with self._lock:
            if known := self._known.get(sha256):
                self._known.move_to_end(sha256)
                return known
        if size > LARGEST_FILE:
            return Preview(sentence="The file is too large for a preview; download it instead.")
        # A thread cannot be ended: one that hangs keeps its place until it is done, but as a daemon
        # it does not keep the server from ending.
        if not self._free.acquire(blocking=False):
            return Preview(sentence="Too many previews at the moment; try again in a minute.")
        result: Future[Preview] = Future()
        threading.Thread(
            target=self._work, args=(result, sha256, read), name="preview", daemon=True
        ).start()
        try:
            return result.result(timeout=self._seconds)
        except TooLate:
            return Preview(sentence="Reading the file took too long; download it instead.")

    def known(self, sha256: str) -> bool:
        """Whether the preview of these bytes is remembered."""
        with self._lock:
            return sha256 in self._known

    def _work(self, result: "Future[Preview]", sha256: str, read: Callable[[], Table]) -> None:
        try:
            result.set_result(self._read(sha256, read))
        except BaseException as error:
            result.set_exception(error)
        finally:
            self._free.release()

    def _read(self, sha256: str, read: Callable[[], Table]) -> Preview:
        try:
            preview = _shown(*read())
        except StorageError as error:
            log.warning("no preview of %s: %s", sha256, error)
            return Preview(sentence="The file cannot be fetched from the store at the moment.")
        except TallyhoError as error:
            preview = Preview(sentence=f"No preview: {error.message}")
        except Exception as error:  # readers of a dozen formats, on whatever the web holds
            log.info("no preview of %s: %r", sha256, error)
            preview = Preview(sentence="The file cannot be read as a table.")
        with self._lock:
            self._known[sha256] = preview
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return preview


def _shown(columns: list[str], rows: list[list[object]]) -> Preview:
    if not columns:
        return Preview(sentence="The file holds no table.")
    return Preview(
        columns=tuple(_cell(name) for name in columns[:MOST_COLUMNS]),
        rows=tuple(tuple(_cell(cell) for cell in row[:MOST_COLUMNS]) for row in rows[:MOST_ROWS]),
        more_columns=max(0, len(columns) - MOST_COLUMNS),
    )


def _cell(value: object) -> str:
    # NaN and NaT differ from themselves.
    if value is None or value != value:
        return ""
    text = str(value)
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"
