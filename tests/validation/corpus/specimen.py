"""One file of the corpus, and what a careful person would say of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from crawler.readers.kinds import Kind
from crawler.validation.outcome import ColumnRole, ColumnType, Judgement


@dataclass(frozen=True, slots=True)
class Before:
    """The version of the file that came before it."""

    rows: int
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """A table of the file; what is None or empty is not asked."""

    rows: int | None = None
    width: int | None = None
    names: tuple[str, ...] = ()
    """All columns, in their order."""
    types: dict[str, ColumnType] = field(default_factory=dict)
    roles: dict[str, ColumnRole] = field(default_factory=dict)
    least: dict[str, str] = field(default_factory=dict)
    most: dict[str, str] = field(default_factory=dict)
    nulls: dict[str, float] = field(default_factory=dict)
    table: str = ""
    """What its name contains: a sheet, a member."""
    encoding: str = ""
    """The bytes must mean the same in this encoding and in the one that was found."""
    delimiter: str = ""
    decimal: str = ""
    footnotes: int | None = None
    titles: int | None = None
    first: tuple[Any, ...] = ()
    last: tuple[Any, ...] = ()
    """The first and the last row as `read` gives them, gaps as None."""
    cut: bool | None = None


@dataclass(frozen=True, slots=True)
class Specimen:
    """One file of the corpus."""

    name: str
    make: Callable[[], bytes]
    kind: Kind
    verdict: Judgement
    file_name: str = ""
    declared: str = ""
    """The Content-Type of the answer that brought it."""
    reasons: tuple[str, ...] = ()
    """Codes, all of them; `a|b` where either is right."""
    tables: tuple[Expected, ...] | None = None
    inner: tuple[Kind, ...] | None = None
    pages: int | None = None
    scanned: bool | None = None
    language: str | None = None
    before: Before | None = None
    only_first_table: bool = False
    """Whether other tables may follow the one that is asked for."""
    is_large: bool = False
    """Read once, not twice."""


def bytes_of(body: bytes) -> Callable[[], bytes]:
    """For specimens that are small enough to lie about."""
    return lambda: body


def text_of(text: str, encoding: str = "utf-8") -> Callable[[], bytes]:
    """The text in an encoding."""
    return lambda: text.encode(encoding)
