"""What can be drawn of a table: a measure over time, and a measure over places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crawler.readers.periods import Period, parse_period
from crawler.validation.columns import describe_column
from crawler.validation.outcome import ColumnRole

if TYPE_CHECKING:
    import pandas as pd

_MAX_COLUMNS = 40
_MAX_POINTS = 200
_MAX_BARS = 20


@dataclass(frozen=True, slots=True)
class Point:
    """One mark of a drawing."""

    label: str
    value: float


@dataclass(frozen=True, slots=True)
class Series:
    """A measure over the values of another column, in their order."""

    title: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Drawable:
    """The series of a table, where its columns are known to be such."""

    over_time: Series | None = None
    over_places: Series | None = None


def series_of(frame: pd.DataFrame) -> Drawable:
    """A line over time and bars over places, of the first measure."""
    roles: dict[ColumnRole, list[str]] = {}
    for place, name in enumerate(frame.columns[:_MAX_COLUMNS]):
        described = describe_column(frame[name], str(name), place)
        roles.setdefault(described.profile.role, []).append(name)
    measures = roles.get(ColumnRole.MEASURE)
    if not measures:
        return Drawable()
    measure = measures[0]
    times, places = roles.get(ColumnRole.TIME), roles.get(ColumnRole.GEOGRAPHY)
    return Drawable(
        _over(frame, times[0], measure, by_time=True) if times else None,
        _over(frame, places[0], measure, by_time=False) if places else None,
    )


def _over(frame: pd.DataFrame, column: str, measure: str, *, by_time: bool) -> Series | None:
    """The measure of each value: whole numbers are added up, others averaged."""
    import pandas as pd
    import pandas.api.types as types

    figures = pd.to_numeric(frame[measure], errors="coerce")
    known = frame[column].notna() & figures.notna()
    if not known.any():
        return None
    labels = frame[column][known].astype(str)
    groups = figures[known].groupby(labels, sort=True)
    repeated = len(labels) > labels.nunique()
    is_whole = types.is_integer_dtype(frame[measure])
    totals = groups.sum() if is_whole else groups.mean()
    if by_time:
        totals = totals.loc[sorted(totals.index, key=_moment)].tail(_MAX_POINTS)
    else:
        totals = totals.sort_values(ascending=False, kind="stable").head(_MAX_BARS)
    if len(totals) < 2:
        return None
    how = ("Sum of " if is_whole else "Mean of ") if repeated else ""
    points = tuple(Point(str(label), float(value)) for label, value in totals.items())
    return Series(f"{how}{measure} by {column}", points)


def _moment(label: str) -> tuple[int, int, int, str]:
    period = parse_period(label) or Period(0)
    return period.year, period.month, period.day, label
