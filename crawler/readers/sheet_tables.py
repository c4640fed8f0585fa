"""The tables of a grid of cells: each block of it with its names, its rows and its ledger."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from crawler.readers.blocks import Block, find_blocks
from crawler.readers.bounds import Bounds
from crawler.readers.cell_types import is_year
from crawler.readers.content import FOOTNOTE, TITLE, DroppedLine, Table
from crawler.readers.grid import Cells, Grid, cells_of_grid, text_of
from crawler.readers.head_rows import head_rows
from crawler.readers.kinds import Kind
from crawler.readers.ledger import MAX_DROPPED, Confidence, Ledger
from crawler.readers.names import joined, levels_of, repeated_names, unique_names
from crawler.readers.notes import note_text
from crawler.readers.typed_columns import frame_of_cells
from crawler.readers.values import with_values

if TYPE_CHECKING:
    import numpy as np


def tables_of_grid(
    grid: Grid, name: str, kind: Kind, bounds: Bounds, *, raw: bool = False
) -> list[Table]:
    """The tables of a grid from top to bottom, none when it holds nothing that could be one."""
    cells = cells_of_grid(grid, bounds.columns)
    if cells is None:
        return []
    is_cut = grid.height > len(cells)
    blocks = find_blocks(cells, is_cut=is_cut)
    tables: list[Table] = []
    left = bounds.cells
    beyond = grid.height - len(cells)
    kept = [block for block in blocks if _may_be_table(cells, block)]
    blocks = _absorbed(cells, blocks, kept)
    for number, block in enumerate(blocks, 1):
        shown = name if len(blocks) == 1 else ", ".join(filter(None, (name, f"table {number}")))
        maker = _Maker(grid, cells, block, raw=raw)
        more = beyond if block is blocks[-1] else 0
        table = maker.table(shown, kind, min(bounds.rows, max(1, left)), more, left)
        if not raw:
            table = with_values(table)
        left -= table.frame.size
        tables.append(table)
    if len(grid.rows[0]) > bounds.columns:
        tables = [replace(table, cut=True) for table in tables]
    return tables


def _may_be_table(cells: Cells, block: Block) -> bool:
    used = _used_columns(cells, block)
    if len(used) < 2:
        return False
    if block.rows():
        return True
    return len(block.header) == 1 and len(used) == int(cells.counts[block.header[0]])


def _absorbed(cells: Cells, blocks: Sequence[Block], kept: Sequence[Block]) -> list[Block]:
    """The blocks that are tables; the rows of the others are titles or notes beside them."""
    if not kept:
        return []
    whole: list[Block] = []
    for block in blocks:
        rows = [at for at in range(block.first, block.end) if cells.counts[at]]
        if block in kept:
            whole.append(block)
        elif whole:
            whole[-1].notes += rows
            whole[-1].end = block.end
        else:
            kept[0].titles[:0] = rows
            kept[0].first = 0
    return whole


def _used_columns(cells: Cells, block: Block) -> list[int]:
    import numpy as np

    used = set(np.flatnonzero(cells.filled[[*block.header, *block.inherited]].any(axis=0)))
    for span in block.data:
        if len(used) == cells.width:
            break
        used |= set(np.flatnonzero(cells.filled[span.start : span.stop].any(axis=0)))
    return sorted(int(at) for at in used)


class _Maker:
    """Makes the table of one block."""

    def __init__(self, grid: Grid, cells: Cells, block: Block, *, raw: bool) -> None:
        self._grid = grid
        self._cells = cells
        self._block = block
        self._raw = raw
        self._used = _used_columns(cells, block)

    def table(self, name: str, kind: Kind, max_rows: int, beyond: int, max_cells: int) -> Table:
        """The table, with at most this many rows in its frame."""
        block = self._block
        levels = self._levels()
        names = joined(levels, len(self._used))
        if not levels and self._grid.names:
            places = [int(self._cells.columns[at]) for at in self._used]
            given = self._grid.names
            names = [given[at] if at < len(given) else "" for at in places]
        body = self._body()
        repeated = _says_again(body, levels[-1] if levels else [])
        body = body[~repeated]
        most = max(1, min(max_rows, max_cells // max(1, len(self._used))))
        ledger = self._ledger(len(body) + beyond, int(repeated.sum()), beyond)
        return Table(
            name=name,
            kind=kind,
            frame=frame_of_cells(
                body[:most], unique_names(names), raw=self._raw, decimal=self._grid.decimal
            ),
            rows=len(body) + beyond,
            has_header=block.found or bool(block.inherited or self._grid.names),
            cut=beyond > 0 or len(body) > most,
            widths=self._widths(),
            repeated_headers=len(block.repeated) + int(repeated.sum()),
            repeated_names=repeated_names(names),
            dropped=self._dropped(),
            ledger=ledger,
            confidence=Confidence.SEEN if block.seen else Confidence.GUESSED,
            levels=tuple(tuple(line) for line in levels) if len(levels) > 1 else (),
            doubtful=tuple(note_text(self._cells.texts(at)) for at in block.doubtful),
        )

    def _levels(self) -> list[list[str]]:
        """The labels of each row of the header, merged ones over all their columns."""
        cells = self._cells
        rows = self._block.header or self._block.inherited
        if len(rows) > 1:
            known, places = head_rows(cells, rows[0], min(len(cells), rows[-1] + 8))
            counting = {at for row, at in zip(known, places, strict=True) if row.counting}
            rows = [at for at in rows if at not in counting] or rows
        lines: list[list[str]] = []
        is_merged = False
        for at in rows:
            line = [text_of(cell) for cell in cells.values[at]]
            for first, last, _ in cells.spans.get(at, ()):
                if last > first and line[first]:
                    is_merged = True
                    line[first : last + 1] = [line[first]] * (last + 1 - first)
            lines.append([line[place] for place in self._used])
        return levels_of(lines, len(self._used), spread=not is_merged)

    def _body(self) -> "np.ndarray[Any, Any]":
        import numpy as np

        cells, used = self._cells, self._used
        self._fill_labels()
        spans = self._block.data
        if not spans:
            return np.empty((0, len(used)), dtype=object)
        is_all = len(used) == cells.width
        pieces = [cells.values[span.start : span.stop] for span in spans]
        body = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
        return body if is_all else body[:, used]

    def _fill_labels(self) -> None:
        """A label merged over several rows belongs to each of them."""
        cells = self._cells
        first, last = self._block.first, self._block.end
        for top, spans in cells.spans.items():
            if not first <= top < last:
                continue
            for left, right, bottom in spans:
                value = cells.values[top, left]
                if left != right or bottom <= top or not _is_label(value, bottom - top):
                    continue
                for at in range(top + 1, min(bottom, last - 1) + 1):
                    if cells.counts[at] and cells.values[at, left] is None:
                        cells.values[at, left] = value

    def _ledger(self, data: int, repeated: int, beyond: int) -> Ledger:
        block = self._block
        titles = len(block.titles)
        header = len(block.header) + len(block.repeated) + repeated
        notes = len(block.notes)
        rows = self._cells.counts[block.first : block.end]
        source = block.end - block.first + beyond
        return Ledger(titles, header, data, notes, int((rows == 0).sum()), source)

    def _dropped(self) -> tuple[DroppedLine, ...]:
        block = self._block
        lines = [(at, TITLE) for at in block.titles] + [(at, FOOTNOTE) for at in block.notes]
        return tuple(
            DroppedLine(self._number(at), what, note_text(self._cells.texts(at)))
            for at, what in sorted(lines)[:MAX_DROPPED]
        )

    def _widths(self) -> dict[int, int]:
        """How many rows of data have how many values, where that can differ."""
        lengths = self._grid.lengths
        if not lengths:
            return {}
        counted = Counter(lengths[at] for span in self._block.data for at in span)
        return dict(sorted(counted.items()))

    def _number(self, at: int) -> int:
        """The number of a row in its sheet or text."""
        lines = self._grid.lines
        return lines[at] if at < len(lines) else at + self._grid.first_row


def _is_label(value: object, rows: int) -> bool:
    """Texts, and years beside quarters; a figure over several rows is the sum of all of them."""
    if isinstance(value, str):
        return True
    return isinstance(value, float | int) and is_year(value) and rows < 60


def _says_again(body: "np.ndarray[Any, Any]", header: Sequence[str]) -> "np.ndarray[Any, Any]":
    """Which rows say the last line of the header again."""
    import numpy as np

    telling = [(place, cell) for place, cell in enumerate(header) if cell]
    same = np.zeros(len(body), dtype=bool)
    if len(telling) < 2 or all(cell.isdigit() for _, cell in telling) or not len(body):
        return same
    same[:] = True
    for place, cell in telling[:20]:
        same &= np.fromiter(
            (
                isinstance(value, str) and " ".join(value.split()) == cell
                for value in body[:, place]
            ),
            bool,
            len(body),
        )
        if not same.any():
            break
    return same
