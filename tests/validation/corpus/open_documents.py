"""OpenDocument: spreadsheets, texts; and the other kinds of text for people."""

import io
import random
import zipfile
from collections.abc import Callable
from datetime import date

from odf.opendocument import OpenDocumentSpreadsheet, OpenDocumentText
from odf.table import CoveredTableCell, Table, TableCell, TableRow
from odf.text import P

from crawler.lab.sites.files.csv_files import archive
from crawler.readers.kinds import Kind
from crawler.validation.outcome import ColumnType, Judgement
from tests.validation.corpus import codes
from tests.validation.corpus.doubtful import PROSE
from tests.validation.corpus.figures import HEADER, ROWS, births
from tests.validation.corpus.specimen import Expected, Specimen

ODS = "application/vnd.oasis.opendocument.spreadsheet"


def cell(value: object) -> TableCell:
    """A cell with its type."""
    if isinstance(value, date):
        made = TableCell(valuetype="date", datevalue=value.isoformat())
    elif isinstance(value, str):
        made = TableCell(valuetype="string")
    else:
        made = TableCell(valuetype="float", value=str(value))
    made.addElement(P(text=str(value)))
    return made


def sheet(name: str, *rows: tuple[object, ...]) -> Table:
    """A sheet of these rows."""
    made = Table(name=name)
    for values in rows:
        row = TableRow()
        for value in values:
            row.addElement(TableCell() if value is None else cell(value))
        made.addElement(row)
    return made


def saved(*sheets: Table) -> bytes:
    """The bytes of a spreadsheet."""
    document = OpenDocumentSpreadsheet()
    for made in sheets:
        document.spreadsheet.addElement(made)
    target = io.BytesIO()
    document.write(target)
    return target.getvalue()


def ods() -> bytes:
    """A spreadsheet as it should be."""
    return saved(sheet("Births", HEADER, *ROWS))


def ods_dates() -> bytes:
    """A column of dates."""
    days = ((date(2021, 2, number), "France", number * 10) for number in range(1, 29))
    return saved(sheet("Cases", ("Day", "Country", "Cases"), *days))


def ods_merged() -> bytes:
    """A title over all columns, then two header rows."""
    made = Table(name="Births")
    title = TableRow()
    over = TableCell(valuetype="string", numbercolumnsspanned="4")
    over.addElement(P(text="Births by year and country"))
    title.addElement(over)
    for _ in range(3):
        title.addElement(CoveredTableCell())
    made.addElement(title)
    made.addElement(TableRow())
    for values in (HEADER, *ROWS):
        row = TableRow()
        for value in values:
            row.addElement(cell(value))
        made.addElement(row)
    return saved(made)


