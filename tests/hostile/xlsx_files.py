"""Hostile workbooks of Excel 2007: extents, merges, references, styles, loops between parts."""

import io
import random
import re
import zipfile
from collections.abc import Callable

from tests.hostile.specimen import (
    BOMB,
    BROKEN,
    CORRUPT,
    DOCUMENT,
    MEMORY,
    SUSPECT,
    TOO_LARGE,
    VALID,
    of_kind,
)
from tests.validation.corpus.xlsx_files import SHEET, changed, plain

xlsx = of_kind("xlsx")
EXTENT = f"{TOO_LARGE}|{BOMB}"


def sheet(extra: bytes = b"", before: bytes = b"", after: bytes = b"") -> bytes:
    """The plain workbook with more rows at its end, or more elements around them."""

    def change(body: bytes) -> bytes:
        body = body.replace(b"<sheetData>", before + b"<sheetData>")
        return body.replace(b"</sheetData>", extra + b"</sheetData>" + after)

    return changed(SHEET, change)


def cell(place: bytes, inside: bytes = b"<v>1</v>", attributes: bytes = b"") -> bytes:
    row = re.sub(rb"[A-Z]", b"", place)
    return b'<row r="%b"><c r="%b" %b>%b</c></row>' % (row, place, attributes, inside)


def merges(ranges: list[bytes]) -> bytes:
    each = b"".join(b'<mergeCell ref="%b"/>' % one for one in ranges)
    return sheet(after=b'<mergeCells count="%d">%b</mergeCells>' % (len(ranges), each))


def part(name: str, change: Callable[[bytes], bytes]) -> bytes:
    return changed(name, change)


STRINGS = "xl/sharedStrings.xml"
BOOK = "xl/workbook.xml"
RELATIONS = "xl/_rels/workbook.xml.rels"
STYLES = "xl/styles.xml"
FAR = b"XFD1048576"


NAMESPACE = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATION = (
    b'<Relationship Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
    b'sharedStrings" Target="sharedStrings.xml" Id="rId9"/></Relationships>'
)


