"""Hostile texts: quotes, numbers, widths, encodings and patterns that go quadratic."""

import random

from tests.hostile.specimen import BROKEN, DOCUMENT, NOT_A_DATASET, SUSPECT, VALID, of_kind

csv, tsv = of_kind("csv"), of_kind("tsv")
ROWS = b"".join(b"%d,R%02d,%d\n" % (2000 + n % 20, n % 50, n * 37 % 9973) for n in range(300))
TABLE = b"year,area,value\n" + ROWS


def with_cell(cell: bytes, at: int = 150) -> bytes:
    """The table with one more column of remarks, one of which is this cell."""
    lines = TABLE.splitlines()
    lines[0] += b",remark"
    lines[1:] = [line + b",none" for line in lines[1:]]
    lines[at] = lines[at].removesuffix(b"none") + cell
    return b"\n".join([*lines, b""])


def with_line(line: bytes, at: int = 150) -> bytes:
    """The table with one more line."""
    lines = TABLE.splitlines()
    return b"\n".join([*lines[:at], line, *lines[at:], b""])


def with_number(cell: bytes) -> bytes:
    """The table with this instead of one of its figures."""
    lines = TABLE.splitlines()
    lines[150] = b"2010,R10," + cell
    return b"\n".join([*lines, b""])


def unclosed_quote(lines: int) -> bytes:
    """A quote that swallows all further lines."""
    return TABLE + b'2001,"R01,5\n' + b"2002,R02,7\n" * lines


def unclosed_quotes(lines: int) -> bytes:
    """Two quotes that are never closed: between them all would be one value."""
    return unclosed_quote(lines) + b'2001,"R01,5\n'


def dna() -> bytes:
    """A table of 240 KB of letters."""
    letters = random.Random(1)
    line = "".join(letters.choice("ACGT") for _ in range(60_000))
    return b"id,year,sequence\n" + b"".join(b"%d,2020,%b\n" % (n, line.encode()) for n in range(4))


def all_quotes() -> bytes:
    return b"a,b\n" + b'"' * 500_000 + b"\n1,2\n"


def many_codecs() -> bytes:
    """Every byte there is, in all orders."""
    return b"a,b\n" + random.Random(3).randbytes(200_000)


NUMBERS = {
    "integer-of-5000-digits": b"9" * 5000,
    "integer-of-a-million-digits": b"9" * 1_000_000,
    "decimal-of-5000-digits": b"0." + b"3" * 5000,
    "exponent-of-nine-digits": b"1e999999999",
    "negative-exponent-of-nine-digits": b"1e-999999999",
    "not-a-number": b"nan",
    "infinity": b"-inf",
    "hexadecimal": b"0x" + b"f" * 3000,
    "underscores": b"1" + b"_0" * 3000,
    "thousand-separators": b"1" + b" 000" * 3000,
    "thousand-signs": b"-" * 3000 + b"1",
    "year-of-50-digits": b"2" * 50 + b"-01-01",
    "date-of-year-zero": b"0000-00-00",
    "date-of-month-99": b"2020-99-99T99:99:99Z",
    "decimal-points": b"1" + b".0" * 3000,
}

CELLS = {
    "letters-300000": b"a" * 300_000,
    "words-300000": b"ab " * 100_000,
    "full-stops": b"." * 300_000,
    "sentences": b"It was. " * 40_000,
    "spaces": b"x" + b" " * 300_000 + b"y",
    "brackets": b"(" * 300_000,
    "html-tags": b"<a>" * 100_000,
    "percent-escapes": b"%41" * 100_000,
    "emails": b"a@" * 150_000,
    "formula": b"=HYPERLINK(A1" + b"&A1" * 1000 + b")",
    "null-bytes": b"a\0b\0",
    "escape-codes": b"\x1b[2J\x1b]0;owned\x07",
    "lone-surrogate": b"\xed\xa0\x80",
    "overlong-utf8": b"\xc0\xaf" * 10,
    "right-to-left-mark": "\u202e\u2066abc".encode(),
    "combining-marks": ("a" + "\u0301" * 50_000).encode(),
    "zero-width": ("\u200b" * 50_000).encode(),
    "digits-of-other-scripts": "\u0661\u0662\u0663".encode() * 1000,
}

