"""The facts of a whole batch of files as one table, over which expectations are asked.

One row per file with what is known of the file, one row per table with what is known of the table.
A fact of the other level is empty in a row, and an expectation passes over what is empty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from crawler.readers.kinds import NOT_DATA, Kind
from crawler.validation.facts import FileFacts, TableFacts
from crawler.validation.inspection import Inspection
from crawler.validation.plain import listed

if TYPE_CHECKING:
    import pandas as pd

FILE, TABLE = "file", "table"
"""The two columns that say which row is about what: places in the batch, -1 for no table."""
NO_TABLE = -1

Cell = float | bool | str | None
Row = dict[str, Cell]


class Unit(StrEnum):
    """How a fact is written in a sentence."""

    COUNT = "count"
    SHARE = "share"
    YEAR = "year"
    SWITCH = "yes or no"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Fact:
    """A column of the table of facts."""

    name: str
    of: str
    unit: Unit
    meaning: str
    field: str = ""
    """The field of `FileFacts` or `TableFacts` that it comes from, where that has another name."""


FACTS: dict[str, Fact] = {fact.name: fact for fact in (
    Fact("trouble", FILE, Unit.TEXT, "why the file cannot be read"),
    Fact("detail", FILE, Unit.TEXT, "the same in words"),
    Fact("kind", FILE, Unit.TEXT, "what the file is"),
    Fact("dataset", FILE, Unit.SWITCH, "whether it is of a kind that may hold data"),
    Fact("announced", FILE, Unit.TEXT, "what name and server say it is, where it is not",
         "disagreement"),
    Fact("tables", FILE, Unit.COUNT, "tables in it"),
    Fact("rows", FILE, Unit.COUNT, "rows of all its tables"),
    Fact("numeric_share", FILE, Unit.SHARE, "numbers among the cells beside time and place, in "
         "the table that has most"),
    Fact("unread_parts", FILE, Unit.COUNT, "files of an archive that could not be read"),
    Fact("unread_names", FILE, Unit.TEXT, "their names"),
    Fact("row_ratio", FILE, Unit.SHARE, "rows against those of the previous version"),
    Fact("previous_rows", FILE, Unit.COUNT, "rows of the previous version"),
    Fact("columns_lost", FILE, Unit.COUNT, "columns that the previous version had"),
    Fact("lost_names", FILE, Unit.TEXT, "their names", "columns_lost"),
    Fact("columns_added", FILE, Unit.COUNT, "columns that the previous version had not"),
    Fact("added_names", FILE, Unit.TEXT, "their names", "columns_added"),
    Fact("missing_columns", FILE, Unit.COUNT, "columns that the site requires and that are not "
         "there"),
    Fact("missing_names", FILE, Unit.TEXT, "their names", "missing_columns"),
    Fact("table_rows", TABLE, Unit.COUNT, "rows of the table", "rows"),
    Fact("width", TABLE, Unit.COUNT, "columns of the table"),
    Fact("has_header", TABLE, Unit.SWITCH, "whether its columns have names"),
    Fact("ragged_share", TABLE, Unit.SHARE, "rows with another number of values than most"),
    Fact("repeated_headers", TABLE, Unit.COUNT, "rows that say the header again"),
    Fact("repeated_names", TABLE, Unit.COUNT, "names that several columns have"),
    Fact("repeated_list", TABLE, Unit.TEXT, "these names", "repeated_names"),
    Fact("unnamed_share", TABLE, Unit.SHARE, "columns without a name"),
    Fact("empty_columns", TABLE, Unit.COUNT, "columns without a value"),
    Fact("dates_share", TABLE, Unit.SHARE, "values that are dates or periods, in the column of "
         "dates that has the fewest"),
    Fact("dates_column", TABLE, Unit.TEXT, "that column"),
    Fact("least_year", TABLE, Unit.YEAR, "the first year in a column of years or dates"),
    Fact("most_year", TABLE, Unit.YEAR, "the last year"),
    Fact("year_column", TABLE, Unit.TEXT, "the column with the oddest year"),
    Fact("unaccounted", TABLE, Unit.COUNT, "rows of the source that were taken for nothing"),
    Fact("footnote_share", TABLE, Unit.SHARE, "notes against rows of data, of which at least "
         "twenty are assumed"),
    Fact("data_share", TABLE, Unit.SHARE, "rows of data among all filled rows; not for small "
         "tables"),
    Fact("doubtful_rows", TABLE, Unit.COUNT, "rows of data that read like notes"),
    Fact("doubtful_list", TABLE, Unit.TEXT, "these rows", "doubtful_rows"),
    Fact("guessed", TABLE, Unit.SWITCH, "whether the table was guessed from its layout"),
    Fact("prose_share", TABLE, Unit.SHARE, "sentences among the texts"),
    Fact("out_of_range", TABLE, Unit.COUNT, "cells outside of the ranges that the site gives"),
    Fact("out_of_range_column", TABLE, Unit.TEXT, "the column with most of them"),
)}  # fmt: skip


def facts_of(inspection: Inspection) -> dict[int, Row]:
    """The facts of a file, and of each of its tables that is to be judged, by its place."""
    rows = {NO_TABLE: _file_row(inspection)}
    for place, table in enumerate(inspection.facts.per_table):
        if not table.aside and inspection.trouble is None:
            rows[place] = _row(table, TABLE)
    return rows


def facts_frame(facts: Sequence[Mapping[int, Row]]) -> "pd.DataFrame":
    """The table of the facts of these files."""
    import pandas as pd

    keys = [(file, table) for file, rows in enumerate(facts) for table in rows]
    rows = [facts[file][table] for file, table in keys]
    columns: dict[str, pd.Series] = {
        FILE: pd.Series([file for file, _ in keys], dtype="int64"),
        TABLE: pd.Series([table for _, table in keys], dtype="int64"),
    }
    for fact in FACTS.values():
        values = [row.get(fact.name) for row in rows]
        texts = fact.unit in (Unit.TEXT, Unit.SWITCH)
        columns[fact.name] = pd.Series(values, dtype="object" if texts else "float64")
    return pd.DataFrame(columns)


def _file_row(inspection: Inspection) -> Row:
    row: Row = {
        "trouble": inspection.trouble.value if inspection.trouble else None,
        "detail": inspection.detail or None,
        "kind": inspection.kind.value,
        "dataset": inspection.kind not in NOT_DATA and inspection.kind is not Kind.BINARY,
    }
    return row if inspection.trouble else _row(inspection.facts, FILE) | row


def _row(counts: FileFacts | TableFacts, level: str) -> Row:
    return {fact.name: _cell(counts, fact) for fact in FACTS.values() if fact.of == level}


def _cell(counts: FileFacts | TableFacts, fact: Fact) -> Cell:
    """A fact from the field of its name; of names it is how many, or some of them."""
    value = getattr(counts, fact.field or fact.name, None)
    if isinstance(value, tuple):
        return len(value) if fact.unit is Unit.COUNT else listed(value)
    cell: Cell = value
    return cell
