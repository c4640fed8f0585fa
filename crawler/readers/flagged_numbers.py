"""Columns of numbers with flags beside them: `12.5 p`, `431 (*)`, `: c`, `[x]`, `1-3`, `$1,234`."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crawler.readers.cells import BLANKS, MARKS, NUMBERS
from crawler.readers.typed_columns import whole_numbers

if TYPE_CHECKING:
    import pandas as pd

_CURRENCY = "$€£¥₹"
_BEFORE = re.compile(rf"\s*([{_CURRENCY}]|[A-Z]{{3}}(?=\s))\s*")
_AFTER = re.compile(
    rf"\s*([%‰{_CURRENCY}]|\([^()]{{1,8}}\)|\[[^\[\]]{{1,8}}\]|[a-zA-Z]{{1,3}}"
    r"|[*†‡§#!\"¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᵖʳ]{1,4})\s*"
)
_UNITS = frozenset("%‰" + _CURRENCY)
_LOST = re.compile(
    r"[<>≤≥]\s?\d[\d.,]*%?|\d{1,4}\s?[-–]\s?\d{1,4}|\[[^\[\]]{1,8}\]|\([^()\d]{1,8}\)"
)
_LETTERS = re.compile(r"[A-Za-z]{1,4}|[^\w\s]{1,3}(?:\s?[a-z]{1,2})?|[a-z](?:\s?,?\s?[a-z]){0,2}")
_CODE = re.compile(r"[+-]?0\d")
_MARKED = re.compile(r"(?::|\.{2,3}|…|-{1,2})\s?\(?([a-z]{1,3})\)?")
_MINUS = str.maketrans({"−": "-", "△": "-", "▲": "-"})
_MIN_NUMBERS = 0.5
_MIN_BESIDE_ONE_SIGN = 0.15
_MAX_FLAGS = 20
_MAX_DIGITS = 15
_MAX_TEXT = 40


@dataclass(frozen=True, slots=True)
class FlaggedColumn:
    """A column that was read as numbers, and the flags that stood beside them."""

    numbers: "pd.Series[Any]"
    flags: "pd.Series[Any] | None" = None
    """None where no value has one, or all have the same: a unit."""
    assumed: str = ""


@dataclass(frozen=True, slots=True)
class _Value:
    number: float | None
    flag: str = ""


def flagged_column(
    series: "pd.Series[Any]", rows: Mapping[Any, int], decimal: str
) -> FlaggedColumn | None:
    """The column as numbers; None where too many of its values are none.

    `rows` are the different values with how many rows have each.
    """
    for mark in (decimal,) if decimal else (".", ","):
        values = {cell: _value(cell, mark) for cell in rows}
        if (column := _column(series, rows, values)) is not None:
            return column
    return None


def may_be_flagged(cell: Any) -> bool:
    """Whether a cell is a number with something beside it, or a sign for a lost one."""
    if not isinstance(cell, str):
        return True
    return any(_value(cell, mark) is not None for mark in (".", ","))


def _column(
    series: "pd.Series[Any]", rows: Mapping[Any, int], values: Mapping[Any, "_Value | None"]
) -> FlaggedColumn | None:
    import pandas as pd

    read = {cell: value for cell, value in values.items() if value is not None}
    if len(read) < len(values):
        return None
    total = sum(
        rows[cell] for cell, value in read.items() if value.number is not None or value.flag
    )
    numbers = sum(rows[cell] for cell, value in read.items() if value.number is not None)
    lost = {value.flag for value in read.values() if value.number is None and value.flag}
    # One sign for all that is not published may stand in most rows of a small table.
    least = _MIN_NUMBERS if len(lost) != 1 else _MIN_BESIDE_ONE_SIGN
    if not numbers or numbers < least * total:
        return None
    flags = Counter(value.flag for value in read.values() if value.flag)
    if len(flags) > _MAX_FLAGS or not _are_flags(read, rows, numbers):
        return None
    column = series.map({cell: value.number for cell, value in read.items()})
    column = whole_numbers(pd.to_numeric(column))
    has_one = {value.flag for value in read.values() if value.number is not None}
    unit = next(iter(has_one))
    # One small letter is a flag of an office, and says something of the figure.
    if len(has_one) == 1 and not lost and not (len(unit) == 1 and unit.islower()):
        return FlaggedColumn(column, assumed=f"'{unit}' is the unit" if unit else "")
    if flags.keys() <= _UNITS and not lost:
        listed = ", ".join(sorted(flags))
        return FlaggedColumn(column, assumed=f"{listed} beside numbers was left out")
    if not flags:
        return FlaggedColumn(column)
    texts = series.map({cell: value.flag or None for cell, value in read.items()})
    said = f"'{min(lost)}' stands for a value that is not published" if lost else ""
    return FlaggedColumn(
        whole_numbers(column), texts.astype("str").where(texts.notna(), None), said
    )


def _are_flags(read: Mapping[Any, _Value], rows: Mapping[Any, int], numbers: int) -> bool:
    """Letters after numbers may be part of a code: 12a, 12b, 13a."""
    lettered = [(cell, value) for cell, value in read.items() if value.flag.isalpha()]
    if not lettered:
        return True
    flags = {value.flag for _, value in lettered}
    count = sum(rows[cell] for cell, value in lettered if value.number is not None)
    if len(flags) == 1:
        return True
    return count <= 0.7 * numbers or all(" " in str(cell) for cell, _ in lettered)


def _value(cell: Any, mark: str) -> _Value | None:
    """A number with its flag; None for a text that is neither."""
    if isinstance(cell, bool):
        return None
    if isinstance(cell, int | float):
        return _Value(float(cell))
    text = str(cell).strip()
    if len(text) > _MAX_TEXT:
        return None
    if text in MARKS:
        return _Value(None, "")
    if (number := _number(text, mark)) is not None:
        return _Value(number)
    if _CODE.match(text) and not text.startswith(("0.", "0,")):
        return None
    body = text
    flags: list[str] = []
    if match := _BEFORE.match(body):
        flags.append(match[1])
        body = body[match.end() :]
    if body.startswith("(") and body.endswith(")") and (inner := _number(body[1:-1], mark)):
        return _Value(-inner, "".join(flags))
    for _ in range(2):
        if (number := _number(body, mark)) is not None:
            return _Value(number, "".join(flags))
        match = next((m for m in _AFTER.finditer(body) if m.end() == len(body) and m.start()), None)
        if match is None:
            break
        flags.append(match[1].strip("()[]") or match[1])
        body = body[: match.start()]
    if (number := _number(body, mark)) is not None:
        return _Value(number, " ".join(flags))
    if (marked := _MARKED.fullmatch(text)) is not None:
        return _Value(None, marked[1])
    if _LOST.fullmatch(text) or (len(text) <= 4 and _LETTERS.fullmatch(text)):
        return _Value(None, text)
    return None


def _number(text: str, mark: str) -> float | None:
    text = text.strip()
    if not text or NUMBERS[mark].fullmatch(text) is None or _CODE.match(text):
        return None
    plain = text.translate(_MINUS)
    for sign in (*BLANKS, "." if mark == "," else ","):
        plain = plain.replace(sign, "")
    plain = plain.replace(",", ".") if mark == "," else plain
    if sum(sign.isdigit() for sign in plain) > _MAX_DIGITS and "." not in plain:
        return None
    try:
        return float(plain)
    except ValueError:
        return None
