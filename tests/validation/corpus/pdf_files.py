"""PDF: reports, tables, scans, and broken ones."""

import random
from collections.abc import Callable

from fpdf import FPDF
from fpdf.enums import AccessPermission, EncryptionMethod
from PIL import Image

from crawler.readers.kinds import Kind
from crawler.validation.outcome import ColumnType, Judgement
from tests.validation.corpus import codes
from tests.validation.corpus.deflated import zeros
from tests.validation.corpus.doubtful import PROSE, PROSE_FRENCH
from tests.validation.corpus.figures import HEADER, ROWS
from tests.validation.corpus.specimen import Expected, Specimen


def paper() -> FPDF:
    """An empty document."""
    document = FPDF()
    document.set_font("Helvetica", size=11)
    return document


def add_prose(document: FPDF, text: str = PROSE) -> None:
    """A page of text."""
    document.add_page()
    for part in text.split("\n\n"):
        document.multi_cell(0, 6, part.replace("\n", " "), new_x="LMARGIN", new_y="NEXT")
        document.ln(4)


def add_table(document: FPDF, rows: tuple[tuple[object, ...], ...] = ROWS) -> None:
    """A ruled table with its header."""
    with document.table() as table:
        for values in (HEADER, *rows):
            row = table.row()
            for value in values:
                row.cell(str(value))


def report() -> bytes:
    """Two pages of text in English."""
    document = paper()
    add_prose(document)
    add_prose(document, PROSE.replace("births", "deaths"))
    return bytes(document.output())


def french_report() -> bytes:
    """A page of text in French."""
    document = paper()
    add_prose(document, PROSE_FRENCH)
    return bytes(document.output())


def ruled() -> bytes:
    """Text, then a table."""
    document = paper()
    add_prose(document)
    document.add_page()
    add_table(document, ROWS[:20])
    return bytes(document.output())


def scan() -> bytes:
    """Three pages that are pictures."""
    document = paper()
    noise = random.Random(2)
    for _ in range(3):
        document.add_page()
        picture = Image.frombytes("L", (200, 280), noise.randbytes(200 * 280))
        document.image(picture, x=0, y=0, w=210, h=297)
    return bytes(document.output())


def blank() -> bytes:
    """A page with nothing on it."""
    document = paper()
    document.add_page()
    return bytes(document.output())


def locked(password: str | None) -> bytes:
    """Encrypted; without a password for readers everyone may open it."""
    document = paper()
    document.set_encryption(
        owner_password="owner",
        user_password=password,
        encryption_method=EncryptionMethod.RC4,
        permissions=AccessPermission.none(),
    )
    add_prose(document)
    return bytes(document.output())


def bomb() -> bytes:
    """A page whose content unpacks to 300 MB of blanks."""
    content = zeros(300, b" " * 1_000_000)
    packed = b"\x78\xda" + content.raw + content.adler.to_bytes(4, "big")
    return _document(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(packed), packed),
    )


def endless_pages() -> bytes:
    """A page tree that holds itself."""
    return _document(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 /Parent 2 0 R >>",
    )


def _document(*objects: bytes) -> bytes:
    body = bytearray(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    start = len(body)
    body += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    body += b"".join(b"%010d 00000 n \n" % place for place in places)
    body += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        start,
    )
    return bytes(body)


def pdf(
    name: str,
    make: Callable[[], bytes],
    verdict: Judgement = Judgement.DOCUMENT,
    *reasons: str,
    tables: tuple[Expected, ...] | None = (),
    pages: int | None = None,
    scanned: bool | None = None,
    language: str | None = None,
) -> Specimen:
    """A PDF under the name it should have."""
    return Specimen(
        name,
        make,
        Kind.PDF,
        verdict,
        file_name="report.pdf",
        declared="application/pdf",
        reasons=reasons,
        tables=tables,
        pages=pages,
        scanned=scanned,
        language=language,
    )


SPECIMENS = (
    pdf("pdf-report", report, pages=2, scanned=False, language="en"),
    pdf("pdf-report-french", french_report, pages=1, scanned=False, language="fr"),
    pdf(
        "pdf-table",
        ruled,
        Judgement.VALID,
        pages=2,
        scanned=False,
        tables=(
            Expected(
                rows=20,
                names=HEADER,
                types={"Year": ColumnType.INTEGER, "Births": ColumnType.INTEGER},
            ),
        ),
    ),
    pdf("pdf-scan", scan, Judgement.DOCUMENT, codes.SCANNED, pages=3, scanned=True),
    pdf("pdf-blank", blank, pages=1),
    pdf("pdf-locked", lambda: locked("user"), Judgement.BROKEN, codes.ENCRYPTED),
    pdf("pdf-locked-for-owner", lambda: locked(None), pages=1, language="en"),
    pdf("pdf-truncated", lambda: report()[:600], Judgement.BROKEN, codes.CUT_SHORT),
    pdf("pdf-head-only", lambda: b"%PDF-1.7\n", Judgement.BROKEN, codes.CUT_SHORT),
    pdf(
        "pdf-noise",
        lambda: b"%PDF-1.7\n" + random.Random(9).randbytes(5_000),
        Judgement.BROKEN,
        codes.CUT_SHORT,
    ),
    pdf("pdf-bomb", bomb, pages=1),
    pdf("pdf-endless-pages", endless_pages, Judgement.BROKEN, codes.CUT_SHORT),
)
