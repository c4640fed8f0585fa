"""What was read from a file: its kind, its tables, and how they are written."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from crawler.readers.kinds import Kind
from crawler.readers.ledger import Confidence, Ledger

if TYPE_CHECKING:
    import pandas as pd


TITLE, FOOTNOTE = "title", "footnote"
"""What a line was taken for that is no row of data."""


class Trouble(StrEnum):
    """Why a file, or a part of it, could not be read. The values are codes of reasons."""

    TRUNCATED = "truncated"
    CORRUPT = "corrupt"
    ENCRYPTED = "encrypted"
    BOMB = "bomb"
    """It unpacks to more than it may: archives, entities, cubes."""
    TOO_LARGE = "too-large"
    TOO_DEEP = "too-deep"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASHED = "crashed"
    """The process that read it died."""
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class TextDialect:
    """How a text writes its table."""

    encoding: str
    delimiter: str = ","
    decimal: str = "."


@dataclass(frozen=True, slots=True)
class DroppedLine:
    """A line of the source that is no row of data."""

    # Pydantic takes the docstrings below into the API's documentation.
    __pydantic_config__: ClassVar = {"extra": "forbid", "use_attribute_docstrings": True}

    row: int
    """Counted from 1 in the sheet or the text."""
    taken_for: str
    """`title` or `footnote`."""
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a file. The frame's columns are its header, several lines of it joined."""

    name: str
    """Of the sheet, the archive's member, or the place in the document; empty for the only one."""
    kind: Kind
    frame: "pd.DataFrame"
    rows: int
    """In the file; more than in the frame when `cut`."""
    has_header: bool = True
    cut: bool = False
    """Rows or columns beyond the bounds were left out of the frame."""
    widths: dict[int, int] = field(default_factory=dict)
    """Number of values in a row -> rows of a sample that have it; {} where it cannot vary."""
    repeated_headers: int = 0
    """Rows that say the header again."""
    repeated_names: tuple[str, ...] = ()
    """Names that several columns have in the file; in the frame the later ones have a number."""
    dropped: tuple[DroppedLine, ...] = ()
    """Titles above and notes below, the first of them; the ledger counts all."""
    dialect: TextDialect | None = None
    ledger: Ledger = field(default_factory=Ledger)
    confidence: Confidence = Confidence.DECLARED
    levels: tuple[tuple[str, ...], ...] = ()
    """The lines of the header, where there are several: a label, or none, for each column."""
    assumed: tuple[str, ...] = ()
    """What was assumed to read the values, in short sentences."""
    doubtful: tuple[str, ...] = ()
    """Rows of data that read like notes and were kept, as they have figures."""
    flag_columns: int = 0
    """The last columns of the frame that hold flags of others, and are none of the file."""
    hidden: bool = False
    """Whether the sheet is hidden from those who open the workbook."""
    aside: bool = False
    """Whether it is about the other tables, or hidden: described, but not judged."""

    @property
    def own_columns(self) -> "pd.DataFrame":
        """The columns of the file, without those that were made of its flags."""
        return self.frame.iloc[:, : self.frame.shape[1] - self.flag_columns]

    @property
    def footnotes(self) -> tuple[str, ...]:
        """The notes below the table, as far as they were kept."""
        return tuple(line.text for line in self.dropped if line.taken_for == FOOTNOTE)


@dataclass(frozen=True, slots=True)
class Paper:
    """What a document for people holds beside tables."""

    pages: int | None = None
    characters: int = 0
    """Of text on the pages that were looked at."""
    scanned: bool = False
    """Pictures of pages, no text."""
    sample: str = ""
    """The beginning of its text, to tell its language."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file of an archive that could not be read, or was passed over."""

    name: str
    kind: Kind
    trouble: Trouble | None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Content:
    """A file as it was read. Unreadable files have a trouble, and no tables."""

    kind: Kind
    tables: tuple[Table, ...] = ()
    paper: Paper | None = None
    parts: tuple[Part, ...] = ()
    inner: tuple[Kind, ...] = ()
    """Kinds of the files in an archive, without repetition, sorted."""
    trouble: Trouble | None = None
    detail: str = ""
    """The trouble, or what the file is, in a sentence without a full stop."""
