"""How a text writes its table, if it holds one: what separates its values, how wide it is."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from crawler.readers.cells import Writing, is_grouped, is_number, writing

SAMPLED_LINES = 300
_SAMPLED_CELLS = 20_000
_DELIMITERS = ",;\t|"
BLANK = " "
"""One or more blanks between values."""
BLANKS = "  "
"""Two or more: single ones stand within names."""
NO_DELIMITER = ""
_LINE_ENDS = re.compile(r"\r\n|\n|\r")
# Two letters before the mark, and not "two or more": that would be looked for from every letter of
# a long word up to its end, in quadratic time.
_SENTENCE = re.compile(r"[^\W\d_]{2}[.!?。！？](?:\s|$)")
_MAX_NAME = 60


@dataclass(frozen=True, slots=True)
class Row:
    """Values of a line, or of several where a quoted value goes over line ends."""

    cells: tuple[str, ...]
    first_line: int
    """The line it begins at, counted from 0."""
    next_line: int

    @property
    def is_blank(self) -> bool:
        """Whether all of its values are blank."""
        return not "".join(self.cells).strip()


@dataclass(frozen=True, slots=True)
class Shape:
    """Rows of a sample as a delimiter parts them."""

    delimiter: str
    width: int
    """Values in most rows."""
    share: float
    """Rows that are so wide, among those that are not blank."""
    run: int
    """The longest unbroken sequence of such rows."""
    numbers: float
    """Cells of such rows that are numbers."""
    rows: tuple[Row, ...]


def lines_of(text: str, *, complete: bool = True) -> list[str]:
    """The first lines of a text; the last is left out when the text was cut there."""
    lines = _LINE_ENDS.split(text, maxsplit=SAMPLED_LINES + 1)
    if len(lines) > SAMPLED_LINES or (not complete and len(lines) > 1):
        lines = lines[:-1]
    return lines[:SAMPLED_LINES]


def find_shape(lines: Sequence[str]) -> Shape | None:
    """The shape of the table that these lines begin, None where they are no table."""
    shapes = [_shape(lines, delimiter) for delimiter in _DELIMITERS]
    found = [shape for shape in shapes if shape is not None and _is_table(shape)]
    if len(lines) == 1 and ", " in lines[0]:
        # One line is a header without a table, or a remark.
        found = [shape for shape in found if shape.delimiter != "," or shape.width > 3]
    if not found:
        blanks = (_shape(lines, delimiter) for delimiter in (BLANK, BLANKS))
        found = [shape for shape in blanks if shape is not None and _is_aligned(shape)]
    if found:
        return max(found, key=_rank)
    return _list_of_values(lines)


def decimal_mark(rows: Sequence[Row], delimiter: str) -> str:
    """The decimal mark of the numbers in these rows, a point where nothing tells."""
    cells = islice((cell for row in rows for cell in row.cells), _SAMPLED_CELLS)
    writings: Counter[Writing] = Counter()
    for cell in cells:
        # Two groups of thousands leave no doubt, while 1.234 may be either.
        writings[writing(cell, quoted_in_commas=delimiter == ",")] += (
            1000 if is_grouped(cell) else 1
        )
    return "," if writings[Writing.COMMA] > writings[Writing.POINT] else "."


def split_lines(lines: Sequence[str], delimiter: str) -> list[Row]:
    """The values of each line that is not empty."""
    if delimiter == NO_DELIMITER:
        return [Row((line,), at, at + 1) for at, line in enumerate(lines) if line.strip()]
    if delimiter in (BLANK, BLANKS):
        pattern = re.compile(r"[ \t\u00a0]+" if delimiter == BLANK else r"[ \t\u00a0]{2,}|\t")
        return [
            Row(tuple(pattern.split(line.strip())), at, at + 1)
            for at, line in enumerate(lines)
            if line.strip()
        ]
    return _quoted(lines, delimiter)


def _quoted(lines: Sequence[str], delimiter: str) -> list[Row]:
    reader = csv.reader(
        (line + "\n" for line in lines), delimiter=delimiter, skipinitialspace=delimiter != "\t"
    )
    rows: list[Row] = []
    before = 0
    try:
        for cells in reader:
            if any(cells) or len(cells) > 1:
                rows.append(Row(tuple(cells), before, reader.line_num))
            before = reader.line_num
    except csv.Error:
        # A value of over 128 KB, or a zero byte: its quotes are not worth the trouble.
        return [
            Row(tuple(line.split(delimiter)), at, at + 1)
            for at, line in enumerate(lines)
            if line.strip()
        ]
    return rows


def _shape(lines: Sequence[str], delimiter: str) -> Shape | None:
    if delimiter.strip() and not any(delimiter in line for line in lines):
        return None
    rows = split_lines(lines, delimiter)
    widths = Counter(len(row.cells) for row in rows if not row.is_blank)
    wide = {width: count for width, count in widths.items() if width > 1}
    if not wide:
        return None
    width = max(wide, key=lambda width: (wide[width], width))
    run = longest = 0
    for row in rows:
        run = run + 1 if len(row.cells) == width else 0
        longest = max(longest, run)
    cells = [cell for cell in _some_cells(rows, width) if cell.strip()]
    numbers = sum(1 for cell in cells if is_number(cell)) / max(1, len(cells))
    return Shape(delimiter, width, wide[width] / widths.total(), longest, numbers, tuple(rows))


def _some_cells(rows: Sequence[Row], width: int) -> Iterator[str]:
    return islice(
        (cell for row in reversed(rows) if len(row.cells) == width for cell in row.cells),
        _SAMPLED_CELLS // 10,
    )


def _rank(shape: Shape) -> float:
    # Commas within the values of a table with tabs are more common than the other way round.
    tabs = 0.1 if shape.delimiter == "\t" and shape.share > 0.9 else 0.0
    return shape.share + min(shape.width, 50) / 1000 + tabs


def _is_table(shape: Shape) -> bool:
    rows = [row for row in shape.rows if len(row.cells) == shape.width]
    if shape.delimiter == "," and _is_prose(rows):
        return False
    if len(rows) == 1:
        return shape.share == 1 and all(len(cell) <= _MAX_NAME for cell in rows[0].cells)
    if shape.share >= 0.6 or (shape.share >= 0.3 and shape.numbers >= 0.25):
        return True
    # A small table among long titles and notes.
    return shape.run >= 3 and shape.numbers >= 0.2


def _is_prose(rows: Sequence[Row]) -> bool:
    """Sentences have commas too: words after them, and a full stop."""
    sentences = sum(1 for row in rows if _SENTENCE.search(" ".join(row.cells[-2:])))
    numbers = sum(1 for row in rows if any(is_number(cell) for cell in row.cells))
    return sentences >= 0.5 * len(rows) and numbers < 0.3 * len(rows)


def _is_aligned(shape: Shape) -> bool:
    """Blanks stand between words as well: only numbers in columns make a table of them."""
    enough = 0.8 if shape.delimiter == BLANK else 0.5
    rows = sum(1 for row in shape.rows if len(row.cells) == shape.width)
    return rows >= 3 and (shape.share >= enough or shape.run >= 5) and shape.numbers >= 0.3


def _list_of_values(lines: Sequence[str]) -> Shape | None:
    """One column: a header and numbers below it, or a list of short codes."""
    rows = split_lines(lines, NO_DELIMITER)
    if len(rows) < 3:
        return None
    body = [row.cells[0].strip() for row in rows[1:]]
    numbers = sum(1 for cell in body if is_number(cell)) / len(body)
    codes = all(len(cell) <= 30 and len(cell.split()) <= 1 for cell in (rows[0].cells[0], *body))
    if numbers < 0.8 and not codes:
        return None
    return Shape(NO_DELIMITER, 1, 1.0, len(rows), numbers, tuple(rows))
