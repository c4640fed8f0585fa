"""The facts of a whole batch of files as one table, over which expectations are asked.

One row per file with what is known of the file, one row per table with what is known of the table.
A fact of the other level is empty in a row, and an expectation passes over what is empty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from crawler.readers.kinds import NOT_DATA, Kind
from crawler.validation.facts import TableFacts
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


def _fact(name: str, of: str, unit: Unit, meaning: str) -> tuple[str, Fact]:
    return name, Fact(name, of, unit, meaning)


FACTS: dict[str, Fact] = dict([
    _fact("trouble", FILE, Unit.TEXT, "why the file cannot be read"),
    _fact("detail", FILE, Unit.TEXT, "the same in words"),
    _fact("kind", FILE, Unit.TEXT, "what the file is"),
    _fact("dataset", FILE, Unit.SWITCH, "whether it is of a kind that may hold data"),
    _fact("announced", FILE, Unit.TEXT, "what name and server say it is, where it is not"),
    _fact("tables", FILE, Unit.COUNT, "tables in it"),
    _fact("rows", FILE, Unit.COUNT, "rows of all its tables"),
    _fact("numeric_share", FILE, Unit.SHARE, "numbers among the cells beside time and place, in "
          "the table that has most"),
    _fact("unread_parts", FILE, Unit.COUNT, "files of an archive that could not be read"),
    _fact("unread_names", FILE, Unit.TEXT, "their names"),
    _fact("row_ratio", FILE, Unit.SHARE, "rows against those of the previous version"),
    _fact("previous_rows", FILE, Unit.COUNT, "rows of the previous version"),
    _fact("columns_lost", FILE, Unit.COUNT, "columns that the previous version had"),
    _fact("lost_names", FILE, Unit.TEXT, "their names"),
    _fact("columns_added", FILE, Unit.COUNT, "columns that the previous version had not"),
    _fact("added_names", FILE, Unit.TEXT, "their names"),
    _fact("missing_columns", FILE, Unit.COUNT, "columns that the site requires and that are not "
          "there"),
    _fact("missing_names", FILE, Unit.TEXT, "their names"),
    _fact("table_rows", TABLE, Unit.COUNT, "rows of the table"),
    _fact("width", TABLE, Unit.COUNT, "columns of the table"),
    _fact("has_header", TABLE, Unit.SWITCH, "whether its columns have names"),
    _fact("ragged_share", TABLE, Unit.SHARE, "rows with another number of values than most"),
    _fact("repeated_headers", TABLE, Unit.COUNT, "rows that say the header again"),
    _fact("repeated_names", TABLE, Unit.COUNT, "names that several columns have"),
    _fact("repeated_list", TABLE, Unit.TEXT, "these names"),
    _fact("unnamed_share", TABLE, Unit.SHARE, "columns without a name"),
    _fact("empty_columns", TABLE, Unit.COUNT, "columns without a value"),
    _fact("dates_share", TABLE, Unit.SHARE, "values that are dates or periods, in the column of "
          "dates that has the fewest"),
    _fact("dates_column", TABLE, Unit.TEXT, "that column"),
    _fact("least_year", TABLE, Unit.YEAR, "the first year in a column of years or dates"),
    _fact("most_year", TABLE, Unit.YEAR, "the last year"),
    _fact("year_column", TABLE, Unit.TEXT, "the column with the oddest year"),
    _fact("unaccounted", TABLE, Unit.COUNT, "rows of the source that were taken for nothing"),
    _fact("footnote_share", TABLE, Unit.SHARE, "notes against rows of data, of which at least "
          "twenty are assumed"),
    _fact("data_share", TABLE, Unit.SHARE, "rows of data among all filled rows; not for small "
          "tables"),
    _fact("doubtful_rows", TABLE, Unit.COUNT, "rows of data that read like notes"),
    _fact("doubtful_list", TABLE, Unit.TEXT, "these rows"),
    _fact("guessed", TABLE, Unit.SWITCH, "whether the table was guessed from its layout"),
    _fact("prose_share", TABLE, Unit.SHARE, "sentences among the texts"),
    _fact("out_of_range", TABLE, Unit.COUNT, "cells outside of the ranges that the site gives"),
    _fact("out_of_range_column", TABLE, Unit.TEXT, "the column with most of them"),
])  # fmt: skip


def facts_of(inspection: Inspection) -> dict[int, Row]:
    """The facts of a file, and of each of its tables that is to be judged, by its place."""
    rows = {NO_TABLE: _file_row(inspection)}
    for place, table in enumerate(inspection.facts.per_table):
        if not table.aside and inspection.trouble is None:
            rows[place] = _table_row(table)
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
    facts = inspection.facts
    row: Row = {
        "trouble": inspection.trouble.value if inspection.trouble else None,
        "detail": inspection.detail or None,
        "kind": inspection.kind.value,
        "dataset": inspection.kind not in NOT_DATA and inspection.kind is not Kind.BINARY,
    }
    if inspection.trouble:
        return row
    return row | {
        "announced": facts.disagreement,
        "tables": facts.tables,
        "rows": facts.rows,
        "numeric_share": facts.numeric_share,
        "unread_parts": facts.unread_parts,
        "unread_names": listed(facts.unread_names),
        "row_ratio": facts.row_ratio,
        "previous_rows": facts.previous_rows,
        "columns_lost": _count(facts.columns_lost),
        "lost_names": listed(facts.columns_lost or ()),
        "columns_added": _count(facts.columns_added),
        "added_names": listed(facts.columns_added or ()),
        "missing_columns": _count(facts.missing_columns),
        "missing_names": listed(facts.missing_columns or ()),
    }


def _table_row(table: TableFacts) -> Row:
    return {
        "table_rows": table.rows,
        "width": table.width,
        "has_header": table.has_header,
        "ragged_share": table.ragged_share,
        "repeated_headers": table.repeated_headers,
        "repeated_names": len(table.repeated_names),
        "repeated_list": listed(table.repeated_names),
        "unnamed_share": table.unnamed_share,
        "empty_columns": table.empty_columns,
        "dates_share": table.dates_share,
        "dates_column": table.dates_column,
        "least_year": table.least_year,
        "most_year": table.most_year,
        "year_column": table.year_column,
        "unaccounted": table.unaccounted,
        "footnote_share": table.footnote_share,
        "data_share": table.data_share,
        "doubtful_rows": len(table.doubtful_rows),
        "doubtful_list": listed(table.doubtful_rows),
        "guessed": table.guessed,
        "prose_share": table.prose_share,
        "out_of_range": table.out_of_range,
        "out_of_range_column": table.out_of_range_column,
    }


def _count(names: tuple[str, ...] | None) -> int | None:
    return None if names is None else len(names)
