"""What was read from a file: its kind, its tables, and how they are written."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from crawler.readers.kinds import Kind

if TYPE_CHECKING:
    import pandas as pd


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
    thousands: str = ""
    preamble: int = 0
    """Lines before the header: a title, a source."""
    header_lines: int = 1


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
    """Number of values in a row -> rows that have so many, of a sample; {} where it cannot vary."""
    repeated_headers: int = 0
    """Rows that say the header again."""
    repeated_names: tuple[str, ...] = ()
    """Names that several columns have in the file; in the frame the later ones have a number."""
    footnotes: tuple[str, ...] = ()
    """Lines after the table that are not part of it (a few of them)."""
    dialect: TextDialect | None = None


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
