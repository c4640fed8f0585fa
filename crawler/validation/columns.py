"""One column of a table: its type, its range, and what it stands for.

Nulls and ranges are counted over the whole column, everything else over an even sample of it.
"""

import math
import re
from collections import Counter
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

from crawler.readers.periods import MONTH_NAMES, Period, parse_period
from crawler.validation.geography import is_geography
from crawler.validation.outcome import ColumnProfile, ColumnRole, ColumnType
from crawler.validation.plain import plain
from crawler.validation.time_columns import TimeName, mentions_time, time_name

if TYPE_CHECKING:
    import pandas as pd

SAMPLED_ROWS = 5_000
MAX_NAME = 200
_MAX_VALUE = 100
_DISTINCT = 400
"""Distinct values that are looked at one by one."""
_TEXTS = 40
_PLACES = 300
_DIMENSION = 100
"""Different values of a column that is a dimension; one with more is a list of names."""
_MIXED_FROM = 0.1
_TIME_SHARE = 0.95
_SOME_TIME = 0.2
_TIMES = frozenset({ColumnType.DATE, ColumnType.PERIOD})
_LIKELY_YEARS = range(1800, 2101)
_NUMBERED = re.compile(r"_\d+$")
_MAX_DIGITS = 15
_FIGURE = re.compile(r"[-+]?(?:(?:0|[1-9]\d{0,30})(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][-+]?\d{1,2})?")


@dataclass(frozen=True, slots=True)
class DescribedColumn:
    """A column's profile, and what is counted of it for the facts of its table."""

    profile: ColumnProfile
    filled: int
    """Cells that are not empty."""
    numeric: float
    """Numbers among them; an estimate where they stand in a column of texts."""
    dates_share: float | None = None
    """Dates and periods among the values of a column whose name promises them."""
    years: tuple[float, float] | None = None
    """Least and most, where the name promises times."""
    texts: tuple[str, ...] = ()
    """Some values, to tell the language by."""
    values: tuple[str, ...] = ()
    """The first different values of places, and of texts that repeat."""


@dataclass(frozen=True, slots=True)
class _Values:
    """A sample of a column, as texts."""

    distinct: Counter[str]
    """Value -> rows of the sample that have it."""
    numbers: list[float]
    """The numbers among texts."""
    numeric_share: float

    def parsed(self) -> tuple[float, list[tuple[Period, str]]]:
        """Share of the rows that are dates or periods, and those rows."""
        chosen = _spread(list(self.distinct), _DISTINCT)
        dated = [(period, text) for text in chosen if (period := parse_period(text)) is not None]
        rows = sum(self.distinct[text] for text in chosen)
        hits = sum(self.distinct[text] for _, text in dated)
        return (hits / rows if rows else 0.0), dated


def describe_column(series: "pd.Series", name: str, position: int) -> DescribedColumn:
    """The profile and the counts of one column; of what is too odd for it, the nulls alone."""
    try:
        return _describe(series, name, position)
    except (ArithmeticError, AttributeError, NotImplementedError, TypeError, ValueError):
        # Columnar files may hold dates of the year 300000, or types that nothing computes with.
        filled = int(series.notna().sum())
        nulls = round(1 - filled / len(series), 4) if len(series) else 0.0
        odd = ColumnProfile(name=plain(name, MAX_NAME), type=ColumnType.MIXED, nulls=nulls)
        return DescribedColumn(odd, filled, 0.0)