def with_strings(entries: bytes, cells: bytes, head: bytes = b"", count: int = 1) -> bytes:
    """The plain workbook with a table of texts, and cells that refer to them."""
    table = b'<sst xmlns="%b" count="%d" uniqueCount="%d">%b</sst>' % (
        NAMESPACE,
        count,
        count,
        entries,
    )
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(plain())) as source, zipfile.ZipFile(target, "w") as copy:
        for name in source.namelist():
            data = source.read(name)
            if name == SHEET:
                data = data.replace(b"</sheetData>", cells + b"</sheetData>")
            if name == RELATIONS:
                data = data.replace(b"</Relationships>", RELATION)
            copy.writestr(name, data, zipfile.ZIP_DEFLATED)
        copy.writestr(STRINGS, head + table, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def texts(number: bytes, rows: int = 1) -> bytes:
    """Cells that refer to the text of this number."""
    return b"".join(cell(b"A%d" % n, b"<v>%b</v>" % number, b't="s"') for n in range(40, 40 + rows))


LONG = b"<si><t>" + b"a" * 1_000_000 + b"</t></si>"
RUNS = b"<si>" + b"<r><t>a</t></r>" * 200_000 + b"</si>"
SHORT = b"<si><t>a</t></si>"
LAUGHS = b'<!DOCTYPE sst [<!ENTITY a "b">]>'


SPECIMENS = (
    xlsx("far-cell", lambda: sheet(cell(FAR)), BROKEN, TOO_LARGE),
    xlsx(
        "far-cell-behind-long-attributes",
        lambda: sheet(cell(FAR, attributes=b'x="%b"' % (b"a" * 5000))),
        BROKEN,
        TOO_LARGE,
    ),
    xlsx(
        "far-cell-with-blanks",
        lambda: sheet(b'<row r="1048576"><c r = "XFD1048576"><v>1</v></c></row>'),
        BROKEN,
        TOO_LARGE,
    ),
    xlsx(
        "far-cell-with-a-line-end",
        lambda: sheet(b'<row r="1048576"><c r\n=\n"XFD1048576"><v>1</v></c></row>'),
        BROKEN,
        TOO_LARGE,
    ),
    xlsx(
        "far-cell-behind-4-megabytes",
        lambda: sheet(
            b"<!--" + random.Random(2).randbytes(2_200_000).hex().encode() + b"-->" + cell(FAR)
        ),
        BROKEN,
        TOO_LARGE,
    ),
    xlsx(
        "far-cell-in-apostrophes",
        lambda: sheet(b"<row r='1048576'><c r='XFD1048576'><v>1</v></c></row>"),
        BROKEN,
        TOO_LARGE,
    ),
    xlsx(
        "far-cell-with-a-prefix",
        lambda: sheet(
            b'<x:row xmlns:x="%b" r="1048576"><x:c r="XFD1048576"><x:v>1</x:v></x:c></x:row>'
            % NAMESPACE
        ),
        BROKEN,
        TOO_LARGE,
    ),
    xlsx(
        "far-cell-as-a-reference",
        lambda: sheet(b'<row r="1048576"><c r="&#88;FD1048576"><v>1</v></c></row>'),
        BROKEN,
        TOO_LARGE,
    ),
    xlsx(
        "far-cell-of-text",
        lambda: sheet(cell(FAR, b"<is><t>x</t></is>", b't="inlineStr"')),
        BROKEN,
        TOO_LARGE,
    ),
    xlsx("two-far-corners", lambda: sheet(cell(b"A1048576") + cell(b"XFD2")), BROKEN, TOO_LARGE),
    xlsx(
        "far-row-narrow",
        lambda: sheet(cell(b"A200000")),
        VALID,
    ),
    xlsx(
        "far-column-short",
        lambda: sheet(cell(b"XFD33")),
        VALID,
    ),
    xlsx("cell-of-no-column", lambda: sheet(cell(b"99999")), BROKEN, CORRUPT),
    xlsx(
        "cell-of-too-many-letters",
        lambda: sheet(cell(b"AAAAAAAA5")),
        BROKEN,
        MEMORY,
    ),
    xlsx(
        "cell-of-a-far-far-row",
        lambda: sheet(cell(b"A99999999999999999999")),
        BROKEN,
        TOO_LARGE,
    ),
    xlsx(
        "rows-backwards",
        lambda: sheet(b"".join(cell(b"A%d" % n) for n in range(3000, 32, -1))),
        SUSPECT,
        "few-footnotes|mostly-data",
    ),
    xlsx(
        "one-cell-hundred-thousand-times",
        lambda: sheet(cell(b"A40") * 100_000),
        VALID,
    ),
    xlsx(
        "merge-of-all",
        lambda: merges([b"A1:XFD1048576"]),
        VALID,
        "repeated-names",
    ),
    xlsx(
        "merges-ten-thousand",
        lambda: merges([b"A1:XFD1048576"] * 10_000),
        VALID,
        "repeated-names",
    ),
    xlsx(
        "merges-overlapping",
        lambda: merges([b"A%d:D%d" % (n, n + 20) for n in range(1, 30)]),
        VALID,
        "repeated-names",
    ),
    xlsx(
        "merge-of-a-long-text",
        lambda: sheet(
            cell(b"A40", b"<is><t>" + b"a" * 30_000 + b"</t></is>", b't="inlineStr"'),
            after=b'<mergeCells count="1"><mergeCell ref="A40:XFD2000"/></mergeCells>',
        ),
        VALID,
    ),
    xlsx(
        "merge-backwards",
        lambda: merges([b"D31:A1", b"ZZZZ9:A0", b"::"]),
        BROKEN,
        CORRUPT,
    ),
    xlsx(
        "dimension-of-all",
        lambda: changed(SHEET, lambda body: body.replace(b"A1:D31", b"A1:XFD1048576")),
        VALID,
    ),
    xlsx(
        "dimension-of-nonsense",
        lambda: changed(SHEET, lambda body: body.replace(b"A1:D31", b"A0:-1")),
        BROKEN,
        CORRUPT,
    ),
    xlsx(
        "string-of-a-megabyte-in-ten-thousand-cells",
        lambda: with_strings(LONG, texts(b"0", 10_000)),
        BROKEN,
        TOO_LARGE,
    ),
    xlsx(
        "string-number-behind-the-end",
        lambda: with_strings(SHORT, texts(b"99999999")),
        BROKEN,
        CORRUPT,
    ),
    xlsx("string-number-negative", lambda: with_strings(SHORT, texts(b"-1")), VALID),
    xlsx("string-of-200000-runs", lambda: with_strings(RUNS, texts(b"0")), VALID),
    xlsx(
        "strings-count-lies",
        lambda: with_strings(SHORT, texts(b"0"), count=4 * 10**9),
        BROKEN,
        MEMORY,
    ),
    xlsx("strings-laughing", lambda: with_strings(SHORT, texts(b"0"), LAUGHS), BROKEN, BOMB),
    xlsx(
        "number-of-5000-digits", lambda: sheet(cell(b"A40", b"<v>" + b"9" * 5000 + b"</v>")), VALID
    ),
    xlsx(
        "number-not-a-number",
        lambda: sheet(cell(b"A40", b"<v>1e999999</v>")),
        VALID,
    ),
    xlsx(
        "cell-of-three-megabytes",
        lambda: sheet(
            cell(b"A40", b"<is><t>" + b"ab " * 1_000_000 + b"</t></is>", b't="inlineStr"')
        ),
        VALID,
    ),
    xlsx(
        "date-of-the-year-ten-to-the-ninth",
        lambda: sheet(cell(b"A40", b"<v>1e15</v>", b't="d"')),
        VALID,
    ),
    xlsx("formula-of-itself", lambda: sheet(cell(b"A40", b"<f>A40+A40</f><v>1</v>")), VALID),
    xlsx(
        "shared-formula-of-all",
        lambda: sheet(cell(b"A40", b'<f t="shared" ref="A1:XFD1048576" si="0">B1</f><v>1</v>')),
        VALID,
    ),
    xlsx(
        "formats-hundred-thousand",
        lambda: part(
            STYLES,
            lambda body: body.replace(
                b"<fonts",
                b"<numFmts>"
                + b'<numFmt numFmtId="200" formatCode="0"/>' * 100_000
                + b"</numFmts><fonts",
            ),
        ),
        VALID,
    ),
    xlsx(
        "sheet-is-the-workbook",
        lambda: part(
            RELATIONS, lambda body: body.replace(b"worksheets/sheet1.xml", b"workbook.xml")
        ),
        DOCUMENT,
        "no-table",
    ),
    xlsx(
        "sheet-outside-the-archive",
        lambda: part(
            RELATIONS,
            lambda body: body.replace(b"/xl/worksheets/sheet1.xml", b"../../../../etc/passwd"),
        ),
        BROKEN,
        CORRUPT,
    ),
    xlsx(
        "thousand-sheets-are-one",
        lambda: part(
            BOOK,
            lambda body: re.sub(
                rb"<sheet [^>]*/>",
                lambda m: b"".join(
                    m[0].replace(b'name="Births"', b'name="S%d"' % n) for n in range(1000)
                ),
                body,
            ),
        ),
        VALID,
    ),
    xlsx(
        "sheet-of-no-name",
        lambda: part(BOOK, lambda body: body.replace(b'name="Births"', b'name=""')),
        VALID,
    ),
    xlsx(
        "sheet-name-of-a-megabyte",
        lambda: part(BOOK, lambda body: body.replace(b'"Births"', b'"' + b"n" * 1_000_000 + b'"')),
        VALID,
    ),
    xlsx("depth-100000", lambda: sheet(b"<row>" * 100_000), VALID),
    xlsx("unclosed", lambda: changed(SHEET, lambda body: body[:-400]), BROKEN, CORRUPT),
    xlsx(
        "noise-in-a-sheet",
        lambda: changed(SHEET, lambda body: random.Random(1).randbytes(len(body))),
        BROKEN,
        CORRUPT,
    ),
    xlsx("no-workbook", lambda: part(BOOK, lambda _: b""), BROKEN, CORRUPT),
)