def changed(change: Callable[[bytes], bytes]) -> bytes:
    """The spreadsheet with its content changed."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(ods())) as source, zipfile.ZipFile(target, "w") as copy:
        for name in source.namelist():
            body = source.read(name)
            method = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            copy.writestr(name, change(body) if name == "content.xml" else body, method)
    return target.getvalue()


def repeated_cells() -> bytes:
    """A value a million times across, a million times down."""

    def change(body: bytes) -> bytes:
        bomb = (
            b'<table:table-row table:number-rows-repeated="1000000"><table:table-cell '
            b'table:number-columns-repeated="1000000" office:value-type="float" office:value="1">'
            b"<text:p>1</text:p></table:table-cell></table:table-row>"
        )
        return body.replace(b"</table:table>", bomb + b"</table:table>", 1)

    return changed(change)


def repeated_blanks() -> bytes:
    """Blank cells to the edge of the sheet, as every office suite writes them."""

    def change(body: bytes) -> bytes:
        blank = (
            b'<table:table-row table:number-rows-repeated="1048500"><table:table-cell '
            b'table:number-columns-repeated="16384"/></table:table-row>'
        )
        return body.replace(b"</table:table>", blank + b"</table:table>", 1)

    return changed(change)


def laughing() -> bytes:
    """A billion laughs in the content."""
    entities = b'<!ENTITY e0 "1">' + b"".join(
        b'<!ENTITY e%d "%b">' % (level, b"&e%d;" % (level - 1) * 10) for level in range(1, 10)
    )

    def change(body: bytes) -> bytes:
        start = body.index(b"<office:document-content")
        head = b"<!DOCTYPE x [" + entities + b"]>"
        return head + body[start:].replace(b"<text:p>France", b"<text:p>&e9;", 1)

    return changed(change)


def locked() -> bytes:
    """Encrypted: the manifest says how, the content is noise."""
    manifest = (
        '<?xml version="1.0" encoding="UTF-8"?><manifest:manifest '
        'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" '
        'manifest:version="1.2"><manifest:file-entry manifest:full-path="/" '
        f'manifest:media-type="{ODS}"/><manifest:file-entry manifest:full-path="content.xml" '
        'manifest:media-type="text/xml" manifest:size="9000"><manifest:encryption-data '
        'manifest:checksum-type="SHA1/1K" manifest:checksum="AAAA"><manifest:algorithm '
        'manifest:algorithm-name="Blowfish CFB" manifest:initialisation-vector="AAAA"/>'
        '<manifest:key-derivation manifest:key-derivation-name="PBKDF2" '
        'manifest:iteration-count="1024" manifest:salt="AAAA"/></manifest:encryption-data>'
        "</manifest:file-entry></manifest:manifest>"
    )
    noise = random.Random(8).randbytes(3_000)
    return archive(
        {
            "mimetype": ODS.encode(),
            "content.xml": noise,
            "META-INF/manifest.xml": manifest.encode(),
        },
        stored=("mimetype", "content.xml"),
    )


def odt() -> bytes:
    """A text document."""
    document = OpenDocumentText()
    for line in PROSE.split("\n\n"):
        document.text.addElement(P(text=line.replace("\n", " ")))
    target = io.BytesIO()
    document.write(target)
    return target.getvalue()


def docx() -> bytes:
    """The least of a Word document."""
    space = "http://schemas.openxmlformats.org"
    paragraphs = "".join(
        f"<w:p><w:r><w:t>{part.replace(chr(10), ' ')}</w:t></w:r></w:p>"
        for part in PROSE.split("\n\n")
    )
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    return archive(
        {
            "[Content_Types].xml": (
                f'<Types xmlns="{space}/package/2006/content-types"><Default Extension="xml" '
                f'ContentType="{main}"/><Default Extension="rels" ContentType='
                '"application/vnd.openxmlformats-package.relationships+xml"/></Types>'
            ).encode(),
            "_rels/.rels": (
                f'<Relationships xmlns="{space}/package/2006/relationships"><Relationship Id="r1" '
                f'Type="{space}/officeDocument/2006/relationships/officeDocument" '
                'Target="word/document.xml"/></Relationships>'
            ).encode(),
            "word/document.xml": (
                f'<w:document xmlns:w="{space}/wordprocessingml/2006/main"><w:body>{paragraphs}'
                "</w:body></w:document>"
            ).encode(),
        }
    )


def rtf() -> bytes:
    """A rich text."""
    text = PROSE.replace("\n\n", "\\par\n")
    return (
        "{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Times New Roman;}}\\f0\\fs24 " + text + "}"
    ).encode()


def spreadsheet(
    name: str,
    make: Callable[[], bytes],
    verdict: Judgement,
    *reasons: str,
    tables: tuple[Expected, ...] = (),
) -> Specimen:
    """A spreadsheet under the name it should have."""
    return Specimen(
        name,
        make,
        Kind.ODS,
        verdict,
        file_name="births.ods",
        declared=ODS,
        reasons=reasons,
        tables=tables,
    )


SPECIMENS = (
    spreadsheet("ods", ods, Judgement.VALID, tables=(births(),)),
    spreadsheet(
        "ods-dates",
        ods_dates,
        Judgement.VALID,
        tables=(
            Expected(rows=28, names=("Day", "Country", "Cases"), types={"Day": ColumnType.DATE}),
        ),
    ),
    spreadsheet("ods-merged-title", ods_merged, Judgement.VALID, tables=(births(),)),
    spreadsheet("ods-repeated-blanks", repeated_blanks, Judgement.VALID, tables=(births(),)),
    spreadsheet(
        "ods-repeated-cells", repeated_cells, Judgement.BROKEN, f"{codes.BOMB}|{codes.TOO_LARGE}"
    ),
    spreadsheet("ods-empty", lambda: saved(Table(name="Sheet1")), Judgement.DOCUMENT),
    spreadsheet("ods-truncated", lambda: ods()[:-500], Judgement.BROKEN, codes.TRUNCATED),
    spreadsheet("ods-billion-laughs", laughing, Judgement.BROKEN, codes.BOMB),
    spreadsheet("ods-locked", locked, Judgement.BROKEN, codes.ENCRYPTED),
)
SPECIMENS += tuple(
    Specimen(
        name,
        make,
        Kind.DOCUMENT,
        Judgement.DOCUMENT,
        file_name=f"note.{name}",
        tables=(),
        language="en",
    )
    for name, make in (("odt", odt), ("docx", docx), ("rtf", rtf))
)
