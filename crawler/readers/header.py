"""The header of a table: where it stands, how many lines it has, what the columns are called."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from crawler.readers.cells import is_number, is_period, is_value

_MOST_LINES = 6
_SAMPLED_CELLS = 20_000
_LONGEST_NAME = 300
Cells = Sequence[str]


@dataclass(frozen=True, slots=True)
class Header:
    """The rows of a sample that name the columns, and where the values begin."""

    start: int
    """Rows before it: titles, sources."""
    body: int
    """The first row of values."""
    found: bool
    """Whether there is a header at all; without one `start` and `body` are the same."""


def find_header(rows: Sequence[Cells], width: int) -> Header:
    """The header among the first rows of a table that is so wide."""
    numeric = _numeric_columns(rows, width)
    first = next((at for at, row in enumerate(rows) if _may_be_header(row, width)), 0)
    if not numeric:
        # Nothing but texts: the first full row names them.
        return Header(first, min(first + 1, len(rows)), bool(rows))
    at = next(
        (n for n, row in enumerate(rows[first:], first) if _is_data(row, numeric, width)), None
    )
    if at is None:
        return Header(first, min(first + 1, len(rows)), bool(rows))
    following = rows[at + 1 : at + 6]
    is_named = at > first and _names_all(rows[at - 1], rows[at], numeric)
    if not is_named and _names_periods(rows[at], following, numeric):
        return _with_lines_above(rows, at + 1, width)
    header = _with_lines_above(rows, at, width)
    if header.start == header.body:
        return Header(at, at, found=False)
    return header


def join_names(rows: Sequence[Cells], width: int) -> list[str]:
    """The names of the columns: lines joined by a slash, gaps filled, none twice."""
    return unique_names(own_names(rows, width))


def own_names(rows: Sequence[Cells], width: int) -> list[str]:
    """The names as the header has them: lines joined by a slash, empty or twice where it is so."""
    lines = [_spread(row, width) for row in rows[:-1]]
    lines += [[cell.strip() for cell in row[:width]] for row in rows[-1:]]
    names: list[str] = []
    for place in range(width):
        parts: list[str] = []
        for line in lines:
            part = " ".join(line[place].split()) if place < len(line) else ""
            if part and part not in parts:
                parts.append(part)
        names.append(" / ".join(parts)[:_LONGEST_NAME])
    return names


def repeated_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names that several columns have."""
    return tuple(name for name, times in Counter(names).items() if times > 1 and name)


def unique_names(names: Sequence[str]) -> list[str]:
    """Names without gaps and repetitions: `column 3` for none, `a_4` for a second `a`."""
    found: list[str] = []
    taken: set[str] = set()
    for place, name in enumerate(names):
        new = name or f"column {place + 1}"
        while new in taken:
            new = f"{new}_{place + 1}"
        taken.add(new)
        found.append(new)
    return found


def _may_be_header(row: Cells, width: int) -> bool:
    """As wide as the table, and more in it than a title in the first cell."""
    filled = [at for at, cell in enumerate(row) if cell.strip()]
    if width == 1:
        return bool(filled)
    if len(row) < max(2, width - 1) or not filled:
        return False
    return len(filled) > 1 or filled[0] > 0


def _numeric_columns(rows: Sequence[Cells], width: int) -> list[int]:
    """Columns whose lower part is numbers, or marks where numbers are missing."""
    lower = [row for row in rows[min(len(rows) * 2 // 3, 10) :] if len(row) >= width - 1]
    lower = lower[: max(5, _SAMPLED_CELLS // width)]
    found = []
    for place in range(width):
        cells = [row[place] for row in lower if place < len(row) and row[place].strip()]
        numbers = sum(1 for cell in cells if is_number(cell))
        values = sum(1 for cell in cells if is_value(cell))
        if numbers and values >= 0.7 * len(cells):
            found.append(place)
    return found


def _is_data(row: Cells, numeric: Sequence[int], width: int) -> bool:
    if len(row) < width - 1:
        return False
    cells = [row[place] for place in numeric if place < len(row) and row[place].strip()]
    return bool(cells) and sum(1 for cell in cells if is_value(cell)) > len(cells) / 2


def _names_all(above: Cells, row: Cells, numeric: Sequence[int]) -> bool:
    """Whether the row above names all columns of numbers, so that this one need not.

    Years below such names stand in a row that names nothing else.
    """
    names = [above[place].strip() for place in numeric if place < len(above)]
    if len(names) < len(numeric) or not all(name and not is_number(name) for name in names):
        return False
    known = set(numeric)
    others = [cell for place, cell in enumerate(row) if place not in known]
    return not others or any(cell.strip() for cell in others)


def _names_periods(row: Cells, following: Sequence[Cells], numeric: Sequence[int]) -> bool:
    """Whether a row that looks like data says the years, or numbers, of its columns."""
    here = [row[place].strip() for place in numeric if place < len(row)]
    if not here or (len(row) > len(numeric) and len(numeric) == 1 and not is_period(here[0])):
        return False
    below = [
        [line[place].strip() for place in numeric if place < len(line)]
        for line in following
        if len(line) >= len(row)
    ]
    periods = all(is_period(cell) for cell in here if cell) and any(here)
    if periods:
        return not all(is_period(cell) for line in below for cell in line if cell)
    return len(here) > 2 and _in_steps(here) and not any(_in_steps(line) for line in below)


def _in_steps(cells: Sequence[str]) -> bool:
    """1, 2, 3 or 2000, 2005, 2010."""
    if not all(cell.isascii() and cell.isdigit() and len(cell) < 10 for cell in cells):
        return False
    steps = {int(after) - int(before) for before, after in pairwise(cells)}
    return len(steps) == 1 and steps != {0}


def _with_lines_above(rows: Sequence[Cells], body: int, width: int) -> Header:
    """The header that ends before `body`: it goes up as far as lines name columns."""
    last = body - 1
    # A heading of a section may stand between the header and the first values.
    while last > 0 and last > body - 4 and not _may_be_header(rows[last], width):
        last -= 1
    if last < 0 or not _may_be_header(rows[last], width):
        return Header(body, body, found=False)
    start = last
    while start > 0 and last - start + 1 < _MOST_LINES and _spans(rows[start - 1], width):
        start -= 1
    return Header(start, last + 1, found=True)


def _spans(row: Cells, width: int) -> bool:
    """Whether a row can be an upper line of a header: labels over several columns."""
    if not _may_be_header(row, width):
        return False
    filled = [at for at, cell in enumerate(row) if cell.strip()]
    # "Source, Office" fills the first cells only, and says nothing of the other columns.
    return not (width > 3 and filled == list(range(len(filled))) and len(filled) <= width / 2)


def _spread(row: Cells, width: int) -> list[str]:
    """A label stands over the empty cells on its right, as merged cells are saved."""
    spread: list[str] = []
    label = ""
    for place in range(width):
        label = (row[place].strip() if place < len(row) else "") or label
        spread.append(label)
    return spread
