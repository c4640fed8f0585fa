"""The words on a page of a PDF as lines of pieces: what would be a cell is one piece."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from crawler.readers.cells import is_value

_SAME_LINE = 2.5
_FIRST_GROUP = re.compile(r"[-+−]?\d{1,3}(?: \d{3})*")
_GROUP = re.compile(r"\d{3}(?:[.,]\d+)?")
_DRAWN = re.compile(r"[-=_–—+|]{3,}")
"""A line drawn with letters, as reports from printers have it below their headers."""
_BLANK = 0.62
"""A blank is about a quarter of the letters' height, six tenths where all are equally wide; columns
are further apart."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words close to each other on one line."""

    text: str
    left: float
    right: float
    size: float
    words: "tuple[Piece, ...]" = ()
    """The words that it is made of, where they are several."""

    @property
    def is_figure(self) -> bool:
        """Whether it is a number, or a mark for one."""
        return is_value(self.text)

    @property
    def middle(self) -> float:
        """Half way between its ends."""
        return (self.left + self.right) / 2


@dataclass(frozen=True, slots=True)
class Line:
    """Pieces side by side, from left to right."""

    top: float
    bottom: float
    pieces: tuple[Piece, ...]

    @property
    def figures(self) -> list[Piece]:
        """The pieces that are numbers."""
        return [piece for piece in self.pieces if piece.is_figure]

    @property
    def height(self) -> float:
        """Of its letters."""
        return self.bottom - self.top


def lines_of_words(words: Sequence[dict[str, object]]) -> list[Line]:
    """The lines of a page from top to bottom, without those that are only drawn."""
    rows: list[list[dict[str, object]]] = []
    for word in sorted(words, key=lambda word: (_number(word, "top"), _number(word, "x0"))):
        if rows and abs(_number(rows[-1][0], "top") - _number(word, "top")) <= _SAME_LINE:
            rows[-1].append(word)
        else:
            rows.append([word])
    return [_line(row) for row in rows if not _is_drawn(row)]


def _is_drawn(words: Sequence[dict[str, object]]) -> bool:
    """Whether a line is a stroke from one side to the other, not cells with marks in them."""
    return all(_DRAWN.fullmatch(str(word["text"])) for word in words) and any(
        len(str(word["text"])) > 5 for word in words
    )


def _line(words: Sequence[dict[str, object]]) -> Line:
    pieces: list[Piece] = []
    for word in sorted(words, key=lambda word: _number(word, "x0")):
        left, right = _number(word, "x0"), _number(word, "x1")
        size = _number(word, "bottom") - _number(word, "top")
        piece = Piece(str(word["text"]), left, right, size)
        if pieces and left - pieces[-1].right < _BLANK * size and _is_one(pieces[-1], piece):
            before = pieces.pop()
            parts = (*(before.words or (before,)), piece)
            piece = Piece(f"{before.text} {piece.text}", before.left, right, size, parts)
        pieces.append(piece)
    tops = [_number(word, "top") for word in words]
    bottoms = [_number(word, "bottom") for word in words]
    return Line(min(tops), max(bottoms), tuple(pieces))


def _is_one(before: Piece, after: Piece) -> bool:
    """Two numbers side by side are two cells, unless they are thousands: 12 345."""
    if not (before.is_figure and after.is_figure):
        return True
    is_group = _GROUP.fullmatch(after.text) and _FIRST_GROUP.fullmatch(before.text)
    return is_group is not None and after.left - before.right < 0.4 * after.size


def _number(word: dict[str, object], key: str) -> float:
    return float(str(word[key]))
