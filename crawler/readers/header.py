"""Where the header of a table stands: every place it could be is scored, and the best one wins.

The evidence: a header names the columns, its cells are of another type than those below, the first
row of values looks like the others, and no row with figures lies in the header. What a narrow lead
decides is a guess, and is said to be one.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from crawler.readers.cell_types import VALUES, CellType

MAX_HEADER_ROWS = 7
_MAX_BODY = 40
"""Rows from the top among which the first row of values is looked for."""
_SAMPLE = 30
_MAX_COLUMNS = 80
"""Columns that are looked at; a table of thousands is not decided by the last of them."""
_NUMERIC = 0.6
_GOOD, _FURTHER = 2.0, 6
"""A header that is so good ends the search some rows below it."""
_LINE_OF_TIMES = -0.5
_OF_STYLES = 0.3
_MIN_STYLED = 2
CLEAR_LEAD = 0.2
"""A lead that is clear: half of a lost line of a header, or two rows of evidence."""


@dataclass(frozen=True, slots=True)
class HeadRow:
    """A row that is not blank, of the rows that a table begins with."""

    types: Sequence[CellType]
    """Of its own cells."""
    labelled: Sequence[bool]
    """Where a cell has a label, its own or that of a merged cell over it."""
    gap: bool = False
    """Whether blank rows stand before it."""
    title: bool = False
    """Whether it is one text over the whole width, or in the first cell alone."""
    grouped: bool = False
    """Whether merged cells, or labels with gaps between them, stand over several columns."""
    counting: bool = False
    """Whether it numbers the columns: 1, 2, 3."""
    bold: bool = False
    sentence: bool = False
    """Whether its first cell is long, or begins as a source or a note."""
    stub: bool = False
    """Whether it is one cell that names the labels of the rows: `GEO (Labels)`."""
    styles: Sequence[int | None] = ()
    """Which style each filled cell has, where the format says so."""

    @property
    def filled(self) -> int:
        """Cells that are not empty."""
        return sum(1 for kind in self.types if kind)

    @property
    def lone(self) -> bool:
        """Whether only one cell is filled."""
        return self.filled == 1


@dataclass(frozen=True, slots=True)
class Header:
    """The rows that name the columns, and where the values begin."""

    start: int
    """Rows before it: titles, sources."""
    body: int
    """The first row of values."""
    found: bool
    """Whether there is a header at all; without one `start` and `body` are the same."""
    lead: float = 9.0
    """By how much it is better than the next best place."""


_Weights = dict[CellType, float]


class _Column(IntEnum):
    EMPTY = 0
    TEXT = 1
    NUMBERS = 2
    TIMES = 3


def find_header(rows: Sequence[HeadRow], width: int) -> Header:
    """The header among the first rows of a table that is so wide."""
    if not rows:
        return Header(0, 0, found=False)
    scores = _Scores(rows, min(width, _MAX_COLUMNS))
    best: tuple[float, int, int] | None = None
    second = float("-inf")
    for body in range(min(len(rows), _MAX_BODY) + 1):
        if best is not None and best[0] > _GOOD and body > best[2] + _FURTHER:
            break
        for start in range(body, max(-1, body - MAX_HEADER_ROWS - 1), -1):
            if start < body and scores.is_data(start, body):
                break
            score = scores.of(start, body)
            if score is None:
                continue
            if best is None or score > best[0]:
                second = best[0] if best else second
                best = (score, start, body)
            else:
                second = max(second, score)
    if best is None:
        return Header(0, 0, found=False, lead=0.0)
    score, start, body = best
    if body == len(rows):
        # Names without a table leave nothing that could be read otherwise.
        return Header(start, body, start < body)
    return Header(start, body, start < body, min(9.0, score - second))


class _Scores:
    def __init__(self, rows: Sequence[HeadRow], width: int) -> None:
        self._rows = rows
        self._width = width
        self._kinds: dict[int, list[_Column]] = {}
        self._fits: dict[tuple[int, int], float] = {}

    def of(self, start: int, body: int) -> float | None:
        """How good a header from `start` to `body` would be; None where there can be none."""
        rows = self._rows
        if start == body == len(rows):
            return None
        kinds = self._columns(body)
        if not any(kinds):
            return self._of_names_alone(start, body)
        first = next((at for at in range(body, len(rows)) if not self._is_heading(at)), None)
        if first is None:
            return None
        score = self._fit(first, body, kinds) - 0.1 * (first - body)
        if rows[body].counting and body > start:
            score -= 0.6
        if rows[body].title and first > body and (rows[body].gap or rows[body].sentence):
            # A title of its own, or a remark, between the header and the values.
            score -= 0.3
        if body > start and (rows[body].stub or self._is_line_of_units(body, kinds)):
            score -= 0.5
        if start == body:
            return score + 0.2 - self._lost_above(start) - (0.5 if rows[body].bold else 0.0)
        score += _OF_STYLES * self._change_of_style(first, body)
        return score + self._quality(start, body, kinds) - self._lost_above(start)

    def is_data(self, at: int, body: int) -> bool:
        """Whether a row has figures where the rows from `body` on have them."""
        row = self._rows[at]
        if row.counting:
            return False
        here = [
            kind
            for kind, column in zip(row.types, self._columns(body), strict=False)
            if kind and column is _Column.NUMBERS
        ]
        numbers = sum(1 for kind in here if kind in (CellType.NUMBER, CellType.MARK))
        return bool(here) and numbers > len(here) / 2

    def _columns(self, body: int) -> list[_Column]:
        """What the columns hold below a row."""
        known = self._kinds.get(body)
        if known is not None:
            return known
        sample = [row.types for row in self._rows[body : body + _SAMPLE] if row.filled > 1]
        if self._width == 1:
            sample = [row.types for row in self._rows[body : body + _SAMPLE]]
        kinds = [
            _kind([types[at] for types in sample if at < len(types)]) for at in range(self._width)
        ]
        self._kinds[body] = kinds
        return kinds

    def _of_names_alone(self, start: int, body: int) -> float | None:
        """A header without a table: names side by side, no gap between."""
        if body != len(self._rows) or start != body - 1:
            return None
        row = self._rows[start]
        if row.filled < 2 or any(kind in VALUES for kind in row.types):
            return None
        return 1.3 if row.filled == self._width else 0.1

    def _is_heading(self, at: int) -> bool:
        """A label of a section, that has no values."""
        row = self._rows[at]
        return self._width > 1 and row.lone and not any(kind in VALUES for kind in row.types)

    def _fit(self, at: int, body: int, kinds: Sequence[_Column]) -> float:
        """How well a row fits the columns, from -1 to 1."""
        key = (at, body)
        if (known := self._fits.get(key)) is not None:
            return known
        points = count = 0.0
        for kind, column in zip(self._rows[at].types, kinds, strict=False):
            if kind is CellType.EMPTY or column is _Column.EMPTY:
                continue
            count += 1
            points += _FIT[column][kind]
        fit = points / count if count else 0.0
        if self._is_line_of_times(at, kinds):
            fit = _LINE_OF_TIMES
        self._fits[key] = fit
        return fit

    def _change_of_style(self, first: int, body: int) -> float:
        """How much more the first row of values is styled as the rows below than the header is."""
        below = [row.styles for row in self._rows[first + 1 : first + 1 + _SAMPLE] if row.styles]
        if len(below) < _MIN_STYLED:
            return 0.0
        usual: list[int | None] = []
        for place in range(self._width):
            styles = Counter(
                row[place] for row in below if place < len(row) and row[place] is not None
            )
            usual.append(styles.most_common(1)[0][0] if styles else None)
        return _likeness(self._rows[first].styles, usual) - _likeness(
            self._rows[body - 1].styles, usual
        )

    def _is_line_of_times(self, at: int, kinds: Sequence[_Column]) -> bool:
        """Years or dates over columns of figures, and no label: a line of the header."""
        types = self._rows[at].types
        over = [
            kind
            for kind, column in zip(types, kinds, strict=False)
            if kind and column is _Column.NUMBERS
        ]
        return (
            len(over) > 1
            and kinds[0] is _Column.TEXT
            and not types[0]
            and all(kind in (CellType.PERIOD, CellType.DATE) for kind in over)
            and len(over) == self._rows[at].filled
        )

    def _is_line_of_units(self, at: int, kinds: Sequence[_Column]) -> bool:
        """One text over columns of figures, `thousands`, and none like it further down."""
        row = self._rows[at]
        place = next((place for place, kind in enumerate(row.types) if kind), 0)
        if not row.lone or not row.grouped or not place or kinds[place] is not _Column.NUMBERS:
            return False
        below = self._rows[at + 1 : at + 1 + _SAMPLE]
        return not any(
            other.lone and place < len(other.types) and other.types[place] for other in below
        )

    def _quality(self, start: int, body: int, kinds: Sequence[_Column]) -> float:
        rows = self._rows[start:body]
        points = weight = 0.0
        for at, column in enumerate(kinds):
            share = 0.2 if column is _Column.EMPTY else 1.0
            points += share * self._name(rows, at, column, is_first=at == 0)
            weight += share
        plain = sum(not row.grouped and not row.counting for row in rows[:-1])
        score = points / max(weight, 1.0) - 0.1 * (len(rows) - 1) - 0.2 * plain
        for place, row in enumerate(rows):
            score += self._row_of_header(row, place, is_last=place == len(rows) - 1)
        return score

    def _name(self, rows: Sequence[HeadRow], at: int, column: _Column, *, is_first: bool) -> float:
        if len(rows) > 1:
            rows = [row for row in rows if not row.counting] or rows
        own = next(
            (row.types[at] for row in reversed(rows) if at < len(row.types) and row.types[at]),
            CellType.EMPTY,
        )
        if own is CellType.EMPTY:
            if any(at < len(row.labelled) and row.labelled[at] for row in rows):
                return 0.8
            return 0.2 if is_first else -0.4
        return 1.0 + _CONTRAST[column][own]

    def _row_of_header(self, row: HeadRow, place: int, *, is_last: bool) -> float:
        score = 0.15 if row.bold else 0.0
        if row.title:
            score -= 1.0
        elif row.lone and self._width > 1:
            score -= 0.0 if row.grouped else (1.0 if is_last else 0.5)
        if row.sentence:
            score -= 0.6
        if row.gap and place:
            score -= 0.25
        return score

    def _lost_above(self, start: int) -> float:
        """What is lost when the row above is no part of the header."""
        if not start:
            return 0.0
        row = self._rows[start - 1]
        if row.title or row.sentence or (row.lone and not row.grouped):
            return 0.0
        gap = self._rows[start].gap if start < len(self._rows) else False
        return 0.3 if gap else 0.8


def _likeness(styles: Sequence[int | None], usual: Sequence[int | None]) -> float:
    """The share of cells that have the usual style of their column."""
    pairs = [
        own == other
        for own, other in zip(styles, usual, strict=False)
        if own is not None and other is not None
    ]
    return sum(pairs) / len(pairs) if pairs else 0.0


def _kind(types: Sequence[CellType]) -> _Column:
    filled = [kind for kind in types if kind]
    if not filled:
        return _Column.EMPTY
    times = sum(1 for kind in filled if kind in (CellType.PERIOD, CellType.DATE))
    values = sum(1 for kind in filled if kind in VALUES)
    if times >= _NUMERIC * len(filled):
        return _Column.TIMES
    return _Column.NUMBERS if values >= _NUMERIC * len(filled) else _Column.TEXT


def _weights(text: float, number: float, mark: float, period: float, date: float) -> _Weights:
    return {
        CellType.TEXT: text,
        CellType.NUMBER: number,
        CellType.MARK: mark,
        CellType.PERIOD: period,
        CellType.DATE: date,
    }


_FIT = {
    _Column.TEXT: _weights(text=1.0, number=0.4, mark=0.6, period=0.4, date=0.3),
    _Column.NUMBERS: _weights(text=-1.0, number=1.0, mark=1.0, period=0.7, date=0.0),
    _Column.TIMES: _weights(text=-0.8, number=0.5, mark=0.8, period=1.0, date=1.0),
}
"""How well a cell goes with the others of its column."""
_CONTRAST = {
    _Column.EMPTY: _weights(text=0.2, number=0.0, mark=0.0, period=0.1, date=0.1),
    _Column.TEXT: _weights(text=0.0, number=-0.8, mark=-0.5, period=-0.2, date=-0.2),
    _Column.NUMBERS: _weights(text=1.0, number=-1.5, mark=-0.5, period=0.9, date=0.7),
    _Column.TIMES: _weights(text=1.0, number=-1.5, mark=-0.5, period=-0.6, date=-0.6),
}
"""How much a cell looks like a name above such a column, beside being there."""
