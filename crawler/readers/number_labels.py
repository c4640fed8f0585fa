"""Numbers that name columns, known by their format: the figures below have one, they have none."""

from collections.abc import Collection, Sequence

from crawler.readers.cell_types import CellType

_MAX_ROW = 12
"""Rows from the top among which names are looked for."""
_SAMPLE = 20
_MIN_NUMBERS = 2
_MOST = 0.8

Row = Sequence[CellType]
Styled = Sequence[int | None]


def with_labels(
    types: Sequence[Row], styles: Sequence[Styled], general: Collection[int]
) -> list[list[CellType]]:
    """The types of cells, with numbers as labels in a row that alone has no format for them."""
    changed = [list(row) for row in types]
    for at in range(min(len(changed), _MAX_ROW)):
        if _is_of_labels(at, types, styles, general):
            changed[at] = [
                CellType.PERIOD if kind is CellType.NUMBER else kind for kind in types[at]
            ]
    return changed


def _is_of_labels(
    at: int, types: Sequence[Row], styles: Sequence[Styled], general: Collection[int]
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
            types[at + 1 : at + 1 + _SAMPLE], styles[at + 1 : at + 1 + _SAMPLE], strict=True
        )
        for place in numbers
        if row and kinds[place] is CellType.NUMBER
    ]
    return len(below) > len(numbers) and sum(below) >= _MOST * len(below)
