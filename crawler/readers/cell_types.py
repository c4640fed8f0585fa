"""What the cells of a grid are, for finding the layout: empty, number, mark, period, date, text."""

import datetime
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise
from typing import Any

from crawler.readers.cells import MARKS, is_number, is_value
from crawler.readers.periods import is_period

_FIRST_YEAR, _LAST_YEAR = 1500, 2199
_DATES = (datetime.date, datetime.time, datetime.timedelta)
_MAX_PERIOD = 24


class CellType(IntEnum):
    """The type of one cell."""

    EMPTY = 0
    NUMBER = 1
    MARK = 2
    """A sign for a missing value, as `..` or `n/a`."""
    PERIOD = 3
    """A year, a quarter, a month: a label in a header, a value in a column of times."""
    DATE = 4
    TEXT = 5


VALUES = frozenset({CellType.NUMBER, CellType.MARK, CellType.PERIOD, CellType.DATE})


def is_filled(cell: Any) -> bool:
    """Whether there is anything but blanks in a cell."""
    if cell is None:
        return False
    if type(cell) is str:
        return bool(cell) and not cell.isspace()
    return True


def is_year(number: float) -> bool:
    """Whether a number may be a year of statistics."""
    return _FIRST_YEAR <= number <= _LAST_YEAR and number == int(number)


def type_of(cell: Any) -> CellType:
    """The type of a cell, whether it is a value of a workbook or a text."""
    if cell is None:
        return CellType.EMPTY
    if isinstance(cell, bool):
        return CellType.TEXT
    if isinstance(cell, int | float):
        return CellType.PERIOD if is_year(cell) else CellType.NUMBER
    if isinstance(cell, _DATES):
        return CellType.DATE
    return type_of_text(str(cell)[:400])


@lru_cache(maxsize=50_000)
def type_of_text(cell: str) -> CellType:
    """The type of a cell of text."""
    text = cell.strip()
    if not text:
        return CellType.EMPTY
    if text in MARKS:
        return CellType.MARK
    if is_number(text):
        year = int(text) if len(text) == 4 and text.isdecimal() else 0
        return CellType.PERIOD if is_year(year) else CellType.NUMBER
    if len(text) <= _MAX_PERIOD and is_period(text):
        return CellType.PERIOD
    return CellType.NUMBER if is_value(text) else CellType.TEXT


def types_of_rows(rows: Sequence[Sequence[Any]]) -> list[list[CellType]]:
    """The types of the cells of some rows; numbers in even steps are labels, as years are.

    That is so in one row among others: where every row counts, they are figures.
    """
    every = [[type_of(cell) for cell in row] for row in rows]
    stepped: list[int] = []
    for at, types in enumerate(every):
        numbers = [place for place, kind in enumerate(types) if kind is CellType.NUMBER]
        if len(numbers) > 2 and in_steps([rows[at][place] for place in numbers]):
            stepped.append(at)
    if len(stepped) != 1:
        return every
    types = every[stepped[0]]
    every[stepped[0]] = [CellType.PERIOD if kind is CellType.NUMBER else kind for kind in types]
    return every


def in_steps(cells: Sequence[Any]) -> bool:
    """Whether cells count: 1, 2, 3 or 2000, 2005, 2010."""
    numbers = [whole_number(cell) for cell in cells]
    if len(numbers) < 2 or any(number is None for number in numbers):
        return False
    whole = [number for number in numbers if number is not None]
    steps = {after - before for before, after in pairwise(whole)}
    return len(steps) == 1 and steps != {0}


def whole_number(cell: Any) -> int | None:
    """The whole number that a cell is, with or without brackets: 3, 3.0, "3", "(3)"."""
    if isinstance(cell, bool):
        return None
    if isinstance(cell, int):
        return cell
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() and abs(cell) < 1e9 else None
    text = str(cell).strip().strip("()[]")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None
