"""The tables of a sheet: blocks of rows with titles above, a header, and notes below.

Rows that are as full as the others of a block are its data, and cost no closer look. What lies
between them (blank rows, headings, notes, the header of another table) is looked at row by row.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from crawler.readers.cell_types import VALUES, CellType, type_of
from crawler.readers.grid import Cells, text_of
from crawler.readers.head_rows import head_rows
from crawler.readers.header import CLEAR_LEAD, find_header
from crawler.readers.notes import LONG_TEXT, is_mark_with_text, is_strong_note, reads_like_note

if TYPE_CHECKING:
    import numpy as np

_SAMPLE = 200
_CHECKED = 4
"""Columns of figures in which texts are looked for, over all rows."""
_MAX_INTERLUDES = 3000
_MAX_BLOCKS = 30
_NUMERIC = 0.6
_LAST = 40
"""Rows at the end that are looked at for notes with figures in them."""


@dataclass(slots=True)
class Block:
    """One table of a sheet, as rows of its cells."""

    first: int
    """The first row that belongs to it: a title, or the header."""
    header: list[int]
    data: list[range] = field(default_factory=list)
    titles: list[int] = field(default_factory=list)
    repeated: list[int] = field(default_factory=list)
    """Rows that say the header again."""
    notes: list[int] = field(default_factory=list)
    end: int = 0
    """The row after its last."""
    found: bool = True
    """Whether it has a header."""
    seen: bool = True
    """Whether the layout leaves no doubt."""
    doubtful: list[int] = field(default_factory=list)
    """Rows of data that read like notes, and have figures in full width."""
    inherited: list[int] = field(default_factory=list)
    """The header of the block above, where this one has none of its own and the same rows."""

    def rows(self) -> int:
        """Rows of data."""
        return sum(map(len, self.data))


def find_blocks(cells: Cells, *, is_cut: bool = False) -> list[Block]:
    """The blocks of a sheet from top to bottom; of one that was cut the last row is not known."""
    blocks: list[Block] = []
    start = 0
    while start < len(cells) and len(blocks) < _MAX_BLOCKS:
        header_of = blocks[-1] if blocks else None
        block, start = _Walk(cells, start, header_of, is_cut=is_cut).block()
        if block is None:
            break
        blocks.append(block)
    if blocks:
        last = blocks[-1]
        last.notes += [at for at in range(last.end, len(cells)) if cells.counts[at]]
        last.end = len(cells)
    return blocks


def notes_at_end(cells: Cells, sample: Cells) -> list[int]:
    """The rows at the end of a long table that are notes, by the columns that a sample shows."""
    walk = _Walk(cells, 0, None, is_cut=False)
    block = Block(first=0, header=[])
    walk.use_columns(_column_kinds(sample, 0))
    walk.collect(block, 0)
    last = max((span.stop for span in block.data), default=0)
    return [at for at in block.notes if at >= last]


@dataclass(slots=True)
class _Masks:
    """What each row from the body on is, for all of them at once."""

    dense: "np.ndarray[Any, Any]"
    header_like: "np.ndarray[Any, Any]"


class _Walk:
    """Goes down from a row, and ends where the block ends."""

    def __init__(self, cells: Cells, start: int, previous: Block | None, *, is_cut: bool) -> None:
        self._cells = cells
        self._start = start
        self._previous = previous
        self._is_cut = is_cut

    def block(self) -> tuple[Block | None, int]:
        """The block that begins at the start, and where the next one may."""
        cells = self._cells
        rows, places = head_rows(cells, self._start, len(cells))
        header = find_header(rows, cells.core)
        if not rows or (not header.found and header.body >= len(rows)):
            return None, len(cells)
        places = [*places, places[-1] + 1]
        body = places[header.body]
        block = Block(
            first=self._start,
            header=[places[at] for at in range(header.start, header.body)],
            titles=places[: header.start],
            end=body,
            found=header.found,
            seen=header.lead >= CLEAR_LEAD,
        )
        if not header.found and self._previous is not None:
            block.inherited = self._previous.header or self._previous.inherited
        self.use_columns(_column_kinds(cells, body))
        return block, self.collect(block, body)

    def use_columns(self, kinds: list[CellType]) -> None:
        """Judges rows by columns of these types."""
        self._kinds = kinds
        self._label = next((at for at, kind in enumerate(kinds) if kind is CellType.TEXT), 0)

    def collect(self, block: Block, body: int) -> int:
        """Puts the rows from the body on into the block; gives the start of the next one."""
        cells = self._cells
        masks = self._masks(body)
        at = body
        for number, (first, stop) in enumerate(_interludes(masks.dense)):
            first, stop = first + body, stop + body
            if first > at:
                block.data.append(range(at, first))
            at = stop
            if number > _MAX_INTERLUDES:
                block.data.append(range(first, len(cells)))
                at = len(cells)
                break
            if stop >= len(cells):
                self._tail(block, first)
                block.end = len(cells)
                self._doubt_last(block)
                return len(cells)
            following = self._between(block, first, stop, masks, body)
            if following is not None:
                block.end = following
                return following
        if at < len(cells):
            block.data.append(range(at, len(cells)))
        block.end = len(cells)
        self._doubt_last(block)
        return len(cells)

    def _masks(self, body: int) -> _Masks:
        import numpy as np

        cells = self._cells
        counts = cells.counts[body:]
        some = counts[counts > 0]
        usual = float(np.median(some[: 4 * _SAMPLE])) if len(some) else 0.0
        least = max(2 if cells.width > 1 else 1, 0.5 * usual)
        numeric = [at for at, kind in enumerate(self._kinds) if kind in VALUES][:_CHECKED]
        if not numeric:
            dense = counts >= least
            self._strong_notes = self._strong_at_end(body)
            dense[[at - body for at in self._strong_notes]] = False
            return _Masks(dense, np.zeros(len(counts), dtype=bool))
        values = np.zeros(len(counts), dtype=int)
        texts = np.zeros(len(counts), dtype=int)
        for at in numeric:
            column = cells.values[body:, at]
            is_text = np.fromiter((_is_words(cell) for cell in column), bool, len(column))
            texts += is_text
            values += cells.filled[body:, at] & ~is_text
        dense = (counts >= least) & ((values > 0) | (texts == 0))
        self._strong_notes = self._strong_at_end(body)
        # A row with its label and at least one figure is a row, however many gaps it has.
        labelled = cells.filled[body:, self._label] & (values > 0) & (counts > 1)
        header_like = (counts > 1) & (texts > 0) & (values == 0)
        dense |= labelled
        dense[[at - body for at in self._strong_notes]] = False
        return _Masks(dense, header_like)

    def _strong_at_end(self, body: int) -> set[int]:
        """Among the last rows those that begin as notes, and do not fill all columns."""
        cells = self._cells
        last = range(max(body, len(cells) - _LAST), len(cells))
        full = [at for at in range(cells.core) if cells.filled[body:, at].any()]
        return {
            at
            for at in last
            if cells.counts[at]
            and not all(cells.filled[at, place] for place in full)
            and is_strong_note(cells.texts(at)[0])
        }

    def _between(self, block: Block, first: int, stop: int, masks: _Masks, body: int) -> int | None:
        """Judges the rows between two runs of data; the start of a new block if there is one."""
        cells = self._cells
        rows = [at for at in range(first, stop) if cells.counts[at]]
        if not rows:
            return None
        likely = [at for at in rows if masks.header_like[at - body]]
        if likely and block.header and self._is_header_again(block, rows):
            same = set(self._header_again(block, rows))
            others = [at for at in rows if at not in same]
            if not any(self._is_new_title(block, at) for at in others):
                block.repeated += sorted(same)
                notes = [at for at in others if reads_like_note(self._cells.texts(at))]
                block.notes += notes
                block.titles += [at for at in others if at not in notes]
                return None
            return self._new_block(block, rows, likely)
        if likely and (len(likely) < len(rows) or first != rows[0] or self._gap(first, stop)):
            return self._new_block(block, rows, likely)
        if likely and len(likely) > 1:
            return self._new_block(block, rows, likely)
        if self._starts_again(block, first, stop, rows):
            return self._new_block(block, rows, [])
        self._headings(block, rows)
        return None

    def _new_block(self, block: Block, rows: Sequence[int], likely: Sequence[int]) -> int:
        """Where the next block begins: after the notes of this one."""
        start = likely[0] if likely else rows[-1] + 1
        titles = [at for at in rows if at < start]
        notes: list[int] = []
        for place, at in enumerate(titles):
            following = titles[place + 1] if place + 1 < len(titles) else start
            gap_after = any(not self._cells.counts[n] for n in range(at + 1, following))
            texts = self._cells.texts(at)
            if reads_like_note(texts) and not _is_table_title(texts):
                notes = titles[: place + 1]
            elif place == 0 and gap_after and len(titles) > 1 and not self._gap_before(at):
                notes = titles[:1]
        block.notes += notes
        return (notes[-1] + 1) if notes else rows[0]

    def _headings(self, block: Block, rows: Sequence[int]) -> None:
        """Headings of sections are rows; remarks between the rows are notes."""
        for at in rows:
            texts = self._cells.texts(at)
            if is_strong_note(texts[0]) or len(texts[0]) > 3 * LONG_TEXT:
                block.notes.append(at)
            else:
                block.data.append(range(at, at + 1))

    def _tail(self, block: Block, first: int) -> None:
        """What stands below the last row of figures: rows without figures, then notes."""
        cells = self._cells
        ended = gap = False
        if self._is_cut:
            block.data += [range(at, at + 1) for at in range(first, len(cells)) if cells.counts[at]]
            return
        for at in range(first, len(cells)):
            if not cells.counts[at]:
                gap = True
                continue
            ended = ended or self._is_note(at, gap=gap)
            if ended:
                block.notes.append(at)
            else:
                block.data.append(range(at, at + 1))

    def _is_note(self, at: int, *, gap: bool) -> bool:
        cells = self._cells
        row = cells.values[at]
        places = [int(place) for place in cells.filled[at].nonzero()[0]]
        texts = [text_of(row[place]) for place in places]
        types = [type_of(row[place]) for place in places]
        has_figures = any(
            kind in VALUES and self._kinds[place] in VALUES and place != self._label
            for kind, place in zip(types, places, strict=True)
        )
        if at in self._strong_notes:
            return True
        if has_figures:
            # What is left of a row; without a label, after a gap, it is a sum on the side.
            return gap and self._label not in places
        if reads_like_note(texts) or is_mark_with_text(texts):
            return True
        if any(last - first_ >= cells.width / 2 for first_, last, _ in cells.spans.get(at, ())):
            return True
        if len(places) == 1:
            in_place = places[0] <= self._label or types[0] in VALUES
            return gap or not in_place
        return gap and len(places) < cells.width

    def _doubt_last(self, block: Block) -> None:
        """Rows of full width are never notes, but the last ones may read like some."""
        if not block.data:
            return
        last = [at for span in block.data[-3:] for at in span][-3:]
        block.doubtful = [
            at for at in last if (texts := self._cells.texts(at)) and is_strong_note(texts[0])
        ]

    def _gap(self, first: int, stop: int) -> bool:
        return any(not self._cells.counts[at] for at in range(first, stop))

    def _gap_before(self, at: int) -> bool:
        return at > 0 and not self._cells.counts[at - 1]

    def _is_header_again(self, block: Block, rows: Sequence[int]) -> bool:
        return bool(self._header_again(block, rows))

    def _header_again(self, block: Block, rows: Sequence[int]) -> list[int]:
        """The rows among these that say a line of the header once more."""
        lines = [tuple(self._cells.texts(at)) for at in block.header]
        again = [at for at in rows if tuple(self._cells.texts(at)) in lines]
        last = lines[-1] if lines else ()
        is_whole = any(tuple(self._cells.texts(at)) == last for at in again)
        return again if is_whole else []

    def _is_new_title(self, block: Block, at: int) -> bool:
        """A line between pages that was not said before: the name of another table."""
        texts = self._cells.texts(at)
        known = {tuple(self._cells.texts(title)) for title in block.titles}
        joined = " ".join(texts).lower()
        is_page = any(word in joined for word in ("continued", "page", "suite", "fortsetzung"))
        return tuple(texts) not in known and not is_page and not reads_like_note(texts)

    def _starts_again(self, block: Block, first: int, stop: int, rows: Sequence[int]) -> bool:
        """Whether the labels of the rows so far come once more: a block of percentages below."""
        if not block.header or not self._gap(first, stop) or len(rows) > 4:
            return False
        labels = [
            text_of(self._cells.values[at, self._label]) for span in block.data for at in span
        ]
        count = len(labels)
        if not 2 <= count <= 500 or stop + count > len(self._cells):
            return False
        again = [text_of(self._cells.values[at, self._label]) for at in range(stop, stop + count)]
        same = sum(1 for one, other in zip(labels, again, strict=True) if one == other and one)
        return same >= 0.8 * count and len(set(labels)) > 0.5 * count


def _interludes(dense: "np.ndarray[Any, Any]") -> Iterator[tuple[int, int]]:
    """Runs of rows that are not dense, each with its first row and the one after its last."""
    import numpy as np

    edges = np.flatnonzero(np.diff(np.concatenate(([1], dense.astype(np.int8), [1]))))
    for first, stop in zip(edges[::2], edges[1::2], strict=True):
        yield int(first), int(stop)


def _column_kinds(cells: Cells, body: int) -> list[CellType]:
    """NUMBER, PERIOD or TEXT for each column, EMPTY without a value."""
    rows = [at for at in range(body, min(len(cells), body + _SAMPLE)) if cells.counts[at] > 1]
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


def _is_table_title(texts: Sequence[str]) -> bool:
    """`Table 2: ...` names the next table, however long it is."""
    first = texts[0].lower().split()[:1]
    return bool(first) and first[0].rstrip(".:") in (
        "table", "tableau", "tabelle", "tabla", "tabela", "tab", "figure", "panel", "part"
    )  # fmt: skip
