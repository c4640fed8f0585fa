"""Styles of Excel cells: which row looks like the rows below it, and which numbers are labels."""

import io
import zipfile

from crawler.readers.reading import read_file
from crawler.readers.xlsx_styles import styles_of_xlsx
from tests.validation.corpus.sheets import Sheet, xlsx

ROWS = [["Region", 504, 601], ["North", 210, 331], ["South", 217, 336], ["East", 224, 332]]


def test_styles_are_known_by_sheet_row_and_column():
    book = xlsx([Sheet("A & B", ROWS, bold=(1,), figures_from=2)])
    styles = styles_of_xlsx(io.BytesIO(book))["A & B"]
    assert set(styles.rows[0]) == {0, 1, 2}
    assert styles.rows[0][1] in styles.general
    assert styles.rows[1][1] not in styles.general
    assert styles.rows[1][1] == styles.rows[3][2]


def test_numbers_without_a_format_name_the_columns_of_figures_that_have_one():
    for bold in ((), (1,)):
        formatted = xlsx([Sheet("Data", ROWS, bold=bold, figures_from=2)])
        assert _header(formatted) == ["Region", "504", "601"]


def test_numbers_like_those_below_stay_a_row():
    assert _header(xlsx([Sheet("Data", ROWS)])) == ["column 1", "column 2", "column 3"]


def test_workbook_with_broken_styles_is_read_without_them():
    source = zipfile.ZipFile(io.BytesIO(xlsx([Sheet("Data", ROWS, figures_from=2)])))
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in source.namelist():
            data = source.read(name)
            archive.writestr(name, b"<no" if name == "xl/_rels/workbook.xml.rels" else data)
    assert styles_of_xlsx(target) == {}
    assert styles_of_xlsx(io.BytesIO(b"PK\x03\x04 cut")) == {}


def _header(book: bytes) -> list[str]:
    return [str(name) for name in read_file(io.BytesIO(book), name="a.xlsx").table.frame.columns]
