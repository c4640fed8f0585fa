"""The first rows of a block of cells, as evidence for where its header stands."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from crawler.readers.cell_types import VALUES, CellType, in_steps, types_of_rows, whole_number
from crawler.readers.grid import Cells, text_of
from crawler.readers.header import HeadRow
from crawler.readers.notes import LONG_TEXT, begins_as_note, is_strong_note

HEAD = 100
"""Rows that are looked at for a header."""
_WHOLE_WIDTH = 0.8
_MAX_LABELS = 12
"""Rows from the top among which numbers that name columns are looked for."""
_STYLED = 20
_MIN_NUMBERS = 2
_MOST_FORMATTED = 0.8
_STUB = re.compile(r"(?:[\w ]+ )?\((?:labels?|codes?|libellés?)\)|geo|time", re.IGNORECASE)
"""What names the labels of the rows on a line of its own, as in workbooks of Eurostat."""
_MAX_GROUP = 40
"""Letters of a label over all columns of figures; what is longer there is a title."""


def head_rows(cells: Cells, start: int, stop: int) -> tuple[list[HeadRow], list[int]]:
    """The rows that are not blank from a row on, and where each of them stands."""
    places: list[int] = []
    gaps: list[bool] = []
    gap = False
    for at in range(start, min(stop, start + 4 * HEAD)):
        if not cells.counts[at]:
            gap = gap or (at not in cells.covered and bool(places))
            continue
        places.append(at)
        gaps.append(gap)
        gap = False
        if len(places) >= HEAD:
            break
    values = [list(cells.values[at, : cells.core]) for at in places]
    types = types_of_rows(values)
    styles = [_styles(cells, at) for at in places]
    if any(styles):
        types = _with_labels(types, styles, cells.styles.general)
    rows = [
        _row(
            values[n],
            types[n],
            [(first, last) for first, last, _ in cells.spans.get(at, ()) if last > first],
            gap=gaps[n],
            bold=at in cells.bold,
            styles=styles[n],
        )
        for n, at in enumerate(places)
    ]
    return _checked(rows), places


def text_head_rows(rows: Sequence[tuple[Sequence[str], bool]], width: int) -> list[HeadRow]:
    """The same for rows of texts, each with whether a gap is before it."""
    values = [[cell.strip() or None for cell in row[:width]] for row, _ in rows[:HEAD]]
    values = [[*row, *[None] * (width - len(row))] for row in values]
    types = types_of_rows(values)
    made = [
        _row(values[at], types[at], [], gap=gap, bold=False)
        for at, (_, gap) in enumerate(rows[:HEAD])
    ]
    return _checked(made)


def _checked(rows: list[HeadRow]) -> list[HeadRow]:
    """A row numbers the columns only where it has a number over a column of texts."""
    for at, row in enumerate(rows):
        if row.counting and not any(
            kind and place < len(below.types) and below.types[place] is CellType.TEXT
            for below in rows[at + 1 : at + 6]
            for place, kind in enumerate(row.types)
        ):
            rows[at] = replace(row, counting=False)
    return rows


def _row(
    row: Sequence[Any],
    types: Sequence[CellType],
    spans: Sequence[tuple[int, int]],
    *,
    gap: bool,
    bold: bool,
    styles: Sequence[int | None] = (),
) -> HeadRow:
    width = len(row)
    places = [at for at, kind in enumerate(types) if kind]
    labelled = [bool(kind) for kind in types]
    for first, last in spans:
        if first < width and types[first]:
            labelled[first : last + 1] = [True] * (last + 1 - first)
    texts = [text_of(row[at]) for at in places]
    if not places:
        return HeadRow(types, labelled, gap=gap, title=True)
    is_lone = len(places) == 1
    over = next((last - first + 1 for first, last in spans if places[:1] == [first]), 1)
    grouped = bool(spans) or _has_groups(places, types, width)
    title = is_lone and _is_title(texts[0], places[0], over, width, types[places[0]])
    is_stub = is_lone and not places[0] and _STUB.fullmatch(texts[0].strip()) is not None
    title = title and not is_stub
    if not spans and grouped:
        labelled = [False] * places[0] + [True] * (width - places[0]) if places else labelled
    return HeadRow(
        types=types,
        labelled=labelled,
        gap=gap,
        title=title,
        grouped=is_stub or (grouped and not title and (not is_lone or over > 1)),
        counting=_is_counting(row, types),
        bold=bold,
        sentence=not is_stub and _is_sentence(texts, places, width, is_grouped=bool(spans)),
        stub=is_stub,
        styles=styles,
    )


def _styles(cells: Cells, at: int) -> Sequence[int | None]:
    """The styles of the filled cells of a row; none where they are not known."""
    known = cells.styles.rows.get(at)
    if not known:
        return ()
    return [
        known.get(cells.columns[place]) if cells.filled[at, place] else None
        for place in range(cells.core)
    ]


def _is_title(text: str, place: int, over: int, width: int, kind: CellType) -> bool:
    if kind in VALUES and kind is not CellType.PERIOD:
        return False
    if width == 1:
        return False
    if over >= width:
        return True
    if over > 1 and over >= max(2, _WHOLE_WIDTH * width, width - 1):
        # Over all columns but the first: a short label groups the figures, a sentence is a title.
        return len(text) > _MAX_GROUP or width > 8
    return place == 0 and (over == 1 or over >= _WHOLE_WIDTH * width)


def _is_sentence(
    texts: Sequence[str], places: Sequence[int], width: int, *, is_grouped: bool
) -> bool:
    """`Source, Office` fills the first cells only, and says nothing of the other columns."""
    first = texts[0]
    if is_strong_note(first) or (begins_as_note(first) and len(texts) < width):
        return True
    if (
        not is_grouped
        and width > 3
        and len(texts) <= width / 2
        and list(places) == list(range(len(texts)))
    ):
        return True
    return len(texts) <= 2 and len(texts) < width and len(first) > LONG_TEXT


def _has_groups(places: Sequence[int], types: Sequence[CellType], width: int) -> bool:
    """Labels with gaps on their right, over columns that the next line names."""
    if len(places) < 2 or len(places) == width:
        return False
    labels = (CellType.TEXT, CellType.PERIOD, CellType.DATE)
    return all(types[at] in labels for at in places)


def _is_counting(row: Sequence[Any], types: Sequence[CellType]) -> bool:
    """The numbers of the columns: 1, 2, 3 under the names, with or without brackets."""
    numbers = [whole_number(row[at]) for at, kind in enumerate(types) if kind]
    if len(numbers) < 3 or numbers[0] not in (0, 1, 2):
        return False
    return in_steps([number for number in numbers if number is not None]) and None not in numbers


def _with_labels(
    types: Sequence[Sequence[CellType]],
    styles: Sequence[Sequence[int | None]],
    general: Collection[int],
) -> list[list[CellType]]:
    """The types of cells, with numbers as labels in a row that alone has no format for them.

    Numbers that name columns are known by it: the figures below have a format, they have none.
    """
    changed = [list(row) for row in types]
    for at in range(min(len(changed), _MAX_LABELS)):
        if _is_of_labels(at, types, styles, general):
            changed[at] = [
                CellType.PERIOD if kind is CellType.NUMBER else kind for kind in types[at]
            ]
    return changed


def _is_of_labels(
    at: int,
    types: Sequence[Sequence[CellType]],
    styles: Sequence[Sequence[int | None]],
    general: Collection[int],
) -> bool:
    numbers = [place for place, kind in enumerate(types[at]) if kind is CellType.NUMBER]
    own = styles[at]
    if (
        len(numbers) < _MIN_NUMBERS
        or not own
        or any(own[place] not in general for place in numbers)
    ):
        return False
    below = [
        row[place] not in general
        for kinds, row in zip(
            types[at + 1 : at + 1 + _STYLED], styles[at + 1 : at + 1 + _STYLED], strict=True
        )
        for place in numbers
        if row and kinds[place] is CellType.NUMBER
    ]
    return len(below) > len(numbers) and sum(below) >= _MOST_FORMATTED * len(below)
