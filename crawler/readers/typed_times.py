"""Columns of dates and periods: days as dates, months, quarters and weeks as periods."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from crawler.readers.cells import MARKS
from crawler.readers.periods import MONTH_NAMES, full_year, parse_period

if TYPE_CHECKING:
    import pandas as pd

_MAX_TEXT = 40
_DAY = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ](\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)"
    r"\s*(Z|[+-]\d{2}:?\d{2})?)?"
)
_WRITTEN_DAY = re.compile(
    r"(\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d{2})(?:[T ,]+(\d{1,2}:\d{2}(?::\d{2})?))?"
)
_WORDED_DAY = re.compile(
    r"(\d{1,2})[.\s-]+([^\W\d_]{3,12})\.?[\s,-]+(\d{4})|([^\W\d_]{3,12})\.?\s+(\d{1,2}),?\s+(\d{4})"
)
_QUARTER = re.compile(
    r"(\d{4})\s*[-_/. ]?\s*[QqTt]\s*[-_]?([1-4])|[QqTt]\s*([1-4])\s*[-_/. ]\s*(\d{4})"
)
_MONTH = re.compile(r"(\d{4})\s*(?:[-_/. ]?\s*[Mm]\s*[-_]?(\d{1,2})|-(\d{2})|年\s*(\d{1,2})月)")
_MONTH_NAME = re.compile(
    r"([^\W\d_]{3,12})\.?[\s,'-]*(\d{4}|\d{2})|(\d{4})[\s-]+([^\W\d_]{3,12})\.?"
)
_WEEK = re.compile(r"(\d{4})\s*-?\s*[Ww]\s*-?(\d{1,2})")


class Frequency(StrEnum):
    """How often a column of times has a value, by pandas' names of frequencies."""

    DAY = "D"
    WEEK = "W-SUN"
    MONTH = "M"
    QUARTER = "Q-DEC"


@dataclass(frozen=True, slots=True)
class TimeColumn:
    """A column that was read as dates or periods."""

    series: "pd.Series[Any]"
    assumed: str = ""


def time_column(series: "pd.Series[Any]", distinct: Sequence[str]) -> TimeColumn | None:
    """The column as dates or periods of one frequency; None where it is anything else."""
    telling = [text for text in distinct if text.strip() not in MARKS]
    if not telling or any(len(text) > _MAX_TEXT for text in telling):
        return None
    for frequency, read in _READERS:
        if read(telling[0], True) is None and read(telling[0], False) is None:
            continue
        month_first = frequency is Frequency.DAY and _is_month_first(telling)
        values = {text: read(text.strip(), month_first) for text in telling}
        if any(value is None for value in values.values()):
            return None
        return _column(series, values, frequency, _assumption(telling, frequency, month_first))
    return None


def may_be_time(text: str) -> bool:
    """Whether a text could be a date or a period that is no plain year."""
    text = text.strip()
    return len(text) <= _MAX_TEXT and any(
        read(text, first) is not None for _, read in _READERS for first in (True, False)
    )


def _column(
    series: "pd.Series[Any]", values: dict[str, Any], frequency: Frequency, assumed: str
) -> TimeColumn | None:
    import pandas as pd

    read = series.map(values)
    try:
        if frequency is Frequency.DAY:
            zoned = any(getattr(value, "tzinfo", None) is not None for value in values.values())
            return TimeColumn(pd.to_datetime(read, utc=zoned), assumed)
        times = pd.to_datetime(read)
        return TimeColumn(times.dt.to_period(str(frequency).partition("-")[0]), assumed)
    except (ValueError, OverflowError, TypeError):
        return None


def _is_month_first(texts: Sequence[str]) -> bool:
    """12/31/2020: where a second number is beyond twelve, and no first one is."""
    matches = [match for text in texts if (match := _WRITTEN_DAY.fullmatch(text.strip()))]
    return any(int(match[3]) > 12 for match in matches) and all(
        int(match[1]) <= 12 for match in matches
    )


def _assumption(texts: Sequence[str], frequency: Frequency, month_first: bool) -> str:
    if frequency is not Frequency.DAY:
        return ""
    matches = [match for text in texts if (match := _WRITTEN_DAY.fullmatch(text.strip()))]
    if not matches:
        return ""
    if month_first:
        return "dates are written month first"
    if all(int(match[1]) <= 12 for match in matches):
        return "dates are taken to be written day first"
    return "dates are written day first"


def _read_day(text: str, month_first: bool) -> Any:
    if match := _DAY.fullmatch(text):
        date = f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}"
        return _moment(f"{date} {match[4] or ''}{match[5] or ''}".strip())
    if match := _WRITTEN_DAY.fullmatch(text):
        first, second, year = int(match[1]), int(match[3]), full_year(match[4])
        day, month = (second, first) if month_first else (first, second)
        return _moment(f"{year}-{month:02}-{day:02} {match[5] or ''}".strip())
    if match := _WORDED_DAY.fullmatch(text):
        places = (2, 1, 3) if match[2] else (4, 5, 6)
        name, number, years = (str(match[place]) for place in places)
        named = MONTH_NAMES.get(name.lower())
        return _moment(f"{years}-{named:02}-{int(number):02}") if named else None
    return None


def _moment(text: str) -> Any:
    import pandas as pd

    try:
        return pd.Timestamp(text)
    except (ValueError, OverflowError):
        return None


def _read_quarter(text: str, _: bool) -> Any:
    match = _QUARTER.fullmatch(text)
    if match is None:
        return None
    year, quarter = (match[1], match[2]) if match[1] else (match[4], match[3])
    return _first_day(int(year), 3 * int(quarter) - 2)


def _read_month(text: str, _: bool) -> Any:
    if match := _MONTH.fullmatch(text):
        month = int(match[2] or match[3] or match[4])
        if match[3] and int(match[3]) == (int(match[1]) + 1) % 100 and month > 12:
            return None
        return _first_day(int(match[1]), month)
    match = _MONTH_NAME.fullmatch(text)
    if match is None:
        return None
    name, year = (match[1], match[2]) if match[1] else (match[4], match[3])
    named = MONTH_NAMES.get(name.lower())
    return _first_day(full_year(year), named) if named else None


def _read_week(text: str, _: bool) -> Any:
    import datetime

    match = _WEEK.fullmatch(text)
    if match is None:
        return None
    try:
        return datetime.datetime.fromisocalendar(int(match[1]), int(match[2]), 1)
    except ValueError:
        return None


def _first_day(year: int, month: int) -> Any:
    import pandas as pd

    if not 1 <= month <= 12 or parse_period(f"{year:04}") is None:
        return None
    return pd.Timestamp(year, month, 1) if 1700 < year < 2200 else None


_READERS = (
    (Frequency.DAY, _read_day),
    (Frequency.QUARTER, _read_quarter),
    (Frequency.MONTH, _read_month),
    (Frequency.WEEK, _read_week),
)
