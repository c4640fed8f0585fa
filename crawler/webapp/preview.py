"""The first rows of a file, read in a process of its own: a bad file costs a sentence."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from crawler.errors import NotATable
from crawler.readers.bounds import Bounds
from crawler.readers.content import DroppedLine
from crawler.validation.reader_memory import ReaderMemory
from crawler.webapp.read_on_demand import MAX_WAIT, ReadOnDemand, read_wanted, sentence_of

if TYPE_CHECKING:
    import pandas as pd

MAX_ROWS = 20
MAX_COLUMNS = 30
MAX_TABLES = 40
MAX_DROPPED = 20
MAX_CELL = 200
MAX_FILE = 20 * 1000**2
SMALL_FILE = 1000**2
"""Up to this size the rows are shown without being asked for."""
MAX_SECONDS = 10.0
_MEMORY = 1000**3
_UNPACKED = 200 * 1000**2
_PAGES = 3
_MAX_WHOLE = 10**15
"""Up to this a figure without a fraction is written without one: 56494, not 56494.0."""


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
    numbers: tuple[bool, ...] = ()
    """Which columns hold numbers."""


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
        self._files = ReadOnDemand(
            show_first_rows,
            self._bounds,
            lambda sentence: Preview(sentence=sentence),
            wait=wait,
            memory=memory,
        )

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
        return self._files.read(
            f"{sha256} {table}",
            size,
            open_file,
            lambda path: FileToShow(path, name, self._bounds, table),
        )

    def known(self, sha256: str) -> bool:
        """Whether the preview of these bytes is remembered."""
        return self._files.known(f"{sha256} ")

    def warm_up(self) -> None:
        """Starts a process now, as far as it can go before there is a file to show."""
        self._files.warm_up(lambda path: FileToShow(path, "", self._bounds))

    def close(self) -> None:
        """Ends the processes; they also end with this one."""
        self._files.close()


def show_first_rows(file: FileToShow) -> Preview:
    """The first rows of the table that is wanted; runs in a process of the pool."""
    try:
        reading = read_wanted(file.path, file.name, file.bounds, file.table)
    except NotATable as error:
        return Preview(sentence=sentence_of(error))
    table = reading.table
    return replace(
        _shown(table.own_columns.iloc[:MAX_ROWS]),
        table=table.name,
        tables=tuple(one.name for one in reading.content.tables),
        dropped=table.dropped[:MAX_DROPPED],
    )


def _shown(frame: "pd.DataFrame") -> Preview:
    kept = frame.iloc[:, :MAX_COLUMNS]
    rows = kept.astype(object).where(kept.notna(), None).to_numpy().tolist()
    return Preview(
        columns=tuple(_cell(name) for name in kept.columns),
        rows=tuple(tuple(_cell(cell) for cell in row) for row in rows),
        more_columns=max(0, frame.shape[1] - MAX_COLUMNS),
        numbers=tuple(kind.kind in "iuf" for kind in kept.dtypes),
    )


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < _MAX_WHOLE:
        value = int(value)
    text = str(value)
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - 1] + "…"