def _describe(series: "pd.Series", name: str, position: int) -> DescribedColumn:
    filled = int(series.count())
    nulls = 1 - filled / len(series) if len(series) else 0.0
    name = plain(name, MAX_NAME)
    if not filled:
        empty = ColumnProfile(name=name, type=ColumnType.EMPTY, nulls=round(nulls, 4))
        return DescribedColumn(empty, 0, 0.0)
    kind = _type_of(series)
    values = _values(series, kind)
    if kind is None:
        kind = _type_of_texts(values)
    numeric = kind in (ColumnType.INTEGER, ColumnType.NUMBER)
    # A second column under one name has got a number, and says something else than the name.
    promised = None if _NUMBERED.search(name) else time_name(name)
    share, periods = _times(series, kind, values)
    role = _role(name, position, kind, promised, share, values)
    least, most = _range(series, kind, values)
    if role is ColumnRole.TIME and not least and periods:
        least, most = min(periods)[1], max(periods)[1]
    promises = promised is not None and promised is not TimeName.PART
    return DescribedColumn(
        profile=ColumnProfile(
            name=name,
            type=kind,
            nulls=round(nulls, 4),
            least=plain(least, _MAX_VALUE),
            most=plain(most, _MAX_VALUE),
            role=role,
        ),
        filled=filled,
        numeric=filled * values.numeric_share,
        dates_share=_dates_share(promised, kind, share) if promises else None,
        years=_years(series, kind, periods) if promises and role is ColumnRole.TIME else None,
        texts=()
        if numeric
        else tuple(text[:200] for text in _spread(list(values.distinct), _TEXTS)),
        values=() if numeric else _first_values(values, role),
    )


def _first_values(values: _Values, role: ColumnRole) -> tuple[str, ...]:
    """Values that say what rows are about; names that are all different are no dimension."""
    if role is ColumnRole.GEOGRAPHY:
        most = _PLACES
    elif role is ColumnRole.OTHER and len(values.distinct) <= _DIMENSION:
        most = _DIMENSION
    else:
        return ()
    chosen = (plain(text, _MAX_VALUE) for text in list(values.distinct)[:most])
    return tuple(text for text in chosen if any(map(str.isalpha, text)))


def _type_of(series: "pd.Series") -> ColumnType | None:
    """What the column's own type tells; None where it holds texts or anything."""
    import pandas as pd
    from pandas.api import types

    dtype = series.dtype
    if isinstance(dtype, pd.PeriodDtype):
        return ColumnType.PERIOD
    if types.is_bool_dtype(dtype):
        return ColumnType.BOOLEAN
    if types.is_integer_dtype(dtype):
        return ColumnType.INTEGER
    if types.is_float_dtype(dtype) or str(dtype).startswith(("decimal", "double", "float")):
        return ColumnType.INTEGER if bool((_sample(series) % 1 == 0).all()) else ColumnType.NUMBER
    if types.is_datetime64_any_dtype(dtype) or str(dtype).startswith(("date", "timestamp")):
        return ColumnType.DATE
    return None


def _values(series: "pd.Series", kind: ColumnType | None) -> _Values:
    sample = _sample(series)
    if kind in (ColumnType.INTEGER, ColumnType.NUMBER):
        return _Values(Counter(map(_number, sample.tolist())), [], 1.0)
    distinct = Counter(str(value)[:_MAX_VALUE].strip() for value in sample.tolist())
    distinct.pop("", None)
    if not distinct or kind is not None:
        return _Values(distinct, [], 0.0)
    numbers = {text: number for text in distinct if (number := _figure(text)) is not None}
    share = sum(distinct[text] for text in numbers) / distinct.total()
    return _Values(distinct, list(numbers.values()), share)


def _figure(text: str) -> float | None:
    """The number that a text is; 01001 and what has sixteen digits are codes, kept as they are."""
    if not _FIGURE.fullmatch(text) or (len(text) > _MAX_DIGITS and text.isdigit()):
        return None
    return float(text)


def _type_of_texts(values: _Values) -> ColumnType:
    if not values.distinct:
        return ColumnType.EMPTY
    if values.numeric_share == 1:
        whole = all(number.is_integer() for number in values.numbers)
        return ColumnType.INTEGER if whole else ColumnType.NUMBER
    share, periods = values.parsed()
    if share >= _TIME_SHARE and all(period.dated for period, _ in periods):
        return ColumnType.DATE
    return ColumnType.MIXED if values.numeric_share > _MIXED_FROM else ColumnType.TEXT


def _times(
    series: "pd.Series", kind: ColumnType, values: _Values
) -> tuple[float, list[tuple[Period, str]]]:
    if kind is ColumnType.NUMBER:
        return 0.0, []
    if kind in _TIMES and _type_of(series) in _TIMES:
        least, most = series.min(), series.max()
        ends = ((Period(end.year, end.month, end.day), str(end)) for end in (least, most))
        return 1.0, list(ends)
    return values.parsed()


