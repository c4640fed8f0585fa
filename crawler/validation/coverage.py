"""What the tables of a file are about: the periods, the places and the values of their texts.

All of it comes from the first values of an even sample of each column, within bounds: it is what a
search finds a file by, not an inventory.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from crawler.readers.names import SEPARATOR
from crawler.readers.periods import parse_period
from crawler.validation.columns import DescribedColumn
from crawler.validation.geography import are_places
from crawler.validation.outcome import ColumnRole, Coverage, Frequency, TableProfile

MAX_PLACES = 300
MAX_VALUES = 300
_MAX_CHARACTERS = 20_000
_YEAR = re.compile(r"\d{4}(?:[-/]\d{2,4})?")
_SHAPES = (
    (Frequency.QUARTER, re.compile(r"\d{4}\W?[qt]\d|[qt]\d\W?\d{4}", re.I)),
    (Frequency.MONTH, re.compile(r"\d{4}[-/.]?m?\d{2}|\d{2}[-/.]\d{4}|[^\W\d]+\.? \d{4}", re.I)),
    (Frequency.WEEK, re.compile(r"\d{4}\W?w\d{1,2}", re.I)),
    (Frequency.DAY, re.compile(r"\d{4}-\d{2}-\d{2}.*|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}")),
)

Described = Sequence[tuple[TableProfile, Sequence[DescribedColumn]]]


def coverage_of(tables: Described) -> Coverage:
    """The coverage of the tables with their columns; tables about others do not count."""
    data = [(table, columns) for table, columns in tables if not table.aside]
    periods = sorted(period for table, _ in data for period in table.periods())
    start, end = (periods[0][1], periods[-1][1]) if periods else ("", "")
    return Coverage(
        period_start=start,
        period_end=end,
        frequency=_frequency(start, end),
        places=tuple(_bounded(_places(data), MAX_PLACES)),
        values=tuple(_bounded(_values(data), MAX_VALUES)),
    )


def _places(data: Described) -> Iterator[str]:
    for table, columns in data:
        for column in columns:
            if column.profile.role is ColumnRole.GEOGRAPHY:
                yield from column.values
        # One column for each country, as in many wide tables.
        names = [
            column.name.rpartition(SEPARATOR)[2]
            for column in table.columns
            if column.role is ColumnRole.MEASURE
        ]
        if are_places(names[:MAX_PLACES]):
            yield from names


def _values(data: Described) -> Iterator[str]:
    for _, columns in data:
        for column in columns:
            if column.profile.role is ColumnRole.OTHER:
                yield from column.values


def _bounded(texts: Iterable[str], most: int) -> Iterator[str]:
    characters = 0
    for text in islice(dict.fromkeys(texts), most):
        characters += len(text)
        if characters > _MAX_CHARACTERS:
            return
        yield text


def _frequency(start: str, end: str) -> Frequency | None:
    if _is_year(start) and _is_year(end):
        return Frequency.YEAR
    for frequency, shape in _SHAPES:
        if start and shape.fullmatch(start) and shape.fullmatch(end):
            return frequency
    return None


def _is_year(text: str) -> bool:
    """2019, and 2019/20 from summer to summer; 2019-01 is a month."""
    period = parse_period(text)
    return bool(_YEAR.fullmatch(text)) and period is not None and not period.dated
