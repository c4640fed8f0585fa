"""Tables in text: everything about how it is written is found in the text itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, BinaryIO

from crawler.readers.blocks import notes_at_end
from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import (
    FOOTNOTE,
    TITLE,
    Content,
    DroppedLine,
    Paper,
    Table,
    TextDialect,
    Trouble,
)
from crawler.readers.dialect import Row, split_lines
from crawler.readers.encoding import HEAD, encoding_of, sample_of
from crawler.readers.figures import frame_of
from crawler.readers.grid import Cells, Grid, whole_cells
from crawler.readers.header import CLEAR_LEAD
from crawler.readers.kinds import Kind
from crawler.readers.layout import COMMENT, Layout, find_layout
from crawler.readers.ledger import MAX_DROPPED, Confidence, Ledger
from crawler.readers.loaded_text import LoadedText, end_of_line, load_text
from crawler.readers.notes import note_text
from crawler.readers.packed_keys import unpacked_keys
from crawler.readers.quotes import set_stray_quotes_aside
from crawler.readers.text_grid import is_small, tables_of_text
from crawler.readers.unreadable import Unreadable
from crawler.readers.value_rows import read_rows
from crawler.readers.values import with_values

if TYPE_CHECKING:
    import pyarrow as pa

_PROSE = 4000
_COMMENTS = re.compile(rb"(?m)^" + COMMENT.encode() + rb".*\n?")
_SPACED_QUOTE = re.compile(rb'(?<=[,;|]) +"')
_BLANK_LINES = re.compile(rb"\n\r?(?=\n)")
TAIL = 64 * 1024
_LAST_LINES = 200
_MORE_LINES = 1000
"""Loaded beyond the rows that are wanted: titles, comments, repeated headers."""


def read_delimited(
    stream: BinaryIO,
    bounds: Bounds = DEFAULT_BOUNDS,
    *,
    kind: Kind = Kind.DELIMITED,
    declared: str = "",
    whole: bool = True,
    raw: bool = False,
) -> Content:
    """The table of a text, or the text as a document when there is none in it.

    Without `whole` nothing is read beyond the rows of the bounds, and they are not counted.
    """
    blocks = sample_of(stream, whole=whole)
    encoding = encoding_of(blocks, declared)
    if encoding is None:
        raise Unreadable(Trouble.CORRUPT, "the text is in no known encoding")
    head = blocks[0].decode(encoding, "replace").removeprefix("\ufeff")
    layout = find_layout(head, complete=len(blocks[0]) < HEAD)
    if layout is None:
        return Content(Kind.DOCUMENT, paper=Paper(characters=len(head), sample=head[:_PROSE]))
    reading = _Reading(layout, encoding, bounds, whole, raw)
    return Content(kind, tuple(reading.tables(stream, kind)))


@dataclass(frozen=True, slots=True)
class _Note:
    place: int
    """Where its line begins in the text that was loaded."""
    line: DroppedLine


@dataclass(frozen=True, slots=True)
class _Reading:
    layout: Layout
    encoding: str
    bounds: Bounds
    whole: bool
    raw: bool

    def tables(self, stream: BinaryIO, kind: Kind) -> list[Table]:
        layout = self.layout
        columns = min(layout.shape.width, self.bounds.columns)
        most = self.bounds.rows_of(columns)
        text = load_text(
            stream, self.encoding, most + layout.body_line + _MORE_LINES, count_rest=self.whole
        )
        dialect = TextDialect(text.encoding, layout.shape.delimiter, layout.decimal)
        data = set_stray_quotes_aside(self._plain(text.data), layout.shape.delimiter)
        if not text.lines_beyond and is_small(data, layout):
            small = tables_of_text(text.data, data, layout, kind, self.bounds, raw=self.raw)
            if small:
                return [replace(table, dialect=dialect) for table in small]
        table = replace(self._large(stream, kind, text, data, most), dialect=dialect)
        return [table if self.raw else with_values(table)]

    def _large(
        self, stream: BinaryIO, kind: Kind, text: LoadedText, data: bytes, most: int
    ) -> Table:
        """The table of a text of which only the first and the last lines are looked at."""
        layout, width = self.layout, self.layout.shape.width
        columns = min(width, self.bounds.columns)
        notes = self._notes(stream, text, data)
        if not text.lines_beyond and notes:
            data = data[: notes[0].place]
        start = end_of_line(data, layout.body_line)
        found = read_rows(data, start, layout, columns, raw=self.raw)
        rows, repeated = self._without_headers(found.table)
        before = rows.num_rows
        rows = _without_empty_rows(rows)
        empty = before - rows.num_rows
        # Some rows have values beyond the last column.
        more = [f"column {place + 1}" for place in range(columns, rows.num_columns)]
        names = [*layout.names[:columns], *more]
        rows, names = _without_empty_edges(rows, names, layout)
        beyond = max(0, text.lines_beyond - len(notes)) if text.lines_beyond else 0
        total = rows.num_rows + beyond
        frame = frame_of(rows.slice(0, most).rename_columns(names), layout.decimal, raw=self.raw)
        return Table(
            name="",
            kind=kind,
            frame=frame,
            rows=total,
            has_header=layout.has_header,
            cut=beyond > 0 or rows.num_rows > most or columns < width,
            widths=found.widths,
            repeated_headers=repeated,
            repeated_names=layout.repeated_names,
            dropped=(*self._titles(), *(note.line for note in notes))[:MAX_DROPPED],
            ledger=self._ledger(text, data, total, repeated, len(notes), empty),
            confidence=Confidence.SEEN if layout.header.lead >= CLEAR_LEAD else Confidence.GUESSED,
            levels=layout.levels,
        )

    def _titles(self) -> list[DroppedLine]:
        rows = self.layout.shape.rows[: self.layout.header.start]
        return [
            DroppedLine(row.first_line + 1, TITLE, note_text([cell for cell in row.cells if cell]))
            for row in rows
            if not row.is_blank
        ]

    def _ledger(
        self, text: LoadedText, data: bytes, rows: int, repeated: int, notes: int, empty: int
    ) -> Ledger:
        layout = self.layout
        header = [
            row
            for row in layout.shape.rows[layout.header.start : layout.header.body]
            if not row.is_blank
        ]
        titles = len(self._titles()) + text.data.count(b"\n" + COMMENT.encode()) * bool(
            layout.comments
        )
        blank = empty + len(_BLANK_LINES.findall(data)) + (data[:1] == b"\n")
        lines = text.data.count(b"\n") + (not text.data.endswith(b"\n")) + text.lines_beyond
        is_counted = b'"' not in data and text.lines_beyond == 0
        return Ledger(
            titles=titles,
            header=len(header) + repeated,
            data=rows,
            footnotes=notes,
            blank=blank,
            source=None if not is_counted or layout.comments else lines,
        )

    def _plain(self, data: bytes) -> bytes:
        """The text without comments, and with quotes where a reader expects them."""
        if self.layout.packed_keys:
            data = unpacked_keys(data)
        if self.layout.comments:
            data = _COMMENTS.sub(b"", data)
        head = data[:HEAD]
        if b' "' in head and _SPACED_QUOTE.search(head):
            data = _SPACED_QUOTE.sub(b'"', data)
        return data

    def _notes(self, stream: BinaryIO, text: LoadedText, data: bytes) -> list[_Note]:
        """The notes at the end, which may lie beyond the rows that are read."""
        if text.lines_beyond and not self.whole:
            return []
        if text.lines_beyond:
            size = stream.seek(0, 2)
            # An even place, so that the units of UTF-16 stay whole.
            stream.seek(max(0, size - TAIL) // 4 * 4)
            tail = stream.read(TAIL + 4).decode(self._unmarked(), "replace")
        else:
            tail = data[-TAIL:].decode("utf-8", "replace")
        lines = tail.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
        # The first may be the end of a longer line, and the header is no footnote.
        first = 1 if len(tail) >= TAIL // 4 else self.layout.body_line
        lines = lines[first:][-_LAST_LINES:]
        numbers = text.data.count(b"\n") + text.lines_beyond
        return [
            _Note(
                _start_of_last(data, len(lines) - at),
                DroppedLine(numbers - len(lines) + at + 1, FOOTNOTE, said),
            )
            for at, said in self._note_lines(lines)
        ]

    def _note_lines(self, lines: list[str]) -> list[tuple[int, str]]:
        shape = self.layout.shape
        rows = split_lines(lines, shape.delimiter)
        cells = _cells_of_rows(rows, len(lines), shape.width)
        body = shape.rows[self.layout.header.body :]
        sample = _cells_of_rows(
            [replace(row, first_line=at) for at, row in enumerate(body[:_LAST_LINES])],
            min(len(body), _LAST_LINES),
            shape.width,
        )
        if cells is None or sample is None:
            return []
        return [(at, note_text(cells.texts(at))) for at in notes_at_end(cells, sample)]

    def _unmarked(self) -> str:
        # In the middle of a text there is no mark that tells the order of bytes.
        return f"{self.encoding}-le" if self.encoding in ("utf-16", "utf-32") else self.encoding

    def _without_headers(self, rows: "pa.Table") -> "tuple[pa.Table, int]":
        """The rows that are not the header once more, and how many were."""
        import pyarrow.compute as pc

        repeated = None
        for header in self.layout.header_rows[-2:]:
            telling = [
                (place, cell.strip())
                for place, cell in enumerate(header[: rows.num_columns])
                if cell.strip()
            ]
            # Numbers may name columns, and be their values as well.
            if len(telling) < min(2, rows.num_columns) or all(c.isdigit() for _, c in telling):
                continue
            same = None
            for place, cell in telling[:20]:
                equal = _equal(rows.column(place), cell)
                same = equal if same is None else pc.and_(same, equal)
                if not pc.any(same).as_py():
                    break
            else:
                same = pc.fill_null(same, False)
                repeated = same if repeated is None else pc.or_(repeated, same)
        if repeated is None:
            return rows, 0
        left = rows.filter(pc.invert(repeated))
        return left, rows.num_rows - left.num_rows


def _equal(column: "pa.ChunkedArray", cell: str) -> "pa.ChunkedArray":
    """Where a column, of texts or of numbers, says the same as a cell of the header."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_string(column.type):
        return pc.equal(column, cell)
    # A year can name a column, and be read as a number in its values.
    number = float(cell) if cell.isascii() and cell.isdigit() else float("nan")
    return pc.equal(pc.cast(column, pa.float64(), safe=False), number)


