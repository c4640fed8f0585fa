"""Workbooks: titles above, notes below, merged headers, sheets beside each other."""

import datetime
import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import openpyxl
import pytest
import xlwt
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.errors import NotATable
from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import Table, Trouble
from crawler.readers.kinds import Kind
from crawler.readers.unreadable import Unreadable
from crawler.readers.workbooks import read_workbook

Rows = Sequence[Sequence[Any]]
BODY: Rows = [["Nord", 12, 1.5], ["Sud", 9, 2.5], ["Est", 7, 3.5], ["Ouest", 5, 4.5]]
HEADER = ["region", "births", "rate"]
DAY = datetime.date(2024, 2, 29)


def xlsx(sheets: dict[str, Rows], change: Callable[[Any], None] | None = None) -> bytes:
    book = openpyxl.Workbook()
    del book["Sheet"]
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    if change is not None:
        change(book)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def xls(sheets: dict[str, Rows]) -> bytes:
    book = xlwt.Workbook()
    style = xlwt.easyxf(num_format_str="YYYY-MM-DD")
    for name, rows in sheets.items():
        sheet = book.add_sheet(name)
        for at, row in enumerate(rows):
            for place, cell in enumerate(row):
                if cell is not None:
                    plain = not isinstance(cell, datetime.date)
                    sheet.write(at, place, cell, *(() if plain else (style,)))
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def read(data: bytes, bounds: Bounds = DEFAULT_BOUNDS, **options: Any) -> list[Table]:
    kind = Kind.XLS if data.startswith(b"\xd0\xcf") else Kind.XLSX
    return read_workbook(io.BytesIO(data), kind, bounds, **options)


def only(data: bytes, bounds: Bounds = DEFAULT_BOUNDS) -> Table:
    (table,) = read(data, bounds)
    return table


@pytest.mark.parametrize("make", [xlsx, xls])
def test_table_is_read_with_its_types(make):
    rows = [[*HEADER, "day"], *[[*row, DAY] for row in BODY]]
    table = only(make({"Births": rows}))
    assert list(table.frame.columns) == [*HEADER, "day"]
    assert table.frame["births"].tolist() == [12, 9, 7, 5]
    assert str(table.frame["births"].dtype) == "int64"
    assert table.frame["rate"].tolist() == [1.5, 2.5, 3.5, 4.5]
    assert str(table.frame["day"].dtype).startswith("datetime64")
    assert table.frame["day"].dt.date.tolist() == [DAY] * 4
    assert (table.name, table.rows, table.cut, table.has_header) == ("Births", 4, False, True)


@pytest.mark.parametrize("make", [xlsx, xls])
def test_titles_and_notes_are_not_rows(make):
    rows = [
        ["Births by region"],
        ["Office of Statistics"],
        [],
        HEADER,
        *BODY,
        [],
        ["Source: Office of Statistics"],
        ["1) Provisional"],
    ]
    table = only(make({"Births": rows}))
    assert list(table.frame.columns) == HEADER
    assert table.rows == 4
    assert table.footnotes == ("Source: Office of Statistics", "1) Provisional")


def test_merged_cells_stand_over_exactly_their_columns():
    rows = [
        ["region", "births", None, None],
        [None, "boys", "girls", "deaths"],
        *[[name, count, count + 1, count + 2] for name, count, _ in BODY],
    ]

    def merge(book: Any) -> None:
        book["A"].merge_cells("A1:A2")
        book["A"].merge_cells("B1:C1")

    names = ["region", "births / boys", "births / girls", "deaths"]
    assert list(only(xlsx({"A": rows}, merge)).frame.columns) == names


def test_label_merged_over_rows_belongs_to_each():
    rows = [["region", "sex", "births"], ["Nord", "m", 1], [None, "f", 2], ["Sud", "m", 3]]
    data = xlsx({"A": rows}, lambda book: book["A"].merge_cells("A2:A3"))
    assert only(data).frame["region"].tolist() == ["Nord", "Nord", "Sud"]


def test_years_name_columns():
    rows = [["region", 2022, 2023], *[[name, count, count * 2] for name, count, _ in BODY]]
    table = only(xlsx({"A": rows}))
    assert list(table.frame.columns) == ["region", "2022", "2023"]
    assert table.rows == 4


def test_marks_for_no_value_leave_a_column_of_numbers():
    rows = [HEADER, *BODY, ["Centre", "..", "#N/A"], ["Littoral", "-", 5.5]]
    frame = only(xlsx({"A": rows})).frame
    assert str(frame["births"].dtype) == "float64"
    assert frame["births"].isna().sum() == 2
    assert frame["rate"].isna().sum() == 1


def test_numbers_saved_as_texts_are_numbers_and_codes_stay_texts():
    rows = [["code", "births"], *[[f"0{at}", f"1 23{at},5"] for at in range(5)]]
    frame = only(xlsx({"A": rows})).frame
    assert frame["code"].tolist() == ["00", "01", "02", "03", "04"]
    assert frame["births"].tolist() == [1230.5, 1231.5, 1232.5, 1233.5, 1234.5]


