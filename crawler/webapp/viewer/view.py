"""Which rows of a table are wanted; the address of a page holds all of it."""

import re
from dataclasses import dataclass
from enum import StrEnum

MAX_FILTERS = 8
MAX_PAGE = 500
"""Rows of one answer."""
MAX_EXPORTED = 10_000
"""Rows of one CSV or Parquet answer; a longer table is asked for in parts."""
MAX_OFFSET = 1_000_000


class Comparison(StrEnum):
    """How a filter compares a cell with its value."""

    AT_LEAST = ">="
    AT_MOST = "<="
    NOT = "!="
    IS = "="
    MORE = ">"
    LESS = "<"
    CONTAINS = "~"


_FILTER = re.compile(r"(?P<column>.+?)(?P<comparison>>=|<=|!=|=|>|<|~)(?P<value>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on the cells of one column."""

    column: str
    comparison: Comparison
    value: str

    def __str__(self) -> str:
        return f"{self.column}{self.comparison.value}{self.value}"


@dataclass(frozen=True, slots=True)
class View:
    """Which table, which rows of it, and in which order."""

    table: str = ""
    """Its name; empty for the best one."""
    sort: str = ""
    """A column; with a minus before it, the largest first."""
    filters: tuple[Filter, ...] = ()
    offset: int = 0
    limit: int = 50
    figures: bool = False
    """Whether columns are counted and charts are drawn as well."""


def read_filter(text: str) -> Filter:
    """A filter such as `year>=2019`, `region=Corsica` or `title~births`; ValueError for others."""
    match = _FILTER.fullmatch(text)
    if match is None:
        raise ValueError(
            f"{text[:60]!r} is no filter: write a column, one of = != > < >= <= ~ and a value"
        )
    return Filter(match["column"].strip(), Comparison(match["comparison"]), match["value"].strip())
