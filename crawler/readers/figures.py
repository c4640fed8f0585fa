"""Columns of text as columns of numbers, where that is what they hold."""

import re
from typing import TYPE_CHECKING

from crawler.readers.cells import ALWAYS_MARKS, BLANKS, MARKS, NUMBERS

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_SAMPLE = 400
_MINUS = ("−", "△", "▲")
"""Beside the hyphen: the sign itself, and the triangles of Japanese offices."""
_LONG = re.compile(r"[+-]?\d{19,}")
_CODE = re.compile(r"[+-]?0\d")
_MAX_EXACT = 2**53
_TRUTH = ("true", "false")
_NOTHING = frozenset({"", *ALWAYS_MARKS})
_MAX_MARK = max(len(mark.encode()) for mark in ALWAYS_MARKS)
# Lines of numbers that need no work, none of them a code; the whole sample in one match.
_PLAIN = re.compile(r"(?:-?(?:0|[1-9]\d{0,17})(?:\.\d+)?\n)+")
# RE2, for whole columns: thousands in groups of three, or none.
_GROUPED = {
    ".": rf"^[+-]?(\d+|\d{{1,3}}([,{BLANKS}]\d{{3}})+)?(\.\d*)?([eE][+-]?\d+)?$",
    ",": rf"^[+-]?(\d+|\d{{1,3}}([.{BLANKS}]\d{{3}})+)?(,\d*)?([eE][+-]?\d+)?$",
}


def frame_of(table: "pa.Table", decimal: str = ".", *, raw: bool = False) -> "pd.DataFrame":
    """A table of texts as a DataFrame: numbers where a column holds them, gaps where nothing."""
    import pyarrow as pa

    columns = [
        column_of(column, decimal) if pa.types.is_string(column.type) and not raw else column
        for column in table.columns
    ]
    columns = [_exact(column) for column in columns]
    # Names may come twice in Arrow, where they are told apart by their place.
    frame = pa.table(columns, names=[str(place) for place in range(len(columns))]).to_pandas()
    frame.columns = list(table.column_names)
    return frame


def _exact(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """Long whole numbers with gaps as texts: as decimal numbers they would lose digits."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_int64(column.type) or not column.null_count:
        return column
    ends = pc.min_max(column).as_py()
    if max(abs(ends["min"] or 0), abs(ends["max"] or 0)) < _MAX_EXACT:
        return column
    return column.cast(pa.string())


def column_of(column: "pa.ChunkedArray", decimal: str = ".") -> "pa.ChunkedArray":
    """A column of texts as what it holds; digits with a zero in front are codes, and stay texts."""
    import pyarrow as pa

    sample = _sample(column)
    if sample and decimal == "." and _PLAIN.fullmatch("\n".join([*sample, ""])):
        found = _number(column)
        complete = len(column) <= _SAMPLE
        if found is not None and (complete or not _holds_codes(column)):
            return found
    stripped = [text for text in map(str.strip, sample) if text]
    if not stripped:
        return pa.chunked_array([pa.nulls(len(column), pa.float64())])
    if all(text.lower() in _TRUTH for text in stripped):
        return _cast(column, pa.bool_()) or _texts(column)
    if not _may_be_numbers(stripped, decimal):
        return _texts(column)
    normal = _normal(column, decimal)
    found = None if normal is None else _number(normal)
    return _texts(column) if found is None or _holds_codes(column) else found


def _sample(column: "pa.ChunkedArray") -> list[str]:
    """Some values from everywhere; those of a column that is nearly empty are looked for."""
    size = len(column)
    if size <= _SAMPLE:
        return [text for text in column.to_pylist() if text]
    pieces = [column.slice(start, _SAMPLE // 4) for start in range(0, size, size // 4)]
    found = [text for piece in pieces for text in piece.to_pylist() if text]
    if found and any(text.strip() for text in found):
        return found
    import pyarrow.compute as pc

    filled = column.filter(pc.greater(pc.binary_length(pc.utf8_trim_whitespace(column)), 0))
    return list(filled.slice(0, _SAMPLE).to_pylist())


def _may_be_numbers(sample: list[str], decimal: str) -> bool:
    telling = [text for text in sample if text not in MARKS]
    pattern = NUMBERS[decimal]
    if not telling or not all(pattern.fullmatch(text) for text in telling):
        return False
    return not any(_LONG.fullmatch(text) or _CODE.match(text) for text in telling)


def _texts(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """The texts without blanks around them, and without those that say that there is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    padded = (
        pc.any(test(column, sign)).as_py()
        for test in (pc.starts_with, pc.ends_with)
        for sign in (" ", "\u00a0")
    )
    trimmed = pc.utf8_trim_whitespace(column) if any(padded) else column
    short = pc.less_equal(pc.binary_length(trimmed), _MAX_MARK)
    # Few of the texts are as short as the marks, and those are mostly the same ones.
    values = set(pc.unique(trimmed.filter(short)).to_pylist())
    if values.isdisjoint(_NOTHING):
        return trimmed
    missing = pc.is_in(trimmed, value_set=pa.array(sorted(_NOTHING), trimmed.type))
    return pc.if_else(missing, pa.scalar(None, trimmed.type), trimmed)


def _normal(column: "pa.ChunkedArray", decimal: str) -> "pa.ChunkedArray | None":
    """Numbers as machines write them, None where something else is among them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = pc.utf8_trim_whitespace(column)
    missing = pc.is_in(found, value_set=pa.array(["", *MARKS], found.type))
    found = pc.if_else(missing, pa.scalar(None, found.type), found)
    for sign in _MINUS:
        found = pc.replace_substring(found, sign, "-")
    if not pc.all(pc.match_substring_regex(found, _GROUPED[decimal])).as_py():
        return None
    for sign in (*BLANKS, "." if decimal == "," else ","):
        found = pc.replace_substring(found, sign, "")
    return pc.replace_substring(found, ",", ".") if decimal == "," else found


def _number(column: "pa.ChunkedArray") -> "pa.ChunkedArray | None":
    import pyarrow as pa

    whole = _cast(column, pa.int64())
    if whole is not None:
        return whole if not column.null_count else _exact(whole)
    return _cast(column, pa.float64())


def _cast(column: "pa.ChunkedArray", kind: "pa.DataType") -> "pa.ChunkedArray | None":
    import pyarrow as pa

    try:
        return column.cast(kind)
    except pa.ArrowInvalid:
        return None


def _holds_codes(column: "pa.ChunkedArray") -> bool:
    import pyarrow.compute as pc

    zeros = pc.and_(pc.starts_with(column, "0"), pc.greater(pc.binary_length(column), 1))
    if not pc.any(zeros).as_py():
        return False
    return bool(pc.any(pc.match_substring_regex(column.filter(zeros), "^0[0-9]")).as_py())
