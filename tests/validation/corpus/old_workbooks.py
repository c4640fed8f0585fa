"""Workbooks of Excel 97 (xls), and the binary ones of Excel 2007 (xlsb)."""

import datetime
import io
import random
import struct
from collections.abc import Callable

import xlwt
from xlwt.CompoundDoc import XlsDoc

from crawler.lab.sites.files.csv_files import archive
from crawler.readers.kinds import Kind
from crawler.validation.outcome import ColumnRole, ColumnType, Judgement
from tests.validation.corpus import codes
from tests.validation.corpus.figures import HEADER, ROWS, births
from tests.validation.corpus.specimen import Expected, Specimen

FILE_PASS = 0x2F
BOUND_SHEET = 0x85


def xls_book(*, dates: bool = False) -> xlwt.Workbook:
    """One sheet, a header, thirty rows."""
    book = xlwt.Workbook()
    sheet = book.add_sheet("Births")
    day = xlwt.easyxf(num_format_str="YYYY-MM-DD")
    for column, name in enumerate((*HEADER, "Day") if dates else HEADER):
        sheet.write(0, column, name)
    for place, row in enumerate(ROWS, start=1):
        for column, cell in enumerate(row):
            sheet.write(place, column, cell)
        if dates:
            sheet.write(place, 4, datetime.date(2021, 3, place), day)
    return book


def xls(*, dates: bool = False) -> bytes:
    """A workbook as it should be."""
    target = io.BytesIO()
    xls_book(dates=dates).save(target)
    return target.getvalue()


def xls_locked() -> bytes:
    """The record of a password after the first one, all that follows scrambled."""
    stream = xls_book().get_biff_data()
    first = 4 + struct.unpack_from("<H", stream, 2)[0]
    salt = random.Random(5).randbytes(48)
    password = struct.pack("<HHHHH", FILE_PASS, 54, 1, 1, 1) + salt
    scrambled = bytearray(stream[first:])
    at = 0
    while at + 4 <= len(scrambled):
        record, length = struct.unpack_from("<HH", scrambled, at)
        at += 4
        # Where sheets begin stays legible in a locked file, as do the heads of records.
        clear = 4 if record == BOUND_SHEET else 0
        for place in range(at + clear, min(at + length, len(scrambled))):
            scrambled[place] ^= 0x5A
        at += length
    target = io.BytesIO()
    XlsDoc().save(target, stream[:first] + password + bytes(scrambled))
    return target.getvalue()


def xls_empty() -> bytes:
    """A sheet with nothing on it."""
    book = xlwt.Workbook()
    book.add_sheet("Sheet1")
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def xls_scrambled() -> bytes:
    """The container is sound, the stream in it is not."""
    target = io.BytesIO()
    XlsDoc().save(target, random.Random(6).randbytes(9_000))
    return target.getvalue()


def word_97() -> bytes:
    """An old Word document: the same container with a stream of another name."""
    target = io.BytesIO()
    XlsDoc().save(target, random.Random(7).randbytes(9_000))
    old = "Workbook".encode("utf-16-le").ljust(64, b"\0") + struct.pack("<H", 18)
    new = "WordDocument".encode("utf-16-le").ljust(64, b"\0") + struct.pack("<H", 26)
    return target.getvalue().replace(old, new)


def xlsb() -> bytes:
    """The least records that a binary workbook needs."""
    book = (
        binary_record(131)
        + binary_record(143)
        + binary_record(156, struct.pack("<II", 0, 1) + binary_text("rId1") + binary_text("Births"))
        + binary_record(144)
        + binary_record(132)
    )
    rows = b"".join(_row(place, row) for place, row in enumerate((HEADER, *ROWS)))
    sheet = (
        binary_record(129)
        + binary_record(148, struct.pack("<IIII", 0, len(ROWS), 0, 3))
        + binary_record(145)
        + rows
        + binary_record(146)
        + binary_record(130)
    )
    return archive(
        {
            "[Content_Types].xml": _TYPES.encode(),
            "_rels/.rels": _relation("officeDocument", "xl/workbook.bin").encode(),
            "xl/workbook.bin": book,
            "xl/_rels/workbook.bin.rels": _relation("worksheet", "worksheets/sheet1.bin").encode(),
            "xl/worksheets/sheet1.bin": sheet,
        }
    )


def _row(place: int, cells: tuple[object, ...]) -> bytes:
    head = binary_record(0, struct.pack("<IIHBBBI", place, 0, 300, 0, 0, 0, 0))
    return head + b"".join(
        binary_record(6, struct.pack("<II", column, 0) + binary_text(cell))
        if isinstance(cell, str)
        else binary_record(5, struct.pack("<IId", column, 0, cell))
        for column, cell in enumerate(cells)
    )


def binary_text(text: str) -> bytes:
    """A text within a record of xlsb."""
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def binary_record(number: int, body: bytes = b"") -> bytes:
    """A record of xlsb."""
    length = len(body)
    size = bytearray()
    while length > 127:
        size.append(length & 127 | 128)
        length >>= 7
    size.append(length)
    head = bytes([number]) if number < 128 else bytes([number & 127 | 128, number >> 7])
    return head + bytes(size) + body


_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_TYPES = (
    f'{_XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="bin" '
    'ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/>'
    '<Override PartName="/xl/worksheets/sheet1.bin" '
    'ContentType="application/vnd.ms-excel.worksheet"/></Types>'
)


def _relation(kind: str, target: str) -> str:
    base = "http://schemas.openxmlformats.org"
    return (
        f'{_XML}<Relationships xmlns="{base}/package/2006/relationships"><Relationship Id="rId1" '
        f'Type="{base}/officeDocument/2006/relationships/{kind}" Target="{target}"/>'
        "</Relationships>"
    )


def book_file(
    name: str,
    make: Callable[[], bytes],
    verdict: Judgement,
    *reasons: str,
    kind: Kind = Kind.XLS,
    tables: tuple[Expected, ...] = (),
) -> Specimen:
    """A workbook under the name it should have."""
    suffix = "xlsb" if kind is Kind.XLSB else "xls"
    return Specimen(
        name,
        make,
        kind,
        verdict,
        file_name=f"births.{suffix}",
        declared="application/vnd.ms-excel",
        reasons=reasons,
        tables=tables,
    )


SPECIMENS = (
    book_file("xls", xls, Judgement.VALID, tables=(births(),)),
    book_file(
        "xls-dates",
        lambda: xls(dates=True),
        Judgement.VALID,
        tables=(
            Expected(
                rows=30,
                width=5,
                types={"Day": ColumnType.DATE},
                roles={"Day": ColumnRole.TIME},
            ),
        ),
    ),
    book_file("xls-empty", xls_empty, Judgement.DOCUMENT),
    book_file("xls-locked", xls_locked, Judgement.BROKEN, codes.ENCRYPTED),
    book_file("xls-truncated", lambda: xls()[:2_000], Judgement.BROKEN, codes.CUT_SHORT),
    book_file("xls-scrambled", xls_scrambled, Judgement.BROKEN, codes.CUT_SHORT),
    book_file("xlsb", xlsb, Judgement.VALID, kind=Kind.XLSB, tables=(births(),)),
    book_file(
        "xlsb-truncated",
        lambda: xlsb()[:-300],
        Judgement.BROKEN,
        codes.TRUNCATED,
        kind=Kind.XLSB,
    ),
    Specimen(
        "word-97",
        word_97,
        Kind.DOCUMENT,
        Judgement.DOCUMENT,
        file_name="note.doc",
        declared="application/msword",
        tables=(),
    ),
)
