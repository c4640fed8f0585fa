"""The rows of values of a text, as columns: by Arrow, or by pandas when they are ragged."""

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from crawler.readers.cells import ALWAYS_MARKS
from crawler.readers.dialect import BLANK, BLANKS, split_lines
from crawler.readers.guessed_types import NumberType, holds_codes
from crawler.readers.layout import Layout
from crawler.readers.wide_rows import read_wide

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_BLOCK = 1024**2
_RESERVED = 256 * 1024**2
"""Arrow reserves a block for every column of texts."""
_MAX_BLOCK = 2**31 - 1
_MANY_COLUMNS = 500
_WIDTHS_FROM = 200
"""Blocks of lines, over the whole text, whose widths are counted."""
_LINES_OF_A_BLOCK = 20
_GUESSES = 5
_MAX_EXTRA = 200
"""Values that a row may have beyond those of the others."""
_WRONG = re.compile(r"In CSV column #(\d+): .*invalid value '(.*)'", re.DOTALL)
# No text has it, and the reader wants some delimiter for a single column.
_NEVER = "\x1f"


@dataclass(frozen=True, slots=True)
class ValueRows:
    """Rows as columns of texts, or of plain numbers, and how wide they were."""

    table: "pa.Table"
    widths: dict[int, int] = field(default_factory=dict)


