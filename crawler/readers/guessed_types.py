"""Which columns of a text are plain numbers, so that they are read as such at once."""

import re
from collections.abc import Sequence
from enum import StrEnum

from crawler.readers.cells import ALWAYS_MARKS

_MAX_COLUMNS = 200
_CHUNK = 8 * 1024**2
_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,17})")
_DECIMAL = {
    mark: re.compile(rf"-?(?:0|[1-9]\d{{0,14}})(?:[{mark}]\d{{1,17}})?") for mark in (".", ",")
}


class NumberType(StrEnum):
    """Types of numbers, by their names in Arrow."""

    WHOLE = "int64"
    DECIMAL = "float64"


def guess_types(rows: Sequence[Sequence[str]], width: int, decimal: str) -> dict[int, NumberType]:
    """Columns that hold nothing but plain numbers in these rows."""
    found: dict[int, NumberType] = {}
    for place in range(min(width, _MAX_COLUMNS)):
        cells = {row[place].strip() for row in rows if place < len(row)}
        cells -= {"", *ALWAYS_MARKS}
        if not cells:
            continue
        if all(_WHOLE.fullmatch(cell) for cell in cells):
            found[place] = NumberType.WHOLE
        elif all(_DECIMAL[decimal].fullmatch(cell) for cell in cells):
            found[place] = NumberType.DECIMAL
    return found


def holds_codes(data: bytes, start: int, delimiter: str) -> bool:
    """Whether any value begins with a zero and another digit: then it is more than a number."""
    import numpy as np

    before = np.zeros(256, dtype=bool)
    before[[ord(delimiter), ord("\n"), ord('"')]] = True
    if data.find(f"{delimiter} 0".encode(), start) >= 0:
        return True
    for begin in range(start, len(data), _CHUNK):
        # One more sign on each side, for the values at the borders.
        first = max(begin - 1, 0)
        signs = np.frombuffer(data, np.uint8, min(_CHUNK + 2, len(data) - first), first)
        zeros = np.flatnonzero(signs[1:-1] == ord("0")) + 1
        zeros = zeros[before[signs[zeros - 1]]]
        following = signs[zeros + 1]
        if ((following >= ord("0")) & (following <= ord("9"))).any():
            return True
    return False
