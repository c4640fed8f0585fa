"""Tables in text, as offices and their programs write them."""

import io

import pytest

from crawler.readers.content import Table
from crawler.readers.delimited import read_delimited
from crawler.readers.kinds import Kind


def table_of(text: str | bytes, encoding: str = "utf-8") -> Table:
    data = text if isinstance(text, bytes) else text.encode(encoding)
    content = read_delimited(io.BytesIO(data))
    assert content.kind is Kind.DELIMITED
    return content.tables[0]


def cells(table: Table) -> dict[str, list[object]]:
    # A gap differs from itself, and None does not.
    frame = table.frame.astype(object).where(table.frame.notna(), None)
    return {str(name): frame[name].tolist() for name in frame.columns}


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b\nx,1\ny,2\n", ","),
        ("a;b\nx;1\ny;2\n", ";"),
        ("a\tb\nx\t1\ny\t2\n", "\t"),
        ("a|b\nx|1\ny|2\n", "|"),
        ("a b\nx 1\ny 2\nz 3\n", " "),
        ("a    b\nx      1\ny      2\n z     3\n", " "),
    ],
)
def test_delimiter_is_found(text, delimiter):
    table = table_of(text)
    assert table.dialect is not None
    assert table.dialect.delimiter == delimiter
    assert cells(table)["b"][:2] == [1, 2]


def test_names_with_blanks_stand_in_columns_of_blanks():
    text = "Region          2019    2020\nNorth America    1.5     2.5\n"
    text += "South America    3.5     4.5\nAfrica           5.5     6.5\n"
    found = cells(table_of(text))
    assert found["Region"] == ["North America", "South America", "Africa"]
    assert found["2020"] == [2.5, 4.5, 6.5]


def test_tabs_win_over_commas_within_values():
    found = cells(
        table_of("freq,unit,geo\\TIME\t2012 \t2013 \nA,NR,FR\t1.5 \t2 \nA,NR,DE\t: \t3 \n")
    )
    assert found["2012"] == [1.5, None]
    assert found["2013"] == [2, 3]


def test_bars_at_both_ends_make_no_columns():
    assert cells(table_of("| a | b |\n| 1 | 2 |\n| 3 | 4 |\n")) == {"a": [1, 3], "b": [2, 4]}


def test_delimiters_at_line_ends_make_no_columns():
    assert cells(table_of("a,b,\n1,2,\n3,4,\n")) == {"a": [1, 3], "b": [2, 4]}


def test_quotes_hold_delimiters_line_ends_and_quotes():
    found = cells(table_of('a,b\n"x, y","line\nline"\n"z ""q""",w\n'))
    assert found == {"a": ["x, y", 'z "q"'], "b": ["line\nline", "w"]}


def test_blanks_before_quotes_are_no_part_of_values():
    assert cells(table_of('a, "b", c\n1, "x, y", 3\n4, "z", 6\n'))["b"] == ["x, y", "z"]


def test_quote_that_is_never_closed_costs_no_rows():
    assert cells(table_of('a,b\n1,"x\n2,y\n3,z\n'))["a"] == [1, 2, 3]
    assert cells(table_of('a,b\n1,5" pipe\n2,6" pipe\n'))["b"] == ['5" pipe', '6" pipe']


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_system_are_known(end):
    assert cells(table_of(end.join(["a,b", "1,2", "3,4", ""]))) == {"a": [1, 3], "b": [2, 4]}


@pytest.mark.parametrize(
    ("text", "titles", "blank"),
    [
        ("Source: Office\n\nRegion;2019;2020\nA;1;2\nB;3;4\n", 1, 1),
        ("Title;;\n;;\nUpdated: 2021;;\nRegion;2019;2020\nA;1;2\nB;3;4\n", 2, 1),
        ("sep=;\nRegion;2019;2020\nA;1;2\nB;3;4\n", 1, 0),
        ("# a comment\n# another\nRegion;2019;2020\nA;1;2\n# between\nB;3;4\n", 3, 0),
    ],
)
def test_lines_before_the_table_are_counted_and_left_out(text, titles, blank):
    table = table_of(text)
    assert cells(table) == {"Region": ["A", "B"], "2019": [1, 3], "2020": [2, 4]}
    assert (table.ledger.titles, table.ledger.blank) == (titles, blank)
    assert [line.taken_for for line in table.dropped] == ["title"] * titles


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            ",,Men,,Women,\nRegion,Code,2019,2020,2019,2020\nA,x,1,2,3,4\nB,y,5,6,7,8\n",
            ["Region", "Code", "Men / 2019", "Men / 2020", "Women / 2019", "Women / 2020"],
        ),
        (
            "Region;Pop;Area\n;persons;km2\nA;1;2,5\nB;3;4,5\n",
            ["Region", "Pop / persons", "Area / km2"],
        ),
        (
            "T,,,,\n,Men,,Women,\n,Number,%,Number,%\nRegion,n,p,n,p\nA,1,2.5,3,4.5\nB,5,6.5,7,8\n",
            ["Region", "Men / Number / n", "Men / % / p", "Women / Number / n", "Women / % / p"],
        ),
    ],
)
def test_several_header_lines_are_joined(text, names):
    table = table_of(text)
    assert list(table.frame.columns) == names
    assert table.rows == 2


@pytest.mark.parametrize(
    "header",
    ["Region;2019;2020", "Region;2019-Q1;2019-Q2", "Region;Jan 2020;Feb 2020", "Region;1;2"],
)
def test_periods_and_numbers_can_name_columns(header):
    table = table_of(f"{header}\nA;17;3\nB;4;99\nC;6;7\n")
    if header == "Region;1;2":
        # Two numbers under each other are more likely values.
        assert not table.has_header
    else:
        assert list(table.frame.columns) == header.split(";")


