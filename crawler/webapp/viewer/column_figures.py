"""A column in a few figures: how many values, how different, and how they are spread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from crawler.catalog.search.covered import MAX_YEAR, MIN_YEAR

if TYPE_CHECKING:
    import pandas as pd

_BINS = 10
_TOP = 5
_MAX_TEXT = 60


@dataclass(frozen=True, slots=True)
class Share:
    """A value, or a range of values, and how many rows have it."""

    label: str
    rows: int


@dataclass(frozen=True, slots=True)
class ColumnFigures:
    """What a column holds, over all rows that pass the filters."""

    name: str
    filled: int
    missing: int
    distinct: int
    least: str = ""
    most: str = ""
    shares: tuple[Share, ...] = ()
    """Ten ranges of numbers from the least to the most, or the most frequent values."""


def figures_of(name: str, column: pd.Series) -> ColumnFigures:
    """The figures of one column."""
    import pandas.api.types as types

    values = column.dropna()
    figures = ColumnFigures(
        name,
        filled=len(values),
        missing=int(column.isna().sum()),
        distinct=int(values.astype(str).nunique()),
    )
    if not len(values):
        return figures
    if types.is_numeric_dtype(values) and not types.is_bool_dtype(values):
        return _of_numbers(figures, values.to_numpy(dtype=float))
    counts = values.astype(str).value_counts().head(_TOP)
    shares = tuple(Share(str(label)[:_MAX_TEXT], int(rows)) for label, rows in counts.items())
    return replace(figures, shares=shares)


def _of_numbers(figures: ColumnFigures, values: npt.NDArray[np.float64]) -> ColumnFigures:
    finite = values[np.isfinite(values)]
    if not len(finite):
        return figures
    rows, edges = np.histogram(finite, bins=_BINS)
    written = _years if _are_years(finite) else _number
    return replace(
        figures,
        least=written(finite.min()),
        most=written(finite.max()),
        shares=tuple(
            Share(f"{written(edges[at])} to {written(edges[at + 1])}", int(rows[at]))
            for at in range(_BINS)
        ),
    )


def _are_years(values: npt.NDArray[np.float64]) -> bool:
    whole = bool((values == np.floor(values)).all())
    return whole and values.min() >= MIN_YEAR and values.max() <= MAX_YEAR


def _years(value: float) -> str:
    return f"{value:.6g}"


def _number(value: float) -> str:
    """Whole up to a billion, where six digits would be written as 1.49e+06."""
    return f"{value:,.0f}" if 1e5 <= abs(value) < 1e9 else f"{value:,.6g}"
