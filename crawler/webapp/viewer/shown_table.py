"""A page of a table as a reading process makes it: rows, figures of columns, series to draw."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.errors import NotATable
from crawler.readers.bounds import Bounds
from crawler.webapp.read_on_demand import read_wanted, sentence_of
from crawler.webapp.viewer.column_figures import ColumnFigures, figures_of
from crawler.webapp.viewer.selection import NoSuchColumn, select_rows
from crawler.webapp.viewer.series import Drawable, series_of
from crawler.webapp.viewer.view import View

if TYPE_CHECKING:
    import pandas as pd

Cell = str | int | float | bool | None
MAX_COLUMNS = 100
_MAX_CELL = 300


@dataclass(frozen=True, slots=True)
class FileToView:
    """A file on this machine's disk, and what of it is wanted."""

    path: Path
    name: str
    bounds: Bounds
    view: View


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A page of a table, or a sentence that says why there is none."""

    sentence: str = ""
    table: str = ""
    tables: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    more_columns: int = 0
    rows: tuple[tuple[Cell, ...], ...] = ()
    matching: int = 0
    """Rows that pass the filters."""
    total: int = 0
    """Rows of the table."""
    cut: bool = False
    """Whether rows beyond the limits of reading are left out."""
    figures: tuple[ColumnFigures, ...] = ()
    drawable: Drawable = field(default_factory=Drawable)


def show_table(file: FileToView) -> ShownTable:
    """What a reading process does for one page."""
    try:
        reading = read_wanted(file.path, file.name, file.bounds, file.view.table)
        table, own = reading.table, reading.table.own_columns
        rows = select_rows(own, file.view)
    except (NotATable, NoSuchColumn) as error:
        return ShownTable(sentence=sentence_of(error))
    view, kept = file.view, rows.iloc[:, :MAX_COLUMNS]
    page = kept.iloc[view.offset : view.offset + view.limit]
    return ShownTable(
        table=table.name,
        tables=tuple(one.name for one in reading.content.tables),
        columns=tuple(kept.columns),
        more_columns=own.shape[1] - kept.shape[1],
        rows=tuple(tuple(map(_cell, row)) for row in _values(page)),
        matching=len(rows),
        total=table.rows,
        cut=table.cut,
        figures=tuple(figures_of(name, kept[name]) for name in kept) if view.figures else (),
        drawable=series_of(kept) if view.figures else Drawable(),
    )


def _values(frame: pd.DataFrame) -> list[list[object]]:
    values: list[list[object]] = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    return values


def _cell(value: object) -> Cell:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    text = str(value).removesuffix(" 00:00:00")
    return text if len(text) <= _MAX_CELL else text[: _MAX_CELL - 1] + "…"