def read_rows(
    data: bytes,
    start: int,
    layout: Layout,
    columns: int,
    *,
    raw: bool = False,
) -> ValueRows:
    """The rows from `start` on; short ones are filled up, long ones have columns of their own.

    Only the first `columns` of them are kept, and what some rows have beyond all columns. Columns
    that are plain numbers come as numbers, with `raw` as texts.
    """
    delimiter, width = layout.shape.delimiter, layout.shape.width
    if delimiter in (BLANK, BLANKS):
        pattern = rb"[ \t]+" if delimiter == BLANK else rb" {2,}|\t"
        lines = re.sub(rb"(?m)^[ \t]+|[ \t\r]+$", b"", data[start:])
        data, start, delimiter = re.sub(pattern, b"\t", lines), 0, "\t"
    delimiter = delimiter or _NEVER
    block = min(_BLOCK, _RESERVED // width)
    if width > _MANY_COLUMNS and block < 2 * (data.find(b"\n", start) + 1 - start):
        table, widths = read_wide(data[start:], delimiter, columns)
        return ValueRows(table, dict(sorted(widths.items())))
    if not data[start : start + 4096].strip() and not data[start:].strip():
        return ValueRows(_empty(columns))
    even = _EvenRows(data, start, delimiter, width, columns, layout.decimal, block)
    found = even.read({} if raw else layout.types)
    if found is not None:
        return ValueRows(found, {width: found.num_rows} if found.num_rows else {})
    return _read_ragged(data[start:], delimiter, width, columns)


@dataclass(frozen=True, slots=True)
class _EvenRows:
    """Rows that all have the same width."""

    data: bytes
    start: int
    delimiter: str
    width: int
    columns: int
    decimal: str
    block: int

    def read(self, types: Mapping[int, NumberType]) -> "pa.Table | None":
        """The rows, or None when they are not even."""
        if types and holds_codes(self.data, self.start, self.delimiter):
            types = {}
        quotes = self.data.count(b'"', self.start)
        # Strays were set aside; where there still is one, nothing tells which of them it is.
        try:
            return self._with_types(types, quoted=quotes > 0)
        except _Uneven:
            return None

    def _with_types(self, types: Mapping[int, NumberType], *, quoted: bool) -> "pa.Table":
        """Reads once more when some value is no such number after all, at last as texts."""
        import pyarrow as pa

        guesses = dict(types)
        for _ in range(_GUESSES):
            try:
                return self._in_blocks(guesses, quoted=quoted)
            except pa.ArrowInvalid as error:
                if "conversion error" not in str(error):
                    raise _Uneven from error
                guesses = _corrected(guesses, str(error))
        return self._in_blocks({}, quoted=quoted)

    def _in_blocks(self, types: Mapping[int, NumberType], *, quoted: bool) -> "pa.Table":
        import pyarrow as pa

        try:
            return self._read(types, self.block, quoted=quoted)
        except pa.ArrowInvalid as error:
            # A row that is longer than a block of the reader needs a larger block.
            if "straddling" not in str(error):
                raise
        whole = min(_MAX_BLOCK, len(self.data) - self.start + 1)
        return self._read(types, whole, quoted=quoted)

    def _read(self, types: Mapping[int, NumberType], block: int, *, quoted: bool) -> "pa.Table":
        import pyarrow as pa
        from pyarrow import csv as arrow_csv

        names = [str(place) for place in range(self.width)]
        kept = names[: self.columns]
        return arrow_csv.read_csv(
            pa.BufferReader(pa.py_buffer(self.data).slice(self.start)),
            read_options=arrow_csv.ReadOptions(column_names=names, block_size=block),
            parse_options=arrow_csv.ParseOptions(
                delimiter=self.delimiter,
                quote_char='"' if quoted else False,
                newlines_in_values=quoted,
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types={
                    name: pa.type_for_alias(types[place]) if place in types else pa.string()
                    for place, name in enumerate(kept)
                },
                include_columns=kept if len(kept) < len(names) else None,
                null_values=["", *ALWAYS_MARKS],
                strings_can_be_null=True,
                decimal_point=self.decimal,
                check_utf8=False,
            ),
        )


class _Uneven(Exception):
    """Rows have different widths."""


def _corrected(types: dict[int, NumberType], error: str) -> dict[int, NumberType]:
    """The guesses without the one that was wrong: numbers may have decimals further down."""
    wrong = _WRONG.search(error)
    if wrong is None:
        return {}
    left = dict(types)
    # Digits that do not fit would lose some as a decimal number.
    is_decimal = not wrong[2].lstrip("+-").isdigit()
    if left.pop(int(wrong[1]), None) is NumberType.WHOLE and is_decimal:
        left[int(wrong[1])] = NumberType.DECIMAL
    return left


def _read_ragged(data: bytes, delimiter: str, width: int, columns: int) -> ValueRows:
    import pandas as pd
    import pyarrow as pa

    widths = _widths(data, delimiter)
    data, widest = _within(data, delimiter, max([width, *widths]))
    try:
        frame = _parsed(data, delimiter, widest, csv.QUOTE_MINIMAL)
    except pd.errors.ParserError:
        # A quote that is never closed: the text has none, then.
        frame = _parsed(data, delimiter, widest, csv.QUOTE_NONE)
    beyond = [place for place in range(width, frame.shape[1]) if frame.iloc[:, place].notna().any()]
    if columns < width:
        beyond = []
    frame = frame.iloc[:, [*range(min(width, columns)), *beyond]]
    arrays = [
        pa.chunked_array([pa.array(frame.iloc[:, place], pa.string(), from_pandas=True)])
        for place in range(frame.shape[1])
    ]
    table = pa.table(arrays, names=[str(place) for place in range(len(arrays))])
    return ValueRows(table, dict(sorted(widths.items())))


def _within(data: bytes, delimiter: str, width: int) -> tuple[bytes, int]:
    """The text with no row longer than can be read, and how long the longest of them is.

    Delimiters at the end of a row say nothing; what goes on for hundreds of values more is cut
    there, and the row stays a row.
    """
    sign = delimiter.encode()
    most = width + _MAX_EXTRA
    widest = width
    lines = data.split(b"\n")
    for at, line in enumerate(lines):
        values = line.count(sign) + 1
        if values > width:
            if values > most:
                line = line.rstrip(b"\r" + sign) or sign
                lines[at] = line = sign.join(line.split(sign, most)[:most])
                values = line.count(sign) + 1
            widest = max(widest, values)
    return b"\n".join(lines), widest


def _parsed(data: bytes, delimiter: str, width: int, quoting: int) -> "pd.DataFrame":
    import pandas as pd

    return pd.read_csv(
        io.BytesIO(data),
        sep=delimiter,
        quoting=quoting,
        header=None,
        names=range(width),
        index_col=False,
        dtype=str,
        keep_default_na=False,
        na_values=[""],
        skipinitialspace=True,
        low_memory=False,
        on_bad_lines="skip",
        encoding_errors="replace",
    )


def _widths(data: bytes, delimiter: str) -> Counter[int]:
    """Widths of lines from everywhere in the text."""
    step = max(1, len(data) // _WIDTHS_FROM)
    widths: Counter[int] = Counter()
    end = 0
    for place in range(0, len(data), step):
        begin = data.find(b"\n", place) + 1 if place else 0
        if begin < end or (place and not begin):
            continue
        end = begin
        lines: list[str] = []
        while len(lines) < _LINES_OF_A_BLOCK and end < len(data):
            stop = data.find(b"\n", end)
            stop = len(data) if stop < 0 else stop
            lines.append(
                data[end : min(stop, end + 10**6)].rstrip(b"\r").decode("utf-8", "replace")
            )
            end = stop + 1
        widths.update(len(row.cells) for row in split_lines(lines, delimiter) if not row.is_blank)
    return widths


def _empty(columns: int) -> "pa.Table":
    import pyarrow as pa

    return pa.table({str(place): pa.array([], pa.string()) for place in range(columns)})
