"""What a cell of text is: a number as some country writes it, or a mark for no value."""

import re
from enum import Enum, auto

MARKS = frozenset(
    {":", "..", "...", "…", "-", "–", "—", ".", "n/a", "N/A", "#N/A", "n.a.", "na", "NA", "nan"}
    | {"NaN", "null", "NULL", "None", "x", "X", "*", "/", "***", "−"}
    | {"n.d.", "nd", "N.D.", "s.o.", "k.A.", "・", "･･･", "***"}
)
"""How offices write that there is no value, among numbers."""
ALWAYS_MARKS = (":", "..", "...", "…", "-", "–", "—", "n/a", "N/A", "#N/A", "n.a.")
"""Those that say nothing else among texts either: NA is Namibia there, and x may be a letter."""

BLANKS = " \u00a0\u202f\u2009'’"
"""What separates thousands in any language, beside the comma or point that is not decimal."""

NUMBERS = {
    ".": re.compile(
        rf"[+\-−△▲]?(\d+|\d{{1,3}}([,{BLANKS}]\d{{3}})+)?(\.\d*)?(?<=[\d.])([eE][+-]?\d{{1,3}})?"
    ),
    ",": re.compile(
        rf"[+\-−△▲]?(\d+|\d{{1,3}}([.{BLANKS}]\d{{3}})+)?(,\d*)?(?<=[\d,])([eE][+-]?\d{{1,3}})?"
    ),
}
_COMMA = re.compile(rf"[+\-−]?(\d+|\d{{1,3}}([.{BLANKS}]\d{{3}})+),\d+")
_POINT = re.compile(rf"[+\-−]?(\d+|\d{{1,3}}([,{BLANKS}]\d{{3}})+)\.\d+")
_GROUPS = re.compile(r"[+\-−]?\d{1,3}([.,])\d{3}(\1\d{3})+")
_THREE = re.compile(r"[+\-−]?[1-9]\d{0,2}[.,]\d{3}")


# With a unit, a flag, or a minus as bookkeepers and Japanese offices write it.
_SIGNED = re.compile(rf"[(△▲$€£¥]?\s?\d[\d.,{BLANKS}]*\s?(?:[)%‰€£¥$*]|[a-z]{{1,3}})?")


# No value, and why: `: c`, `.. p`, `[x]`, `<5`.
_MARK_WITH_FLAG = re.compile(r"(?::|\.\.|-)\s?[a-z]{1,2}|\[[a-z\d]{1,3}\]|[<>≤≥]\s?\d{1,4}")


class Writing(Enum):
    """What two marks in numbers tell of the decimal mark."""

    COMMA = auto()
    POINT = auto()
    UNTOLD = auto()


def is_number(cell: str) -> bool:
    """Whether a cell is a number, however it is written."""
    cell = cell.strip()
    # Most cells are plain digits, or words: the first sign says so.
    if cell.isdecimal():
        return True
    if not cell or cell[0] not in "0123456789+-−△▲.,":
        return False
    return bool(NUMBERS["."].fullmatch(cell) or NUMBERS[","].fullmatch(cell))


def is_value(cell: str) -> bool:
    """Whether a cell is what stands in a column of numbers: one, with a sign of it, or a mark."""
    cell = cell.strip()
    if cell in MARKS or is_number(cell) or _MARK_WITH_FLAG.fullmatch(cell):
        return True
    return _SIGNED.fullmatch(cell) is not None


def is_grouped(cell: str) -> bool:
    """Whether a number has two groups of thousands or more, apart by commas or points."""
    return _GROUPS.fullmatch(cell.strip()) is not None


def writing(cell: str, *, quoted_in_commas: bool = False) -> Writing:
    """Which decimal mark this number has, where that is certain."""
    cell = cell.strip()
    if "." not in cell and "," not in cell:
        return Writing.UNTOLD
    if groups := _GROUPS.fullmatch(cell):
        return Writing.COMMA if groups[1] == "." else Writing.POINT
    if quoted_in_commas and _THREE.fullmatch(cell) and "," in cell:
        # In English files a quoted "1,234" is one number with its thousands apart.
        return Writing.POINT
    if _COMMA.fullmatch(cell):
        return Writing.COMMA
    return Writing.POINT if _POINT.fullmatch(cell) else Writing.UNTOLD
