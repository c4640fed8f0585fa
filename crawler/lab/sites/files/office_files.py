"""Spreadsheets: the least that OOXML and OpenDocument allow, which every reader opens."""

from xml.sax.saxutils import escape

from crawler.lab.sites.files.csv_files import archive
from crawler.lab.sites.files.figures import Cube

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SHEET_NS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_REL_NS = "http://schemas.openxmlformats.org/package/2006/relationships"
_DOC_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_ODS_MIME = "application/vnd.oasis.opendocument.spreadsheet"
_ODS_NS = "urn:oasis:names:tc:opendocument:xmlns"


def xlsx(cube: Cube) -> bytes:
    """An Excel workbook with one sheet: title, heading, one row per period."""
    header = (cube.labels[0], *(name for _, name in cube.regions))
    rows = [_xlsx_row(1, [_inline(f"{cube.code}: {cube.title}")])]
    rows.append(_xlsx_row(3, [_inline(text) for text in header]))
    for number, (period, values) in enumerate(zip(cube.periods, cube.values, strict=True), start=4):
        cells = [_inline(period), *(f"<c><v>{cube.text(value)}</v></c>" for value in values)]
        rows.append(_xlsx_row(number, cells))
    sheet = (
        f'{_XML}<worksheet xmlns="{_SHEET_NS}"><sheetData>{"".join(rows)}</sheetData></worksheet>'
    )
    return archive(
        {
            "[Content_Types].xml": _CONTENT_TYPES.encode(),
            "_rels/.rels": _relationship("officeDocument", "xl/workbook.xml"),
            "xl/workbook.xml": _WORKBOOK.encode(),
            "xl/_rels/workbook.xml.rels": _relationship("worksheet", "worksheets/sheet1.xml"),
            "xl/worksheets/sheet1.xml": sheet.encode(),
        }
    )


def ods(cube: Cube) -> bytes:
    """An OpenDocument spreadsheet with one table: title, heading, one row per period."""
    header = (cube.labels[0], *(name for _, name in cube.regions))
    rows = [_ods_row([_ods_text(f"{cube.code}: {cube.title}")])]
    rows.append(_ods_row([_ods_text(text) for text in header]))
    for period, values in zip(cube.periods, cube.values, strict=True):
        numbers = (cube.text(value) for value in values)
        rows.append(_ods_row([_ods_text(period), *(_ods_number(number) for number in numbers)]))
    content = (
        f'{_XML}<office:document-content xmlns:office="{_ODS_NS}:office:1.0" '
        f'xmlns:table="{_ODS_NS}:table:1.0" xmlns:text="{_ODS_NS}:text:1.0" '
        'office:version="1.2"><office:body><office:spreadsheet>'
        f'<table:table table:name="{escape(cube.code)}">{"".join(rows)}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    # OpenDocument wants the media type first and unpacked, so that it shows at byte 38.
    members = {
        "mimetype": _ODS_MIME.encode(),
        "content.xml": content.encode(),
        "META-INF/manifest.xml": _MANIFEST.encode(),
    }
    return archive(members, stored=("mimetype",))


def _xlsx_row(number: int, cells: list[str]) -> str:
    return f'<row r="{number}">{"".join(cells)}</row>'


def _inline(text: str) -> str:
    return f'<c t="inlineStr"><is><t>{escape(text)}</t></is></c>'


def _ods_row(cells: list[str]) -> str:
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


def _ods_text(text: str) -> str:
    return (
        '<table:table-cell office:value-type="string">'
        f"<text:p>{escape(text)}</text:p></table:table-cell>"
    )


def _ods_number(number: str) -> str:
    return (
        f'<table:table-cell office:value-type="float" office:value="{number}">'
        f"<text:p>{number}</text:p></table:table-cell>"
    )


def _relationship(kind: str, target: str) -> bytes:
    link = f'<Relationship Id="rId1" Type="{_DOC_REL}/{kind}" Target="{target}"/>'
    return f'{_XML}<Relationships xmlns="{_REL_NS}">{link}</Relationships>'.encode()


_CONTENT_TYPES = (
    f'{_XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_SPREADSHEET}.sheet.main+xml"/>'
    '<Override PartName="/xl/worksheets/sheet1.xml" '
    f'ContentType="{_SPREADSHEET}.worksheet+xml"/></Types>'
)
_WORKBOOK = (
    f'{_XML}<workbook xmlns="{_SHEET_NS}" xmlns:r="{_DOC_REL}"><sheets>'
    '<sheet name="Table" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
_MANIFEST = (
    f'{_XML}<manifest:manifest xmlns:manifest="{_ODS_NS}:manifest:1.0" manifest:version="1.2">'
    f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{_ODS_MIME}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
    "</manifest:manifest>"
)
