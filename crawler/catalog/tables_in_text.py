"""Tables in text: delimiter, encoding, header and decimal mark are found in the text itself."""

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from crawler.errors import NotATable

if TYPE_CHECKING:
    import pandas as pd

_SAMPLE = 256 * 1024
_SAMPLED_LINES = 200
_DELIMITERS = ",;\t|"
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
# Encodings of statistics offices; a guess among all there are finds rare ones by chance.
# fmt: off
_ENCODINGS = [
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257",
    "iso8859_2", "koi8_r", "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr",
]
# fmt: on
_COMMA_NUMBER = re.compile(r"[+-]?(\d+|\d{1,3}([. \u00a0\u202f']\d{3})+),\d+")
_POINT_NUMBER = re.compile(r"[+-]?(\d+|\d{1,3}([, \u00a0\u202f']\d{3})+)\.\d+")
_CODE = re.compile(r"0\d+")
_GROUPED = {
    ",": re.compile(r"[+-]?\d{1,3}([. \u00a0\u202f']\d{3})*(,\d+)?"),
    ".": re.compile(r"[+-]?\d{1,3}([, \u00a0\u202f']\d{3})*(\.\d+)?"),
}


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text writes its table."""

    encoding: str
    delimiter: str
    header: int
    """Lines before the header: a title, a source."""
    decimal: str
    codes: tuple[int, ...]
    """Columns of digits that begin with a zero: codes, no numbers."""


def read_delimited(stream: BinaryIO, *, rows: int | None = None) -> "pd.DataFrame":
    """The table in a text of comma-, semicolon- or tab-separated values."""
    import pandas as pd

    sample = stream.read(_SAMPLE)
    stream.seek(0)
    dialect = detect(sample)
    text = io.TextIOWrapper(stream, dialect.encoding, errors="replace", newline="")
    try:
        for _ in range(dialect.header):
            text.readline()
        frame = pd.read_csv(
            text,
            sep=dialect.delimiter,
            decimal=dialect.decimal,
            dtype=dict.fromkeys(dialect.codes, str),
            nrows=rows,
            index_col=False,
            skipinitialspace=True,
            low_memory=False,
            # Loud, not fatal: pandas names the lines that have too many values.
            on_bad_lines="warn",
        )
    finally:
        text.detach()
    if frame.columns.empty:
        raise NotATable("the text holds no table")
    frame.columns = [str(name).strip() for name in frame.columns]
    return _with_numbers(frame, dialect.decimal)


def detect(sample: bytes) -> Dialect:
    """How the text that begins so writes its table."""
    encoding = encoding_of(sample)
    text = sample.decode(encoding, errors="replace")
    if len(sample) == _SAMPLE:
        text = text.rpartition("\n")[0] or text
    lines = text.splitlines()[:_SAMPLED_LINES]
    delimiter = _delimiter(lines)
    rows = _parsed(lines, delimiter)
    header = _header(lines, delimiter)
    cells = rows[header + 1 :] if header < len(rows) else rows
    decimal = "," if delimiter != "," and _decimal_comma(cells) else "."
    return Dialect(encoding, delimiter, header, decimal, _codes(cells))


def encoding_of(sample: bytes) -> str:
    """The encoding of a text: its mark, UTF-8 if it is that, else the likeliest."""
    for mark, encoding in _BOMS:
        if sample.startswith(mark):
            return encoding
    try:
        # A character may be cut at the end of the sample.
        sample[: len(sample) - 4 if len(sample) == _SAMPLE else None].decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(sample) - 4 or len(sample) < _SAMPLE:
            return _likeliest(sample)
    return "utf-8"


def _likeliest(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(sample[: 64 * 1024], cp_isolation=_ENCODINGS).best()
    return best.encoding if best is not None else "cp1252"


def _delimiter(lines: Sequence[str]) -> str:
    """The one that gives most lines the same number of columns, and more than one."""
    best, best_score = ",", 0.0
    for delimiter in _DELIMITERS:
        widths = Counter(len(row) for row in _parsed(lines, delimiter) if row)
        wide = {width: count for width, count in widths.items() if width > 1}
        if not wide:
            continue
        width, count = max(wide.items(), key=lambda pair: (pair[1], pair[0]))
        score = count / sum(widths.values()) + min(width, 50) / 1000
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _parsed(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    try:
        return list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))
    except csv.Error:
        return [line.split(delimiter) for line in lines]


def _header(lines: Sequence[str], delimiter: str) -> int:
    """The number of lines before the first that is as wide as the table."""
    widths = [len([cell for cell in row if cell.strip()]) for row in _parsed(lines, delimiter)]
    common = Counter(width for width in widths if width > 1)
    if not common or len(widths) != len(lines):
        return 0
    usual = max(common.items(), key=lambda pair: (pair[1], pair[0]))[0]
    # A header may leave the name of the first column away.
    return next(number for number, width in enumerate(widths) if width >= max(2, usual - 1))


def _decimal_comma(rows: Sequence[Sequence[str]]) -> bool:
    cells = [cell.strip() for row in rows for cell in row]
    commas = sum(1 for cell in cells if _COMMA_NUMBER.fullmatch(cell))
    return commas > sum(1 for cell in cells if _POINT_NUMBER.fullmatch(cell))


def _codes(rows: Sequence[Sequence[str]]) -> tuple[int, ...]:
    found = {
        number
        for row in rows
        for number, cell in enumerate(row)
        if cell.startswith("0") and _CODE.fullmatch(cell)
    }
    return tuple(sorted(found))


def _with_numbers(frame: "pd.DataFrame", decimal: str) -> "pd.DataFrame":
    """Columns of numbers with grouped thousands become numbers; pandas would join dates as well."""
    import pandas as pd

    for place in range(frame.shape[1]):
        column = frame.iloc[:, place]
        if pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
            continue
        texts = column.dropna().astype(str).str.strip()
        grouped = _GROUPED[decimal]
        if (
            texts.empty
            or not texts.map(lambda text, g=grouped: g.fullmatch(text) is not None).all()
        ):
            continue
        if texts.map(lambda text: _CODE.fullmatch(text) is not None).any():
            continue
        bare = texts.str.replace(
            r"[. \u00a0\u202f']" if decimal == "," else r"[, \u00a0\u202f']", "", regex=True
        )
        values = pd.to_numeric(bare.str.replace(",", ".")).reindex(column.index)
        frame.isetitem(place, values)
    return frame
