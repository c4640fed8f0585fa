"""Tables without lines: figures that stand below each other, row after row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crawler.readers.cells import is_value

if TYPE_CHECKING:
    from pdfplumber.page import Page

_LEAST_ROWS = 5
"""Rows of figures that leave no doubt."""
_LEAST_FIGURES = 2
_SAME_COLUMN = 4.0
"""Points by which the right edges of figures in a column may differ."""
_SAME_LINE = 2.5
_MOST_WORDS = 8000
_HEADER_LINES = 4
_SHARE_ALIGNED = 0.8


@dataclass(frozen=True, slots=True)
class _Piece:
    """Words close to each other on one line: what would be a cell."""

    text: str
    left: float
    right: float
    size: float

    @property
    def is_figure(self) -> bool:
        return is_value(self.text)


@dataclass(frozen=True, slots=True)
class _Line:
    top: float
    bottom: float
    pieces: tuple[_Piece, ...]

    @property
    def figures(self) -> list[_Piece]:
        return [piece for piece in self.pieces if piece.is_figure]


def aligned_rows(page: "Page") -> Iterator[list[list[str]]]:
    """Rows of cells for each block of lines whose figures stand in the same columns."""
    words = page.extract_words(x_tolerance=1.5, y_tolerance=2, keep_blank_chars=False)
    if len(words) > _MOST_WORDS:
        return
    lines = _lines(words)
    at = 0
    while at < len(lines):
        end = _end_of_block(lines, at)
        if end - at < _LEAST_ROWS:
            at += 1
            continue
        edges = _edges(lines[at:end])
        if edges:
            start = _start_of_header(lines, at)
            yield [_cells(line, edges) for line in lines[start:end]]
        at = end


def _lines(words: Sequence[dict[str, object]]) -> list[_Line]:
    rows: list[list[dict[str, object]]] = []
    for word in sorted(words, key=lambda word: (_number(word, "top"), _number(word, "x0"))):
        if rows and abs(_number(rows[-1][0], "top") - _number(word, "top")) <= _SAME_LINE:
            rows[-1].append(word)
        else:
            rows.append([word])
    return [_line(row) for row in rows]


def _line(words: Sequence[dict[str, object]]) -> _Line:
    pieces: list[_Piece] = []
    for word in sorted(words, key=lambda word: _number(word, "x0")):
        left, right = _number(word, "x0"), _number(word, "x1")
        size = _number(word, "bottom") - _number(word, "top")
        piece = _Piece(str(word["text"]), left, right, size)
        # A blank is about a quarter of the letters' height; columns are further apart.
        if pieces and left - pieces[-1].right < 0.6 * size and not _are_figures(pieces[-1], piece):
            piece = _Piece(f"{pieces[-1].text} {piece.text}", pieces[-1].left, right, size)
            pieces.pop()
        pieces.append(piece)
    tops = [_number(word, "top") for word in words]
    bottoms = [_number(word, "bottom") for word in words]
    return _Line(min(tops), max(bottoms), tuple(pieces))


def _are_figures(before: _Piece, after: _Piece) -> bool:
    """Two numbers side by side are two cells, unless they are thousands: 12 345."""
    if not (before.is_figure and after.is_figure):
        return False
    is_group = len(after.text) >= 3 and after.text[:3].isdigit()
    return not (is_group and after.left - before.right < 0.4 * after.size)


def _end_of_block(lines: Sequence[_Line], start: int) -> int:
    """The line after the last that has as many figures as the first, in the same columns."""
    first = [piece.right for piece in lines[start].figures]
    if len(first) < _LEAST_FIGURES:
        return start
    at = start + 1
    while at < len(lines):
        line = lines[at]
        gap = line.top - lines[at - 1].bottom
        if gap > 2.5 * (line.bottom - line.top):
            break
        figures = [piece.right for piece in line.figures]
        if len(line.pieces) > 1 or figures:
            aligned = sum(1 for edge in figures if _near(edge, first))
            if not figures or aligned < _SHARE_ALIGNED * len(figures):
                break
        at += 1
    # Headings of sections may stand between rows, not after the last.
    while at > start and not lines[at - 1].figures:
        at -= 1
    return at


def _edges(lines: Sequence[_Line]) -> list[float]:
    """Where the columns of figures end, from left to right."""
    found: list[tuple[float, int]] = []
    for line in lines:
        for piece in line.figures:
            place = next(
                (n for n, (edge, _) in enumerate(found) if abs(edge - piece.right) <= _SAME_COLUMN),
                None,
            )
            if place is None:
                found.append((piece.right, 1))
            else:
                found[place] = (found[place][0], found[place][1] + 1)
    rows = sum(1 for line in lines if line.figures)
    return sorted(edge for edge, count in found if count >= rows / 2)


def _start_of_header(lines: Sequence[_Line], start: int) -> int:
    """The lines above whose words stand over the columns."""
    at = start
    while at > 0 and start - at < _HEADER_LINES:
        line = lines[at - 1]
        if lines[at].top - line.bottom > 2.0 * (line.bottom - line.top) or len(line.pieces) < 2:
            break
        at -= 1
    return at


def _cells(line: _Line, edges: Sequence[float]) -> list[str]:
    """The label, then one cell for each column: each piece goes to the column it stands in."""
    cells = [""] * (len(edges) + 1)
    for piece in line.pieces:
        middle = (piece.left + piece.right) / 2
        if piece.is_figure:
            place = min(range(len(edges)), key=lambda n: abs(edges[n] - piece.right)) + 1
        else:
            place = next((n for n, edge in enumerate(edges) if middle <= edge), len(edges) - 1) + 1
            if middle < _first_column(edges) and place == 1:
                place = 0
        cells[place] = f"{cells[place]} {piece.text}".strip()
    return cells


def _first_column(edges: Sequence[float]) -> float:
    """Left of this a word is a label: a column is about as wide as those after it."""
    width = edges[1] - edges[0] if len(edges) > 1 else 60.0
    return edges[0] - min(width, 120.0)


def _near(edge: float, edges: Sequence[float]) -> bool:
    return any(abs(edge - other) <= _SAME_COLUMN for other in edges)


def _number(word: dict[str, object], key: str) -> float:
    return float(str(word[key]))
