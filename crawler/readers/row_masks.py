"""What the rows of a block are, for all of them at once: full as the others, or like a header."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crawler.readers.cell_types import VALUES, CellType, type_of
from crawler.readers.grid import Cells
from crawler.readers.notes import is_mark_with_text, is_sign_with_text, is_strong_note

if TYPE_CHECKING:
    import numpy as np

SAMPLE = 200
_CHECKED = 4
"""Columns of figures in which texts are looked for, over all rows."""
_NUMERIC = 0.6
_LAST = 40
"""Rows at the end that are looked at for notes with figures in them."""


@dataclass(slots=True)
class RowMasks:
    """What each row from the body on is."""

    dense: "np.ndarray[Any, Any]"
    """As full as most, with a figure where those have figures."""
    header_like: "np.ndarray[Any, Any]"
    """Texts where most rows have figures."""
    notes: set[int]
    """Among the last rows those that begin as notes, and do not fill all columns."""


def row_masks(cells: Cells, body: int, kinds: Sequence[CellType], label: int) -> RowMasks:
    """What the rows from `body` on are, by the types of the columns and the column of labels."""
    import numpy as np

    counts = cells.counts[body:]
    some = counts[counts > 0]
    usual = float(np.median(some[: 4 * SAMPLE])) if len(some) else 0.0
    least = max(2 if cells.width > 1 else 1, 0.5 * usual)
    notes = _notes_at_end(cells, body)
    numeric = [at for at, kind in enumerate(kinds) if kind in VALUES][:_CHECKED]
    values = np.zeros(len(counts), dtype=int)
    texts = np.zeros(len(counts), dtype=int)
    for at in numeric:
        column = cells.values[body:, at]
        is_text = np.fromiter((_is_words(cell) for cell in column), bool, len(column))
        texts += is_text
        values += cells.filled[body:, at] & ~is_text
    dense = (counts >= least) & ((values > 0) | (texts == 0))
    if numeric:
        # A row with its label and at least one figure is a row, however many gaps it has.
        dense |= cells.filled[body:, label] & (values > 0) & (counts > 1)
    dense[[at - body for at in notes]] = False
    return RowMasks(dense, (counts > 1) & (texts > 0) & (values == 0), notes)


def _notes_at_end(cells: Cells, body: int) -> set[int]:
    last = range(max(body, len(cells) - _LAST), len(cells))
    full = [at for at in range(cells.core) if cells.filled[body:, at].any()]
    notes = {
        at
        for at in last
        if cells.counts[at]
        and not all(cells.filled[at, place] for place in full)
        and is_strong_note(cells.texts(at)[0])
    }
    if len(full) > 2:
        notes |= _explained_signs(cells, body)
    return notes


def _explained_signs(cells: Cells, body: int) -> set[int]:
    """Signs and what they mean, below the last gap: where rows have few figures, they are as full.

    A list of codes has such rows above the gap as well.
    """
    filled = [at for at in range(body, len(cells)) if cells.counts[at]]
    below: set[int] = set()
    for at in reversed(filled[-_LAST:]):
        if cells.counts[at] > 1 and not _explains_a_sign(cells, at):
            break
        below.add(at)
        if at > body and not cells.counts[at - 1]:
            above = [row for row in filled if row < at][-_LAST:]
            codes = sum(_explains_a_sign(cells, row) for row in above)
            return below if codes < len(below) and codes < len(above) / 2 else set()
    return set()


def _explains_a_sign(cells: Cells, at: int) -> bool:
    texts = cells.texts(at)
    return is_mark_with_text(texts) or is_sign_with_text(texts)


def interludes(dense: "np.ndarray[Any, Any]") -> Iterator[tuple[int, int]]:
    """Runs of rows that are not dense, each with its first row and the one after its last."""
    import numpy as np

    edges = np.flatnonzero(np.diff(np.concatenate(([1], dense.astype(np.int8), [1]))))
    for first, stop in zip(edges[::2], edges[1::2], strict=True):
        yield int(first), int(stop)


def column_kinds(cells: Cells, body: int) -> list[CellType]:
    """NUMBER, PERIOD or TEXT for each column, EMPTY without a value."""
    rows = [at for at in range(body, min(len(cells), body + SAMPLE)) if cells.counts[at] > 1]
    kinds: list[CellType] = []
    for place in range(cells.width):
        types = [type_of(cells.values[at, place]) for at in rows]
        types = [kind for kind in types if kind]
        values = [kind for kind in types if kind in VALUES]
        if not types:
            kinds.append(CellType.EMPTY)
        elif len(values) >= _NUMERIC * len(types):
            times = sum(1 for kind in values if kind in (CellType.PERIOD, CellType.DATE))
            kinds.append(CellType.PERIOD if times > 0.5 * len(values) else CellType.NUMBER)
        else:
            kinds.append(CellType.TEXT)
    return kinds


def _is_words(cell: Any) -> bool:
    return type(cell) is str and type_of(cell) is CellType.TEXT
