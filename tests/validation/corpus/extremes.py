"""Text of a size that nobody expects."""

from crawler.readers.kinds import Kind
from crawler.validation.outcome import Judgement
from tests.validation.corpus import codes
from tests.validation.corpus.specimen import Expected, Specimen


def many_columns() -> bytes:
    """10,000 columns, 30 rows."""
    lines = ["area," + ",".join(f"v{number}" for number in range(1, 10_000))]
    for row in range(30):
        figures = ",".join(str(row + number % 97) for number in range(1, 10_000))
        lines.append(f"R{row:02}," + figures)
    return "\n".join([*lines, ""]).encode()


def many_rows() -> bytes:
    """5,000,000 rows."""
    block = "".join(
        f"{2000 + number % 20},R{number % 50:02},{number * 37 % 9_973}\n" for number in range(5_000)
    )
    return b"year,area,value\n" + block.encode() * 1_000


def long_cell() -> bytes:
    """A table of twenty rows, one of whose cells is 50 MB long."""
    lines = [b"year,remark,value"]
    lines += [b"%d,none,%d" % (2000 + number, number) for number in range(20)]
    lines[10] = b'2009,"' + b"remark without end " * 2_631_579 + b'",9'
    return b"\n".join([*lines, b""])


def one_long_line() -> bytes:
    """20 MB without a line end or a separator."""
    return b"0123456789abcdef" * 1_250_000


def many_separators() -> bytes:
    """A line of a million commas."""
    return b"a,b,c\n1,2,3\n" + b"," * 1_000_000 + b"\n4,5,6\n"


SPECIMENS = (
    Specimen(
        "ten-thousand-columns",
        many_columns,
        Kind.DELIMITED,
        Judgement.VALID,
        file_name="wide.csv",
        tables=(Expected(rows=30, width=10_000, delimiter=",", cut=False),),
    ),
    Specimen(
        "five-million-rows",
        many_rows,
        Kind.DELIMITED,
        Judgement.VALID,
        file_name="long.csv",
        tables=(Expected(rows=5_000_000, names=("year", "area", "value"), cut=True),),
        is_large=True,
    ),
    Specimen(
        "cell-of-fifty-megabytes",
        long_cell,
        Kind.DELIMITED,
        Judgement.VALID,
        file_name="remarks.csv",
        tables=(Expected(rows=20, names=("year", "remark", "value")),),
        is_large=True,
    ),
    Specimen(
        "one-line-of-twenty-megabytes",
        one_long_line,
        Kind.DOCUMENT,
        Judgement.DOCUMENT,
        file_name="blob.csv",
        reasons=(codes.NO_TABLE, codes.OTHERWISE_DECLARED),
        tables=(),
        is_large=True,
    ),
    Specimen(
        "line-of-a-million-commas",
        many_separators,
        Kind.DELIMITED,
        Judgement.VALID,
        file_name="commas.csv",
        tables=(Expected(rows=2, names=("a", "b", "c")),),
    ),
)