def _role(
    name: str,
    position: int,
    kind: ColumnType,
    promised: TimeName | None,
    share: float,
    values: _Values,
) -> ColumnRole:
    numeric = kind in (ColumnType.INTEGER, ColumnType.NUMBER)
    if _is_time(name, position, kind, promised, share, values):
        return ColumnRole.TIME
    if is_geography(name, _spread(list(values.distinct), 200), numeric=numeric):
        return ColumnRole.GEOGRAPHY
    mostly_numbers = kind is ColumnType.MIXED and values.numeric_share >= 0.5
    return ColumnRole.MEASURE if numeric or mostly_numbers else ColumnRole.OTHER


def _is_time(
    name: str,
    position: int,
    kind: ColumnType,
    promised: TimeName | None,
    share: float,
    values: _Values,
) -> bool:
    if kind in _TIMES:
        return True
    if promised is TimeName.PART:
        return kind is not ColumnType.NUMBER and all(map(_is_part, list(values.distinct)[:60]))
    if promised is not None:
        return share >= 0.5
    if share < _TIME_SHARE or len(values.distinct) < 2:
        return False
    years = [int(text) for text in values.distinct if text.isdigit() and len(text) == 4]
    if any(year not in _LIKELY_YEARS for year in years):
        return False
    if kind is ColumnType.INTEGER:  # any count may be 2019; a first column of such counts is not
        return len(years) == len(values.distinct) and (position == 0 or mentions_time(name))
    return True


def _is_part(text: str) -> bool:
    lower = text.lower().rstrip(".")
    if lower in MONTH_NAMES or parse_period(text) is not None:
        return True
    digits = "".join(filter(str.isdigit, lower))
    return bool(digits) and len(digits) <= 2 and int(digits) <= 53


def _dates_share(promised: TimeName | None, kind: ColumnType, share: float) -> float | None:
    """A column named `time` may hold minutes, one named `year` the years 1 to 5 of a course."""
    doubtful = promised is TimeName.PERIOD or kind in (ColumnType.INTEGER, ColumnType.NUMBER)
    if doubtful and promised is not TimeName.DATE and share < _SOME_TIME:
        return None
    return round(share, 4)


def _years(
    series: "pd.Series", kind: ColumnType, periods: list[tuple[Period, str]]
) -> tuple[float, float] | None:
    if kind is ColumnType.INTEGER and _type_of(series) is ColumnType.INTEGER:
        least, most = float(series.min()), float(series.max())
        if most < 100_000:  # else they are 202001 or 20200131
            return least, most
    years = [period.year for period, _ in periods]
    return (float(min(years)), float(max(years))) if years else None


def _range(series: "pd.Series", kind: ColumnType, values: _Values) -> tuple[str, str]:
    own = _type_of(series)
    if own in (ColumnType.INTEGER, ColumnType.NUMBER):
        return _number(series.min()), _number(series.max())
    if own in _TIMES:
        return _moment(series.min()), _moment(series.max())
    if kind not in _TIMES and values.numeric_share > 0.5:
        return _number(min(values.numbers)), _number(max(values.numbers))
    return "", ""


def _number(value: Any) -> str:
    # Thousands of plain ones come here; asking for an abstract class takes ten times as long.
    if isinstance(value, int) or (not isinstance(value, float) and isinstance(value, Integral)):
        return str(int(value))
    number = float(value)
    if math.isfinite(number) and number == int(number) and abs(number) < 1e15:
        return str(int(number))
    return f"{number:.12g}"


def _moment(value: object) -> str:
    text = str(value)
    return text.removesuffix(" 00:00:00")


def _sample(series: "pd.Series") -> "pd.Series":
    """Some of the values that are there."""
    step = max(1, len(series) // SAMPLED_ROWS)
    sample = series.iloc[::step].dropna()
    # The few values of a column that is nearly empty lie between the rows of the sample.
    return sample if len(sample) else series.dropna().iloc[:SAMPLED_ROWS]


def _spread(values: list[str], most: int) -> list[str]:
    """So many of them, evenly from the whole list."""
    if len(values) <= most:
        return values
    step = len(values) / most
    return [values[int(place * step)] for place in range(most)]