ODD = f"{VALID}|{SUSPECT}|{BROKEN}"
NO_TABLE = "no-table|announced-kind"
QUOTES = "unclosed-quote|consistent-width|truncated|corrupt"
"""What may be said of a text whose quotes do not match."""

SPECIMENS = (
    *(csv(f"number-{name}", with_number(cell), VALID) for name, cell in NUMBERS.items()),
    *(csv(f"cell-of-{name}", with_cell(cell), VALID) for name, cell in CELLS.items()),
    csv("dna", dna, VALID),
    # A quote that is never closed is a letter, and swallows no line.
    csv("unclosed-quote", lambda: unclosed_quote(1_000_000), VALID, rows=1_000_301),
    csv("two-unclosed-quotes", lambda: unclosed_quotes(50_000), VALID, rows=50_302),
    csv("unclosed-quote-in-the-last-line", lambda: unclosed_quote(0), VALID, rows=301),
    csv("half-a-million-quotes", all_quotes, VALID),
    csv(
        "every-other-byte-a-quote",
        b"a,b\n" + b'"a' * 200_000,
        SUSPECT,
        "header|numeric-share",
    ),
    csv("line-of-a-million-commas", with_line(b"," * 1_000_000), VALID),
    csv(
        "header-of-a-million-names",
        b"," * 1_000_000 + b"\n1,2\n3,4\n",
        SUSPECT,
        "header|rows-accounted",
    ),
    csv("line-of-a-million-semicolons", with_line(b";" * 1_000_000), VALID),
    csv("only-carriage-returns", TABLE.replace(b"\n", b"\r"), VALID),
    csv("mixed-line-ends", TABLE.replace(b"\n", b"\r\r\n", 20), VALID),
    csv("million-empty-lines", TABLE + b"\n" * 1_000_000, VALID),
    # Nobody looks further than 256 KB for the beginning of a text; but it is not empty.
    csv("million-empty-lines-above", b"\n" * 1_000_000 + TABLE, NOT_A_DATASET, "unknown-kind"),
    csv(
        "hundred-thousand-notes",
        b"Source: us.\n" * 100_000 + TABLE,
        DOCUMENT,
        "no-table|announced-kind",
    ),
    csv(
        "rows-of-all-widths",
        b"a,b\n" + b"".join(b"," * n + b"\n" for n in range(1500)),
        SUSPECT,
        "not-empty|rows-accounted",
    ),
    csv(
        "names-of-a-megabyte",
        b"a" * 1_000_000 + b"," + b"b" * 1_000_000 + b"\n" + b"1,2\n" * 50,
        VALID,
    ),
    csv(
        "thousand-equal-names",
        b"a," * 1_000 + b"a\n" + b"1," * 1_000 + b"1\n",
        VALID,
        "repeated-names",
    ),
    csv(
        "header-a-thousand-times",
        (b"year,area,value\n" + ROWS[:40]) * 1000,
        SUSPECT,
        "consistent-width",
    ),
    csv("utf16-of-an-odd-length", TABLE.decode().encode("utf-16") + b"\x41", VALID),
    csv("utf32", TABLE.decode().encode("utf-32"), VALID),
    csv("utf7", b"year,area,value\n" + b"2000,+AOk-,3\n" * 100, VALID),
    csv("two-byte-order-marks", b"\xef\xbb\xbf" * 2 + TABLE, VALID),
    csv("byte-order-mark-alone", b"\xff\xfe", BROKEN, "empty"),
    csv("mark-of-utf16-before-utf8", b"\xff\xfe" + TABLE, DOCUMENT, "no-table|announced-kind"),
    csv("every-byte", many_codecs, NOT_A_DATASET, "unknown-kind"),
    csv("null-bytes-200000", b"\0" * 200_000, BROKEN, "empty"),
    csv("sparse", b"a,b\n1,2\n" + b"\0" * 5_000_000, NOT_A_DATASET, "unknown-kind"),
    tsv("tabs-only", b"\t" * 2_000_000, BROKEN, "empty"),
    tsv(
        "more-columns-than-are-read",
        b"\t".join(b"c%d" % n for n in range(20_000)) + b"\n" + b"\t".join([b"1"] * 20_000) + b"\n",
        VALID,
    ),
    tsv(
        "pipe-and-tab-and-comma",
        b"a|b\tc,d;e\n" * 20_000,
        SUSPECT,
        "not-empty|mostly-data|repeated-headers",
    ),
)
