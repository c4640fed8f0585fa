"""Tables without lines: columns are what the white gaps between them leave, row after row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb
from typing import TYPE_CHECKING

from crawler.readers.grid import Grid, Span
from crawler.readers.pdf_lines import Line, Piece, lines_of_words

if TYPE_CHECKING:
    from pdfplumber.page import Page

_MIN_ROWS = 4
"""Rows of figures that leave no doubt."""
_MAX_WORDS = 8000
_MAX_HEADER = 5
_MIN_GAP = 2.0
"""Points of white between two columns."""
_COVERED = 0.04
"""Share of the rows that may reach over a gap: long labels do."""
_STEP = 0.5
_MAX_SPLITS = 3000
_MAX_SHARE = 0.7
"""Labels of an upper line against columns; more of them are names of the columns themselves."""
_ANCHORED = 2.0
_UNEVEN = 20.0
"""Points that groups of different sizes must be nearer."""

Columns = list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table found on a page, and where its columns stand."""

    grid: Grid
    columns: Columns
    top: float
    bottom: float


def find_by_columns(page: "Page", known: Columns | None = None) -> Iterator[PageTable]:
    """The tables of a page whose figures stand in columns.

    `known` are the columns of a table that the page before ended with: the lines that this page
    begins with may go on with it, however few they are.
    """
    words = page.extract_words(x_tolerance=1.5, y_tolerance=2, keep_blank_chars=False)
    if len(words) > _MAX_WORDS:
        return
    lines = lines_of_words(words)
    at = 0
    if known:
        at = _end_of_known(lines, known)
        if at:
            yield _table(lines[:at], known, 0)
    while at < len(lines):
        end = _end_of_block(lines, at)
        if sum(_is_tabular(line) for line in lines[at:end]) < _MIN_ROWS:
            at += 1
            continue
        body = [line for line in lines[at:end] if _is_tabular(line)]
        columns = _columns(body)
        if len(columns) > 1:
            start = _start_of_header(lines, at, columns)
            yield _table(lines[start:end], columns, at - start)
        at = end


def _is_tabular(line: Line) -> bool:
    """Several figures, or one beside several texts; a title and its page are no table."""
    figures = len(line.figures)
    return figures > 1 or (figures == 1 and len(line.pieces) > 2)


def _end_of_block(lines: Sequence[Line], start: int) -> int:
    """The line after the last of a run of rows; single headings may stand between them."""
    if not _is_tabular(lines[start]):
        return start
    at = last = start
    while at + 1 < len(lines):
        line = lines[at + 1]
        if line.top - lines[at].bottom > 2.5 * max(line.height, lines[at].height):
            break
        at += 1
        if _is_tabular(line):
            last = at
        elif at - last > 2 or len(line.pieces) > 1:
            break
    return last + 1


def _columns(lines: Sequence[Line]) -> Columns:
    """Where words stand, between the gaps that go through all rows."""
    left = min(line.pieces[0].left for line in lines)
    right = max(line.pieces[-1].right for line in lines)
    cells = int((right - left) / _STEP) + 1
    covered = [0] * (cells + 1)
    for line in lines:
        for piece in line.pieces:
            first = max(0, int((piece.left - left) / _STEP))
            last = min(cells, int((piece.right - left) / _STEP))
            for place in range(first, last + 1):
                covered[place] += 1
    tolerated = int(_COVERED * len(lines))
    columns: Columns = []
    begin: int | None = None
    gap = 0
    for place, count in enumerate(covered):
        if count > tolerated:
            if begin is None:
                begin = place
            gap = 0
            continue
        gap += 1
        if begin is not None and gap * _STEP >= _MIN_GAP:
            columns.append((left + begin * _STEP, left + (place - gap + 1) * _STEP))
            begin = None
    if begin is not None:
        columns.append((left + begin * _STEP, right))
    return columns


def _start_of_header(lines: Sequence[Line], start: int, columns: Columns) -> int:
    """The lines above that name the columns: several pieces, each over a column."""
    at = start
    while at > 0 and start - at < _MAX_HEADER:
        line = lines[at - 1]
        if lines[at].top - line.bottom > 2.0 * line.height:
            break
        if len(line.pieces) < 2 and not _is_over_columns(line, columns):
            break
        at -= 1
    return at


def _is_over_columns(line: Line, columns: Columns) -> bool:
    """One label to the right of the first column, not as wide as a sentence."""
    piece = line.pieces[0]
    return piece.left > columns[0][1] and piece.right <= columns[-1][1] + piece.size


def _end_of_known(lines: Sequence[Line], columns: Columns) -> int:
    """How many lines from the top have their figures in known columns, and several of them."""
    at = 0
    while at < len(lines):
        line = lines[at]
        if not _is_tabular(line) or len(line.pieces) > len(columns):
            break
        if any(_overlap(piece, *columns[_place(piece, columns)]) <= 0 for piece in line.pieces):
            break
        at += 1
    return at


def _table(lines: Sequence[Line], columns: Columns, header: int) -> PageTable:
    rows: list[list[str]] = []
    merged: list[Span] = []
    slots = _slots(lines[max(0, header - 1) :], columns)
    for at, line in enumerate(lines):
        below = lines[at + 1] if at + 1 < len(lines) else line
        is_upper = at < header and len(line.pieces) < len(below.pieces)
        spans = _groups(line, columns, slots) if is_upper else None
        if spans is not None:
            rows.append(_row_of_groups(line, spans, len(columns)))
            merged += [((at, first), (at, last)) for first, last in spans if last > first]
        else:
            rows.append(_cells(line, columns, is_header=at < header))
    grid = Grid(rows, len(rows), tuple(merged))
    return PageTable(grid, columns, lines[0].top, lines[-1].bottom)


