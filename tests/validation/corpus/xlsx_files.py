"""Workbooks of Excel 2007 and later."""

import io
import zipfile
from collections.abc import Callable
from datetime import date

from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference

from crawler.readers.kinds import Kind
from crawler.validation.outcome import ColumnRole, ColumnType, Judgement
from tests.validation.corpus import codes
from tests.validation.corpus.figures import HEADER, ROWS, TYPES, births
from tests.validation.corpus.specimen import Before, Expected, Specimen

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
NOTES = ("Source: Office of Statistics.", "1) Provisional figures; to be revised next year.")


def saved(book: Workbook) -> bytes:
    """The workbook's bytes."""
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def plain_book() -> Workbook:
    """One sheet, a header, thirty rows."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Births"
    for row in (HEADER, *ROWS):
        sheet.append(row)
    return book


def plain() -> bytes:
    """A workbook as it should be."""
    return saved(plain_book())


def titled() -> bytes:
    """A title above, notes below."""
    book = Workbook()
    sheet = book.active
    sheet.append(["Table B-12: births by year and country"])
    sheet.append(["Office of Statistics, February 2024"])
    sheet.append([])
    for row in (HEADER, *ROWS):
        sheet.append(row)
    sheet.append([])
    for note in NOTES:
        sheet.append([note])
    return saved(book)


def merged_header() -> bytes:
    """Two header rows with merged cells."""
    book = Workbook()
    sheet = book.active
    sheet.append(["Year", "Country", "Births", None, "Rate", None])
    sheet.append([None, None, "Boys", "Girls", "Boys", "Girls"])
    for span in ("A1:A2", "B1:B2", "C1:D1", "E1:F1"):
        sheet.merge_cells(span)
    for year, country, number, rate in ROWS:
        sheet.append([year, country, number, number - 700, rate, rate + 0.1])
    return saved(book)


def several_sheets() -> bytes:
    """A cover, two tables, one of them hidden."""
    book = plain_book()
    cover = book.create_sheet("Contents", 0)
    cover.append(["Statistics of births"])
    hidden = book.create_sheet("Deaths")
    hidden.sheet_state = "hidden"
    hidden.append(["Year", "Deaths"])
    for year in range(2000, 2021):
        hidden.append([year, 500_000 + year])
    return saved(book)


def dated() -> bytes:
    """A column of dates."""
    book = Workbook()
    sheet = book.active
    sheet.append(["Day", "Country", "Cases"])
    for number in range(28):
        sheet.append([date(2021, 2, number + 1), "France", number * 10])
    return saved(book)


def with_errors() -> bytes:
    """Formulas that were never computed, and cells that say #REF!."""
    book = plain_book()
    sheet = book.active
    sheet["E1"] = "Share"
    for row in range(2, 32):
        sheet[f"E{row}"] = "#REF!" if row % 3 else 0.5
        if row % 3:
            sheet[f"E{row}"].data_type = "e"
    return saved(book)


def empty_sheets() -> bytes:
    """Three sheets with nothing on them."""
    book = Workbook()
    book.create_sheet("Second")
    book.create_sheet("Third")
    return saved(book)


def chart_only() -> bytes:
    """A chart sheet beside an empty one."""
    book = Workbook()
    chart = BarChart()
    chart.add_data(Reference(book.active, min_col=1, min_row=1, max_row=5))
    book.create_chartsheet("Chart").add_chart(chart)
    return saved(book)


def header_only() -> bytes:
    """A header without rows."""
    book = Workbook()
    book.active.append(HEADER)
    return saved(book)


