"""`tallyho read`: a file of this disk as the catalog would read it."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Desk
from tests.validation.corpus.sheets import Sheet, xlsx

ROWS = [["Births by region", None, None], ["Region", "2022", "2023"], ["North", 1, 2],
        ["South", 3, 4], [None, None, None], ["Source: Office", None, None]]  # fmt: skip


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A workbook of an index and two sheets of one shape."""
    path = tmp_path / "births.xlsx"
    index = Sheet("Index", [["Sheet", "No"], ["A", 1], ["B", 2]])
    path.write_bytes(xlsx([index, Sheet("A", ROWS), Sheet("B", ROWS)]))
    return path


def test_json_says_how_a_file_was_read(desk: Desk, book: Path) -> None:
    told = json.loads(desk.run("read", str(book), "--json").stdout)
    assert (told["table"], told["header"]) == ("A", ["Region", "2022", "2023"])
    assert [one["name"] for one in told["tables"]] == ["A", "B", "Index"]
    assert (told["rows"], told["first"], told["last"]) == (2, ["North", 1, 2], ["South", 3, 4])
    assert told["types"] == ["text", "integer", "integer"]
    counts = {"titles": 1, "header": 1, "data": 2, "footnotes": 1, "blank": 1, "source": 6}
    assert (told["ledger"], told["confidence"]) == (counts, "seen")
    assert [line["row"] for line in told["dropped"]] == [1, 6]


def test_table_is_chosen_by_name_and_parts_are_read_together(desk: Desk, book: Path) -> None:
    assert json.loads(desk.run("read", str(book), "--table", "B", "--json").stdout)["table"] == "B"
    printed = desk.run("read", str(book), "--table", "all", "--csv").stdout.splitlines()
    assert printed[0] == "part,Region,2022,2023"
    assert [line.partition(",")[0] for line in printed[1:]] == ["A", "A", "B", "B"]


def test_people_see_the_lines_that_are_no_rows(desk: Desk, book: Path) -> None:
    told = desk.run("read", str(book)).stdout
    assert "1 title line, 1 header row, 2 data rows, 1 footnote, 1 blank row" in told
    assert "6: footnote: Source: Office" in told


def test_raw_values_are_as_written(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("day,births\n13/02/2023,12 p\n14/02/2023,7\n15/02/2023,9\n")
    assert desk.run("read", str(path), "--raw", "--csv").stdout.splitlines()[1] == "13/02/2023,12 p"
    assert desk.run("read", str(path), "--csv").stdout.splitlines()[1] == "2023-02-13,12,p"


def test_what_cannot_be_read_has_an_exit_code(desk: Desk, book: Path, tmp_path: Path) -> None:
    prose = tmp_path / "a.txt"
    prose.write_text("A sentence, and no table. It ends here.")
    assert desk.run("read", str(prose)).exit_code == 7
    assert desk.run("read", str(book), "--table", "C").exit_code == 7
    assert desk.run("read", str(book), "--csv", "--json").exit_code == 2
    assert desk.run("read", str(tmp_path / "none.csv")).exit_code == 2