def test_header_that_is_said_again_is_no_row():
    table = only(xlsx({"A": [HEADER, *BODY, HEADER, *BODY]}))
    assert (table.rows, table.repeated_headers) == (8, 1)
    assert str(table.frame["births"].dtype) == "int64"


@pytest.mark.parametrize("make", [xlsx, xls])
def test_every_sheet_with_figures_is_a_table(make):
    sheets = {
        "Cover": [["Births and deaths"], ["Office"]],
        "Notes": [["term", "meaning"], ["birth", "of a child"], ["death", "of anyone"]],
        "Births": [HEADER, *BODY],
        "Deaths": [HEADER, *BODY],
    }
    assert [table.name for table in read(make(sheets))] == ["Births", "Deaths"]
    (notes,) = read(make(sheets), sheet="Notes")
    assert notes.rows == 2
    assert [table.name for table in read(make(sheets), sheet=2)] == ["Births"]
    with pytest.raises(NotATable, match="has no sheet 'Other', but Cover, Notes"):
        read(make(sheets), sheet="Other")


def test_hidden_sheet_is_read():
    def hide(book: Any) -> None:
        book["B"].sheet_state = "hidden"

    data = xlsx({"A": [HEADER, *BODY], "B": [HEADER, *BODY]}, hide)
    assert [table.name for table in read(data)] == ["A", "B"]


def test_sheet_of_words_is_a_table_when_there_is_no_other():
    table = only(xlsx({"A": [["code", "label"], ["FR", "France"], ["DE", "Germany"]]}))
    assert table.frame["label"].tolist() == ["France", "Germany"]


def test_header_alone_is_a_table_without_rows():
    table = only(xlsx({"A": [HEADER]}))
    assert (table.rows, list(table.frame.columns)) == (0, HEADER)


@pytest.mark.parametrize("rows", [[], [["Only a title"]], [["One"], ["column"], ["of words"]]])
def test_sheet_without_a_table_gives_none(rows):
    assert read(xlsx({"A": rows})) == []


def test_rows_and_tables_are_bounded():
    sheets = {name: [HEADER, *[[f"r{at}", at, at / 2] for at in range(500)]] for name in "ABCD"}
    bounds = replace(DEFAULT_BOUNDS, rows=100, tables=2)
    tables = read(xlsx(sheets), bounds)
    assert [table.name for table in tables] == ["A", "B"]
    assert [len(table.frame) for table in tables] == [100, 100]
    assert all(table.cut and table.rows == 500 for table in tables)


def test_cells_are_bounded_over_all_sheets():
    sheets = {name: [HEADER, *[[f"r{at}", at, at / 2] for at in range(500)]] for name in "ABCD"}
    tables = read(xlsx(sheets), replace(DEFAULT_BOUNDS, cells=1800))
    assert sum(table.frame.size for table in tables) <= 1800


def trouble_of(data: bytes, bounds: Bounds = DEFAULT_BOUNDS) -> Trouble | None:
    try:
        read(data, bounds)
    except Unreadable as error:
        return error.trouble
    return None


def test_cell_in_the_last_corner_is_not_opened():
    def stray(book: Any) -> None:
        book["A"]["XFD1048576"] = 1

    assert trouble_of(xlsx({"A": [HEADER, *BODY]}, stray)) is Trouble.TOO_LARGE


def test_styled_cell_without_a_value_does_no_harm():
    def style(book: Any) -> None:
        book["A"]["XFD1048576"].font = openpyxl.styles.Font(bold=True)

    assert only(xlsx({"A": [HEADER, *BODY]}, style)).rows == 4


def test_old_workbook_that_is_no_container_is_told():
    data = b"\x09\x08\x10\x00" + bytes(4000)
    with pytest.raises(Unreadable) as told:
        read_workbook(io.BytesIO(data), Kind.XLS)
    assert told.value.trouble is Trouble.UNSUPPORTED


@pytest.mark.parametrize("make", [xlsx, xls])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.95])
def test_truncated_workbook_is_told(make, share):
    data = make({"A": [HEADER, *[[f"r{at}", at, at / 2] for at in range(300)]]})
    cut = data[: int(len(data) * share)]
    assert trouble_of(cut) in (Trouble.TRUNCATED, Trouble.CORRUPT)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from([xlsx, xls]), st.integers(0, 10**6), st.binary(min_size=1, max_size=4))
def test_changed_bytes_give_a_table_or_a_trouble(make, place, change):
    data = bytearray(make({"A": [HEADER, *BODY]}))
    at = place % len(data)
    data[at : at + len(change)] = change
    kind = Kind.XLSX if make is xlsx else Kind.XLS
    try:
        read_workbook(io.BytesIO(bytes(data)), kind)
    except Unreadable as error:
        assert error.detail  # noqa: PT017
