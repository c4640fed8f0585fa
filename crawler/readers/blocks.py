"""The tables of a sheet: blocks of rows with titles above, a header, and notes below.

Rows that are as full as the others of a block are its data, and cost no closer look. What lies
between them (blank rows, headings, notes, the header of another table) is looked at row by row.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from crawler.readers.cell_types import VALUES, CellType, type_of
from crawler.readers.grid import Cells, text_of
from crawler.readers.head_rows import head_rows
from crawler.readers.header import CLEAR_LEAD, find_header
from crawler.readers.notes import (
    LONG_TEXT,
    is_mark_with_text,
    is_odd_label,
    is_sign_with_text,
    is_strong_note,
    reads_like_note,
)
from crawler.readers.row_masks import SAMPLE, RowMasks, column_kinds, interludes, row_masks

_MAX_INTERLUDES = 3000
_MAX_BLOCKS = 30
_WORDS_OF_A_NOTE = 7


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
    """Rows of data that read like notes: full of figures, or a label unlike the others."""
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
    walk.use_columns(column_kinds(sample, 0))
    walk.collect(block, 0)
    last = max((span.stop for span in block.data), default=0)
    return [at for at in block.notes if at >= last]


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
        self.use_columns(column_kinds(cells, body))
        return block, self.collect(block, body)

    def use_columns(self, kinds: list[CellType]) -> None:
        """Judges rows by columns of these types."""
        self._kinds = kinds
        self._label = next((at for at, kind in enumerate(kinds) if kind is CellType.TEXT), 0)

    def collect(self, block: Block, body: int) -> int:
        """Puts the rows from the body on into the block; gives the start of the next one."""
        cells = self._cells
        masks = row_masks(cells, body, self._kinds, self._label)
        self._strong_notes = masks.notes
        at = body
        for number, (first, stop) in enumerate(interludes(masks.dense)):
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

    def _between(
        self, block: Block, first: int, stop: int, masks: RowMasks, body: int
    ) -> int | None:
        """Judges the rows between two runs of data; the start of a new block if there is one."""
        cells = self._cells
        rows = [at for at in range(first, stop) if cells.counts[at]]
        if not rows:
            return None
        likely = [at for at in rows if masks.header_like[at - body]]
        same = set(self._header_again(block, rows)) if likely and block.header else set()
        if same:
            others = [at for at in rows if at not in same]
            if not any(self._is_new_title(block, at) for at in others):
                block.repeated += sorted(same)
                notes = [at for at in others if reads_like_note(self._cells.texts(at))]
                block.notes += notes
                block.titles += [at for at in others if at not in notes]
                return None
            return self._new_block(block, rows, likely)
        is_parted = len(likely) < len(rows) or first != rows[0] or self._gap(first, stop)
        if likely and (is_parted or len(likely) > 1):
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
                continue
            if cells.counts[at] == 1 and not self._is_covered(at):
                self._doubt(block, at)
            block.data.append(range(at, at + 1))

    def _doubt(self, block: Block, at: int) -> None:
        """A label alone is a row, but one unlike the others may be a remark."""
        labels = [
            text_of(self._cells.values[row, self._label])
            for span in block.data[:SAMPLE]
            for row in span[:SAMPLE]
        ]
        if is_odd_label(self._cells.texts(at)[0], labels or [""]):
            block.doubtful.append(at)

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
        if self._is_covered(at):
            return False
        if gap and cells.width > 2 and is_sign_with_text(texts):
            return True
        if has_figures:
            # What is left of a row; without a label, after a gap, it is a sum on the side.
            return gap and self._label not in places
        if reads_like_note(texts) or is_mark_with_text(texts):
            return True
        if any(last - first_ >= cells.width / 2 for first_, last, _ in cells.spans.get(at, ())):
            return True
        if len(places) == 1:
            if len(texts[0].split()) >= _WORDS_OF_A_NOTE and not self._has_long_labels():
                return True
            in_place = places[0] <= self._label or types[0] in VALUES
            return gap or not in_place
        return gap and len(places) < cells.width

    def _is_covered(self, at: int) -> bool:
        """Whether a label or a figure of the row above was merged over this one."""
        above = at - 1
        return above >= 0 and any(end >= at for _, _, end in self._cells.spans.get(above, ()))

    def _has_long_labels(self) -> bool:
        """Whether the labels of this table are as long as sentences themselves."""
        labels = self._cells.values[:SAMPLE, self._label]
        lengths = [len(label.split()) for label in labels if isinstance(label, str)]
        return sum(length >= _WORDS_OF_A_NOTE - 2 for length in lengths) > 0.1 * len(lengths)

    def _doubt_last(self, block: Block) -> None:
        """Rows of full width are never notes, but the last ones may read like some."""
        if not block.data:
            return
        last = [at for span in block.data[-3:] for at in span][-3:]
        block.doubtful += [
            at for at in last if (texts := self._cells.texts(at)) and is_strong_note(texts[0])
        ]

    def _gap(self, first: int, stop: int) -> bool:
        return any(not self._cells.counts[at] for at in range(first, stop))

    def _gap_before(self, at: int) -> bool:
        return at > 0 and not self._cells.counts[at - 1]

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


def _is_table_title(texts: Sequence[str]) -> bool:
    """`Table 2: ...` names the next table, however long it is."""
    first = texts[0].lower().split()[:1]
    return bool(first) and first[0].rstrip(".:") in (
        "table", "tableau", "tabelle", "tabla", "tabela", "tab", "figure", "panel", "part"
    )  # fmt: skip