def _without_empty_rows(rows: "pa.Table") -> "pa.Table":
    import pyarrow.compute as pc

    empty = None
    for column in rows.columns:
        null = pc.is_null(column)
        empty = null if empty is None else pc.and_(empty, null)
        if not pc.any(empty).as_py():
            return rows
    return rows if empty is None else rows.filter(pc.invert(empty))


def _without_empty_edges(
    rows: "pa.Table", names: list[str], layout: Layout
) -> "tuple[pa.Table, list[str]]":
    """Without the columns that delimiters at the ends of lines make: no name, no value."""

    def is_empty(place: int) -> bool:
        named = any(row[place].strip() for row in layout.header_rows if place < len(row))
        return not named and bool(rows.column(place).null_count == rows.num_rows)

    first, last = 0, len(names)
    while last > 1 and is_empty(last - 1):
        last -= 1
    if last > 1 and layout.has_header and is_empty(0):
        first = 1
    return rows.select(list(range(first, last))), names[first:last]


def _start_of_last(data: bytes, lines: int) -> int:
    """Where the last lines begin."""
    place = len(data) - 1 if data.endswith(b"\n") else len(data)
    for _ in range(lines):
        place = data.rfind(b"\n", 0, place)
        if place < 0:
            return 0
    return place + 1


def _cells_of_rows(rows: Sequence[Row], height: int, width: int) -> Cells | None:
    """Rows of texts as a grid in which lines without values are blank."""
    grid: list[list[str]] = [[""] * width for _ in range(height)]
    for row in rows:
        if row.first_line < height:
            cells = [cell.strip() for cell in row.cells[:width]]
            grid[row.first_line] = cells + [""] * (width - len(cells))
    return whole_cells(Grid(grid, height)) if grid else None