def _groups(line: Line, columns: Columns, slots: Columns) -> list[tuple[int, int]] | None:
    """The columns under each label of an upper line of a header, where they are several.

    A label is centred over its columns: of all ways to share them the one wins in which labels
    are nearest to the middle. The first column is named by a label of its own, or by none.
    """
    labels = [piece for piece in line.pieces if piece.middle > columns[0][1]]
    if not 1 < len(labels) <= _MAX_SHARE * (len(columns) - 1):
        return None
    spans: list[tuple[int, int]] = []
    if len(labels) < len(line.pieces):
        spans = [(0, 0)] * (len(line.pieces) - len(labels))
    count = len(columns) - 1
    if comb(count - 1, len(labels) - 1) > _MAX_SPLITS:
        return None
    if (anchored := _anchored(labels, columns)) is not None:
        return spans + anchored
    splits = _splits(count, len(labels))
    return spans + min(splits, key=lambda split: _distance(labels, split, slots))


def _slots(lines: Sequence[Line], columns: Columns) -> Columns:
    """The columns with the white that belongs to them: before figures that end alike, after texts
    that begin alike, on both sides of what is centred."""
    middles = [(left + right) / 2 for left, right in columns[1:]]
    steps = sorted(after - before for before, after in pairwise(middles))
    pitch = steps[len(steps) // 2] if steps else columns[-1][1] - columns[-1][0]
    slots = [columns[0]]
    for place, (left, right) in enumerate(columns[1:], 1):
        pieces = [one for line in lines for one in line.pieces if _place(one, columns) == place]
        lefts, rights = [one.left for one in pieces], [one.right for one in pieces]
        ragged_left = max(lefts, default=0) - min(lefts, default=0)
        ragged_right = max(rights, default=0) - min(rights, default=0)
        if ragged_right + 1 < ragged_left:
            slots.append((right - pitch, right))
        elif ragged_left + 1 < ragged_right:
            slots.append((left, left + pitch))
        else:
            middle = (left + right) / 2
            slots.append((middle - pitch / 2, middle + pitch / 2))
    return slots


def _anchored(labels: Sequence[Piece], columns: Columns) -> list[tuple[int, int]] | None:
    """The groups where each label begins, or ends, with the first column under it."""
    firsts: list[int] = []
    for label in labels:
        place = _place(label, columns)
        left, right = columns[place]
        if min(abs(label.left - left), abs(label.right - right)) > _ANCHORED:
            return None
        firsts.append(place)
    if firsts != sorted(set(firsts)) or firsts[0] < 1:
        return None
    return [(first, last - 1) for first, last in pairwise([*firsts, len(columns)])]


def _splits(columns: int, groups: int) -> Iterator[list[tuple[int, int]]]:
    """Every way to give columns from 1 on to groups, in their order."""
    for ends in combinations(range(1, columns), groups - 1):
        edges = (0, *ends, columns)
        yield [(first + 1, last) for first, last in pairwise(edges)]


def _distance(labels: Sequence[Piece], split: Sequence[tuple[int, int]], columns: Columns) -> float:
    """How far labels are from the middle of the columns that they would stand over.

    Groups of one size are likelier than others that are as near.
    """
    sizes = [last - first for first, last in split]
    uneven = max(0, max(sizes) - min(sizes) - 1) * _UNEVEN
    return uneven + sum(
        abs(label.middle - (columns[first][0] + columns[last][1]) / 2)
        for label, (first, last) in zip(labels, split, strict=True)
    )


def _row_of_groups(line: Line, spans: Sequence[tuple[int, int]], width: int) -> list[str]:
    cells = [""] * width
    for piece, (first, _) in zip(line.pieces, spans, strict=True):
        cells[first] = f"{cells[first]} {piece.text}".strip()
    return cells


def _cells(line: Line, columns: Columns, *, is_header: bool) -> list[str]:
    cells = [""] * len(columns)
    pieces = [part for piece in line.pieces for part in _parted(piece, columns)]
    for piece in pieces if is_header else line.pieces:
        place = _place(piece, columns)
        cells[place] = f"{cells[place]} {piece.text}".strip()
    return cells


def _parted(piece: Piece, columns: Columns) -> list[Piece]:
    """The words of a name apart where the white between two columns parts them."""
    gaps = [(before[1], after[0]) for before, after in pairwise(columns)]
    parts: list[Piece] = []
    for word in piece.words or (piece,):
        last = parts[-1] if parts else None
        if last is None or any(_is_parted(last, word, left, right) for left, right in gaps):
            parts.append(word)
        else:
            parts[-1] = Piece(f"{last.text} {word.text}", last.left, word.right, word.size)
    return parts


def _is_parted(before: Piece, after: Piece, left: float, right: float) -> bool:
    """Whether the blank between two words lies over the white between two columns."""
    return before.right <= right and after.left >= left and before.middle < after.middle


def _place(piece: Piece, columns: Columns) -> int:
    """The column that a piece covers most of, or the nearest one."""
    overlaps = [_overlap(piece, left, right) for left, right in columns]
    best = max(range(len(columns)), key=overlaps.__getitem__)
    if overlaps[best] > 0:
        return best
    return min(
        range(len(columns)), key=lambda n: abs((columns[n][0] + columns[n][1]) / 2 - piece.middle)
    )


def _overlap(piece: Piece, left: float, right: float) -> float:
    return min(piece.right, right) - max(piece.left, left)
