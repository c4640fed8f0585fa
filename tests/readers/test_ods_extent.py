"""A few bytes of an OpenDocument workbook cannot ask for any amount of memory."""

import io
import zipfile

import pytest

from crawler.readers.content import Trouble
from crawler.readers.kinds import Kind
from crawler.readers.unreadable import Unreadable
from crawler.readers.workbooks import read_workbook

NAMES = """xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2\""""
CELL = '<table:table-cell{} office:value-type="string"><text:p>{}</text:p></table:table-cell>'
COLUMNS = ' table:number-columns-repeated="{}"'
ROW = "<table:table-row{}>{}</table:table-row>"
ROWS = ' table:number-rows-repeated="{}"'


def ods(rows: str) -> bytes:
    """A workbook of one sheet."""
    body = f'<office:spreadsheet><table:table table:name="A">{rows}</table:table>'
    content = (
        f"<office:document-content {NAMES}><office:body>{body}</office:spreadsheet>"
        "</office:body></office:document-content>"
    )
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        kind = "application/vnd.oasis.opendocument.spreadsheet"
        archive.writestr("mimetype", kind, zipfile.ZIP_STORED)
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
    return target.getvalue()


@pytest.mark.parametrize(
    "rows",
    [
        ROW.format(ROWS.format(1_000_000), CELL.format(COLUMNS.format(16_000), "x")),
        ROW.format(ROWS.format(1_000_000).replace("=", " = "), CELL.format(COLUMNS.format(999), 1)),
        f"<!--{'z' * 4_100_000}-->"
        + ROW.format(ROWS.format(1_000_000), CELL.format(COLUMNS.format(16_000), "x")),
        ROW.format("", CELL.format("", "x"))
        + ROW.format(ROWS.format(1_000_000), "<table:table-cell/>")
        + ROW.format("", f"<table:table-cell{COLUMNS.format(16_000)}/>" + CELL.format("", "x")),
        ROW.format("", CELL.format("", "x") * 1000)
        + ROW.format(ROWS.format(1_000_000), "<table:table-cell/>")
        + ROW.format("", CELL.format("", "x")),
        ROW.format(
            ROWS.format(1_000_000),
            f'<table:table-cell{COLUMNS.format(999)} office:value-type="float" office:value="1"/>',
        ),
        ROW.format("", CELL.format(COLUMNS.format(1000), "x" * 1_000_000)),
    ],
    ids=["both", "blanks", "behind 4 MB", "corners", "gap of rows", "no content", "long text"],
)
def test_cells_that_come_very_often_are_not_opened(rows: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_workbook(io.BytesIO(ods(rows)), Kind.ODS)
    assert caught.value.trouble is Trouble.TOO_LARGE


def test_empty_cells_that_come_very_often_are_harmless() -> None:
    table = [("region", "births"), ("Nord", "1"), ("Sud", "2"), ("Est", "3")]
    rest = f"<table:table-cell{COLUMNS.format(16_382)}/>"
    rows = "".join(ROW.format("", CELL.format("", a) + CELL.format("", b) + rest) for a, b in table)
    rows += ROW.format(ROWS.format(1_048_572), f"<table:table-cell{COLUMNS.format(16_384)}/>")
    (read,) = read_workbook(io.BytesIO(ods(rows)), Kind.ODS)
    assert (read.rows, list(read.frame.columns)) == (3, ["region", "births"])
