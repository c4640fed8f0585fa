"""PDF files: tables only where they leave no doubt, else a document with its text."""

import io

import pytest
from fpdf import FPDF
from PIL import Image

from crawler.readers.content import Content, Trouble
from crawler.readers.pdf import read_pdf
from crawler.readers.unreadable import Unreadable
from tests.readers.pdf_pages import REGIONS, document, figures, write_columns, write_prose


def read(made: FPDF) -> Content:
    return read_pdf(io.BytesIO(bytes(made.output())))


@pytest.mark.parametrize("border", [0, 1], ids=["aligned", "ruled"])
def test_table_between_paragraphs_is_found(border):
    made = document()
    write_prose(made)
    write_columns(made, figures(), border=border)
    write_prose(made)
    (table,) = read(made).tables
    assert table.name == "page 1"
    assert list(table.frame.columns) == ["Region", "2021", "2022", "2023"]
    assert table.frame["Region"].tolist() == list(REGIONS)
    assert table.frame["2021"].tolist() == [1000 + 37 * at for at in range(8)]


def test_table_that_goes_on_on_the_next_page_is_one():
    made = document()
    write_columns(made, figures(), border=1)
    made.add_page()
    write_columns(made, figures(5), border=1)
    (table,) = read(made).tables
    assert table.rows == len(table.frame) == 16


def test_report_of_a_printer_has_its_header_above_a_line_of_dashes():
    made = document()
    made.set_font("Courier", size=9)
    lines = [
        "Births by quarter, annual report",
        f"{'Period':<10}{'Upper Coast':>16}{'Sainte-Aude':>16}",
    ]
    lines += ["-" * 42, *(f"{year:<10}{14 * year:>16}{3 * year:>16}" for year in range(1991, 2011))]
    for line in lines:
        made.cell(0, 4, line, new_x="LMARGIN", new_y="NEXT")
    (table,) = read(made).tables
    assert list(table.frame.columns) == ["Period", "Upper Coast", "Sainte-Aude"]
    assert table.frame["Period"].tolist() == list(range(1991, 2011))


def test_header_of_two_lines_is_joined():
    made = document()
    write_columns(made, [["", "Births", "", "Deaths"], *figures()])
    (table,) = read(made).tables
    names = ["Region", "Births / 2021", "Births / 2022", "Deaths / 2023"]
    assert list(table.frame.columns) == names


def test_decimal_commas_and_missing_values_are_read():
    made = document()
    rows = [
        [name, f"{at + 1} 234,5", ".." if at == 2 else f"{at},25"]
        for at, name in enumerate(REGIONS)
    ]
    write_columns(made, [["Région", "2022", "2023"], *rows])
    (table,) = read(made).tables
    assert table.frame["2022"].tolist()[0] == 1234.5
    assert table.frame["2023"].isna().sum() == 1


def prose(made: FPDF) -> None:
    write_prose(made, 8)


def contents(made: FPDF) -> None:
    for number in range(30):
        made.cell(150, 6, f"Chapter {number}: births in 20{10 + number % 10}")
        made.cell(20, 6, str(3 * number), align="R")
        made.ln(6)


def box(made: FPDF) -> None:
    made.multi_cell(100, 6, "In brief\n1 child in 2, 3 in 4, 5 in 6, 7 in 8, 9 in 10", border=1)


@pytest.mark.parametrize("write", [prose, contents, box])
def test_what_only_looks_like_a_table_is_none(write):
    made = document()
    write(made)
    content = read(made)
    assert content.tables == ()
    assert content.paper is not None
    assert content.paper.pages == 1
    assert content.paper.characters > 50
    assert not content.paper.scanned


def test_pictures_of_pages_are_a_scan():
    made = FPDF()
    for shade in (10, 200):
        made.add_page()
        made.image(Image.new("L", (100, 140), shade), x=0, y=0, w=210, h=297)
    paper = read(made).paper
    assert paper is not None
    assert (paper.pages, paper.scanned, paper.characters) == (2, True, 0)


def test_blank_page_is_no_scan():
    paper = read(document()).paper
    assert paper is not None
    assert not paper.scanned


@pytest.mark.parametrize(
    ("password", "trouble"), [("secret", Trouble.ENCRYPTED), (None, None)], ids=["user", "owner"]
)
def test_only_a_password_for_readers_keeps_out(password, trouble):
    made = FPDF()
    made.set_encryption(owner_password="owner", user_password=password)
    made.set_font("Helvetica", size=10)
    made.add_page()
    write_prose(made)
    try:
        found = read(made).trouble
    except Unreadable as error:
        found = error.trouble
    assert found is trouble


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_truncated_file_is_told(share):
    made = document()
    write_prose(made)
    data = bytes(made.output())
    with pytest.raises(Unreadable) as told:
        read_pdf(io.BytesIO(data[: int(len(data) * share)]))
    assert told.value.trouble in (Trouble.TRUNCATED, Trouble.CORRUPT)
