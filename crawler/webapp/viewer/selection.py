"""The rows of a frame that pass filters, in the order that is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.webapp.viewer.view import Comparison, Filter, View

if TYPE_CHECKING:
    import pandas as pd


class NoSuchColumn(ValueError):
    """A filter or an order names a column that the table does not have."""


def select_rows(frame: pd.DataFrame, view: View) -> pd.DataFrame:
    """All rows that pass, sorted; empty cells come last."""
    for condition in view.filters:
        frame = frame[_passing(frame, condition)]
    if view.sort:
        name = view.sort if view.sort in frame.columns else view.sort.removeprefix("-")
        column = _column(frame, name)
        descending = view.sort.startswith("-") and view.sort not in frame.columns
        key = column if _is_number(column) else column.astype(str).where(column.notna())
        order = key.sort_values(ascending=not descending, kind="stable", na_position="last").index
        frame = frame.loc[order]
    return frame


def _passing(frame: pd.DataFrame, condition: Filter) -> pd.Series:
    column, value = _column(frame, condition.column), condition.value
    if condition.comparison is Comparison.CONTAINS:
        return column.astype(str).str.contains(value, case=False, regex=False) & column.notna()
    number = _number(value) if _is_number(column) else None
    if number is not None:
        return _compared(column, condition.comparison, number)
    texts = column.astype(str).where(column.notna(), "")
    return _compared(texts, condition.comparison, value)


def _compared(column: pd.Series, comparison: Comparison, value: float | str) -> pd.Series:
    compare = {
        Comparison.IS: column.eq,
        Comparison.NOT: column.ne,
        Comparison.MORE: column.gt,
        Comparison.LESS: column.lt,
        Comparison.AT_LEAST: column.ge,
        Comparison.AT_MOST: column.le,
    }[comparison]
    return compare(value).fillna(False).astype(bool)


def _column(frame: pd.DataFrame, name: str) -> pd.Series:
    if name not in frame.columns:
        raise NoSuchColumn(f"the table has no column {name[:60]!r}")
    return frame[name]


def _is_number(column: pd.Series) -> bool:
    import pandas.api.types as types

    return types.is_numeric_dtype(column) and not types.is_bool_dtype(column)


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "").replace(" ", ""))
    except ValueError:
        return None