@pytest.mark.parametrize("text", ["1,2,3\n4,5,6\n7,8,9\n", "Paris,12,13\nLyon,14,15\nNice,1,7\n"])
def test_missing_header_is_told(text):
    table = table_of(text)
    assert not table.has_header
    assert list(table.frame.columns) == ["column 1", "column 2", "column 3"]
    assert table.rows == 3


def test_name_of_the_first_column_may_be_missing():
    assert cells(table_of("a,b\nx,1,2\ny,3,4\nz,5,6\n")) == {
        "column 1": ["x", "y", "z"],
        "a": [1, 3, 5],
        "b": [2, 4, 6],
    }


def test_names_in_a_comment_are_names():
    assert cells(table_of("#a,b\n1,2\n3,4\n5,6\n")) == {"a": [1, 3, 5], "b": [2, 4, 6]}


def test_repeated_names_are_told_and_told_apart():
    table = table_of("Year,Births,Births\n2019,1,2\n2020,3,4\n")
    assert list(table.frame.columns) == ["Year", "Births", "Births_3"]
    assert table.repeated_names == ("Births",)


def test_headings_of_sections_stay_in_the_table():
    found = cells(
        table_of("Region;Pop;Area\nEUROPE;;\nFrance;67;5\nItaly;60;3\nASIA;;\nJapan;1;3\n")
    )
    assert found["Region"] == ["EUROPE", "France", "Italy", "ASIA", "Japan"]


@pytest.mark.parametrize(
    ("below", "notes"),
    [
        ("\nSource: Office, 2022\n", ("Source: Office, 2022",)),
        ("* provisional;\n(1) revised; see text\n", ("* provisional", "(1) revised see text")),
        (";;\nNote: x;;\n", ("Note: x",)),
        ("注1) 各年10月1日現在\n資料: 総務省\n", ("注1) 各年10月1日現在", "資料: 総務省")),
        ("© Office;all rights\n", ("© Office all rights",)),
    ],
)
def test_footnotes_are_told_and_no_rows(below, notes):
    table = table_of(f"Region;2019;2020\nA;1;2\nB;3;4\n{below}")
    assert cells(table)["Region"] == ["A", "B"]
    assert table.footnotes == notes
    assert table.rows == 2


def test_row_of_full_width_with_figures_is_never_a_footnote_but_may_be_doubtful():
    table = table_of("Region;2019;2020\nA;1;2\nB;3;4\nSource: Office;3;2020\n")
    assert cells(table)["Region"] == ["A", "B", "Source: Office"]
    assert (table.footnotes, table.doubtful) == ((), ("Source: Office 3 2020",))


def test_row_that_was_cut_off_is_no_footnote():
    table = table_of("a,b,c\n1,2,3\n4,5,6\n7,8")
    assert table.rows == 3
    assert table.widths == {2: 1, 3: 2}


def test_header_between_the_rows_is_counted_and_left_out():
    table = table_of("Region,Pop\nA,1\nRegion,Pop\nB,2\nRegion,Pop\n")
    assert cells(table) == {"Region": ["A", "B"], "Pop": [1, 2]}
    assert table.repeated_headers == 2


def test_header_alone_is_a_table_without_rows():
    table = table_of("Jahr;Region;Wert\n")
    assert list(table.frame.columns) == ["Jahr", "Region", "Wert"]
    assert (table.rows, table.has_header, table.widths) == (0, True, {})


def test_one_column_of_numbers_is_a_table():
    assert cells(table_of("value\n1\n2\n3\n")) == {"value": [1, 2, 3]}


@pytest.mark.parametrize(
    ("last", "values"),
    [
        ("7,2.5", [7, 2.5]),
        ("07,2", ["07", 2]),
        ("7, 02", [7, "02"]),
        ("7,:", [7, None]),
        ("7,x", [7, None]),
        ("12345678901234567890123,2", ["12345678901234567890123", 2]),
        ("seven,2", ["seven", 2]),
        ('7,"1,234"', [7, 1234]),
    ],
)
def test_last_row_counts_as_much_as_the_first(last, values):
    table = table_of("id,v\n" + "5,1\n" * 1000 + last + "\n")
    found = cells(table)
    assert [found["id"][-1], found["v"][-1]] == values
    assert table.rows == 1001


def test_text_without_a_table_is_a_document():
    content = read_delimited(
        io.BytesIO(b"A text, with commas. It has no table.\nThis, too. It ends.\n")
    )
    assert (content.kind, content.tables) == (Kind.DOCUMENT, ())
    assert content.paper is not None
    assert content.paper.sample.startswith("A text")


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32-le", "shift_jis", "euc_jp"]
)
def test_encodings_are_read_and_told(encoding):
    table = table_of("都道府県,人口\n北海道,5224\n青森県,1237\n", encoding)
    assert cells(table) == {"都道府県": ["北海道", "青森県"], "人口": [5224, 1237]}
    assert table.dialect is not None
    assert table.dialect.encoding == encoding


def test_accent_that_comes_late_is_read():
    data = b"region,value\n" + b"Ain,1\n" * 100_000 + "Lozère,2\n".encode("cp1252")
    table = table_of(data)
    assert table.frame["region"].iloc[-1] == "Lozère"
    assert table.dialect is not None
    assert table.dialect.encoding == "cp1252"
