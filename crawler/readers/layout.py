"""How the table of a text is laid out: comments, titles, header lines, names, values."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from crawler.readers.dialect import Shape, decimal_mark, find_shape, lines_of, split_lines
from crawler.readers.guessed_types import NumberType, guess_types
from crawler.readers.head_rows import HEAD, text_head_rows
from crawler.readers.header import Header, find_header
from crawler.readers.names import joined, levels_of, repeated_names, unique_names
from crawler.readers.packed_keys import has_packed_keys, unpacked_keys

COMMENT = "#"


@dataclass(frozen=True, slots=True)
class Layout:
    """A table as the first lines of its text show it."""

    shape: Shape
    header: Header
    names: tuple[str, ...]
    """One for each column, none twice."""
    repeated_names: tuple[str, ...]
    header_rows: tuple[tuple[str, ...], ...]
    """The values of each header line; none without a header."""
    decimal: str
    types: dict[int, NumberType]
    """Columns that are plain numbers as far as they were looked at."""
    comments: int
    """Lines of comments before the values, which are counted in no other line number."""
    levels: tuple[tuple[str, ...], ...] = ()
    """The lines of the header, a label or none for each column."""
    packed_keys: bool = False
    """Whether the keys of a row stood in its first value, and were unpacked."""
    shifted_rows: frozenset[int] = frozenset()
    """Rows of the header that leave out the name of the first column."""

    @property
    def has_header(self) -> bool:
        """Whether the text itself names the columns."""
        return bool(self.header_rows)

    @property
    def body_line(self) -> int:
        """The line that the values begin at."""
        rows = self.shape.rows
        if self.header.body < len(rows):
            return rows[self.header.body].first_line
        return rows[-1].next_line if rows else 0


@lru_cache(maxsize=1)
def find_layout(text: str, *, complete: bool = True) -> Layout | None:
    """The layout of the table that a text begins with, None where there is no table.

    `complete` says that the text does not go on. A file is looked at twice, to recognise it and to
    read it: the last answer is remembered.
    """
    is_packed = has_packed_keys(text)
    if is_packed:
        text = unpacked_keys(text.encode("utf-8", "replace")).decode("utf-8")
    lines = lines_of(text, complete=complete)
    comments = [line for line in lines if line.startswith(COMMENT)]
    if len(comments) > len(lines) / 2:
        # Names that begin with the sign, as places in a list do.
        comments = []
    bare = [line for line in lines if not line.startswith(COMMENT)] if comments else lines
    shape = find_shape(bare)
    if shape is None:
        return None
    rows = [row.cells for row in shape.rows]
    header = _header(shape)
    named = [tuple(row) for row in rows[header.start : header.body]] if header.found else []
    if not named and comments:
        named = _commented_header(comments, shape)
    body = rows[header.body :]
    aligned = [_aligned(row, body, shape.width) for row in named]
    shifted = frozenset(
        at + header.start
        for at, (row, other) in enumerate(zip(named, aligned, strict=True))
        if len(row) != len(other) and header.found
    )
    levels = levels_of(aligned, shape.width, spread=True)
    own = joined(levels, shape.width)
    decimal = decimal_mark(shape.rows[header.body :], shape.delimiter)
    return Layout(
        shape=shape,
        header=header,
        names=tuple(unique_names(own)),
        repeated_names=repeated_names(own),
        header_rows=tuple(aligned),
        decimal=decimal,
        types=guess_types(body, shape.width, decimal),
        comments=len(comments),
        levels=tuple(map(tuple, levels)) if len(levels) > 1 else (),
        packed_keys=is_packed,
        shifted_rows=shifted,
    )


def _header(shape: Shape) -> Header:
    """The header among the first rows; blank rows say nothing of it but that there is a gap."""
    rows: list[tuple[Sequence[str], bool]] = []
    places: list[int] = []
    line = 0
    gap = False
    for at, row in enumerate(shape.rows):
        gap = gap or row.first_line > line
        line = row.next_line
        if row.is_blank:
            gap = True
            continue
        rows.append((row.cells, gap and bool(rows)))
        places.append(at)
        gap = False
        if len(rows) >= HEAD:
            break
    found = find_header(text_head_rows(rows, shape.width), shape.width)
    end = len(shape.rows)
    places.append(end)
    start = places[min(found.start, len(places) - 1)]
    body = places[min(found.body, len(places) - 1)]
    return Header(start, body, found.found, found.lead)


def _commented_header(comments: Sequence[str], shape: Shape) -> list[tuple[str, ...]]:
    """The names in a comment that is as wide as the table."""
    for line in reversed(comments):
        rows = split_lines([line.lstrip(COMMENT).strip()], shape.delimiter)
        if rows and len(rows[0].cells) == shape.width and shape.width > 1:
            return [rows[0].cells]
    return []


def _aligned(row: tuple[str, ...], body: Sequence[Sequence[str]], width: int) -> tuple[str, ...]:
    """Names over their columns: some programs leave out the name of the first."""
    if len(row) != width - 1 or not any(cells[width - 1 :] != ("",) for cells in body):
        return row
    last_filled = any(len(cells) == width and cells[-1].strip() for cells in body)
    return ("", *row) if last_filled else row