def changed(part: str, change: Callable[[bytes], bytes]) -> bytes:
    """The plain workbook with one of its parts changed."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(plain())) as source, zipfile.ZipFile(target, "w") as copy:
        for name in source.namelist():
            body = source.read(name)
            copy.writestr(name, change(body) if name == part else body, zipfile.ZIP_DEFLATED)
    return target.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


def lying_dimension() -> bytes:
    """It says that all cells of the sheet are in use."""
    return changed(SHEET, lambda body: body.replace(b"A1:D31", b"A1:XFD1048576"))


def far_cell() -> bytes:
    """One cell in the last row and column of the sheet."""
    book = plain_book()
    book.active["XFD1048576"] = 1
    return saved(book)


def laughing() -> bytes:
    """A billion laughs in the sheet."""
    entities = b'<!ENTITY e0 "1">' + b"".join(
        b'<!ENTITY e%d "%b">' % (level, b"&e%d;" % (level - 1) * 10) for level in range(1, 10)
    )

    def change(body: bytes) -> bytes:
        start = body.index(b"<worksheet")
        head = b"<!DOCTYPE worksheet [" + entities + b"]>"
        return head + body[start:].replace(b"<v>2015</v>", b"<v>&e9;</v>", 1)

    return changed(SHEET, change)


def damaged() -> bytes:
    """The sheet's XML ends in the middle; the archive around it is sound."""
    return changed(SHEET, lambda body: body[: len(body) // 2])


def bomb() -> bytes:
    """A sheet of 100 MB that packs to 100 KB."""

    def change(body: bytes) -> bytes:
        filler = b'<row><c t="inlineStr"><is><t>' + b"A" * 4_000_000 + b"</t></is></c></row>"
        return body.replace(b"</sheetData>", filler * 25 + b"</sheetData>")

    return changed(SHEET, change)


def locked() -> bytes:
    """Encrypted with a password."""
    from msoffcrypto.format.ooxml import OOXMLFile

    target = io.BytesIO()
    OOXMLFile(io.BytesIO(plain())).encrypt("secret", target)
    return target.getvalue()


def good(name: str, make: Callable[[], bytes], *tables: Expected) -> Specimen:
    """A valid workbook."""
    return Specimen(
        name,
        make,
        Kind.XLSX,
        Judgement.VALID,
        file_name="births.xlsx",
        declared=XLSX,
        tables=tables,
    )


def other(
    name: str,
    make: Callable[[], bytes],
    verdict: Judgement,
    *reasons: str,
    kind: Kind = Kind.XLSX,
    file_name: str = "births.xlsx",
    tables: tuple[Expected, ...] | None = (),
    before: Before | None = None,
) -> Specimen:
    """Any other workbook."""
    return Specimen(
        name,
        make,
        kind,
        verdict,
        file_name=file_name,
        declared=XLSX,
        reasons=reasons,
        tables=tables,
        before=before,
    )


SPECIMENS = (
    good("xlsx", plain, births()),
    good("xlsx-title-and-notes", titled, births()),
    good(
        "xlsx-merged-header",
        merged_header,
        Expected(
            rows=30,
            names=(
                "Year",
                "Country",
                "Births / Boys",
                "Births / Girls",
                "Rate / Boys",
                "Rate / Girls",
            ),
            types={"Births / Boys": ColumnType.INTEGER, "Rate / Girls": ColumnType.NUMBER},
        ),
    ),
    good(
        "xlsx-several-sheets",
        several_sheets,
        births("Births"),
        Expected(rows=21, names=("Year", "Deaths"), table="Deaths"),
    ),
    good(
        "xlsx-dates",
        dated,
        Expected(
            rows=28,
            names=("Day", "Country", "Cases"),
            types={"Day": ColumnType.DATE},
            roles={"Day": ColumnRole.TIME},
            least={"Day": "2021-02-01"},
        ),
    ),
    good(
        "xlsx-error-cells",
        with_errors,
        Expected(rows=30, width=5, types={**TYPES, "Share": ColumnType.NUMBER}),
    ),
    good("xlsx-lying-dimension", lying_dimension, births()),
    other("xlsx-far-cell", far_cell, Judgement.BROKEN, f"{codes.TOO_LARGE}|{codes.BOMB}"),
    other("xlsx-empty-sheets", empty_sheets, Judgement.DOCUMENT),
    other("xlsx-chart-only", chart_only, Judgement.DOCUMENT),
    other(
        "xlsx-header-only",
        header_only,
        Judgement.SUSPECT,
        codes.NO_ROWS,
        tables=(Expected(rows=0, names=HEADER),),
    ),
    other("xlsx-truncated", lambda: plain()[:-2_000], Judgement.BROKEN, codes.TRUNCATED),
    other("xlsx-first-half", lambda: plain()[:2_500], Judgement.BROKEN, codes.TRUNCATED),
    other("xlsx-damaged-sheet", damaged, Judgement.BROKEN, codes.CUT_SHORT),
    other("xlsx-billion-laughs", laughing, Judgement.BROKEN, codes.BOMB),
    other("xlsx-bomb", bomb, Judgement.BROKEN, codes.BOMB),
    other("xlsx-locked", locked, Judgement.BROKEN, codes.ENCRYPTED),
    other(
        "xlsx-rows-collapsed",
        plain,
        Judgement.SUSPECT,
        codes.COLLAPSED,
        tables=(births(),),
        before=Before(5_000, HEADER),
    ),
    Specimen(
        "xlsx-called-csv",
        plain,
        Kind.XLSX,
        Judgement.SUSPECT,
        file_name="births.csv",
        declared="text/csv",
        reasons=(codes.OTHERWISE_DECLARED,),
        tables=(births(),),
    ),
    Specimen(
        "xlsx-called-xls",
        plain,
        Kind.XLSX,
        Judgement.VALID,
        file_name="births.xls",
        declared="application/vnd.ms-excel",
        tables=(births(),),
    ),
)
