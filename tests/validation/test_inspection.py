"""What is found in a file: its profile, and the facts that expectations are asked of."""

import pickle
from pathlib import Path

import pandas as pd
import pytest

from crawler.config.validation import RangeRule
from crawler.readers.content import (
    FOOTNOTE,
    Content,
    DroppedLine,
    Paper,
    Part,
    TextDialect,
    Trouble,
)
from crawler.readers.kinds import Kind
from crawler.validation.inspection import InspectionRequest, inspect_file
from crawler.validation.outcome import Profile
from crawler.validation.profile import MAX_COLUMNS
from tests.validation.frames import GOOD, file_of, inspected, table

NOTE = DroppedLine(22, FOOTNOTE, "Source: x")


def test_a_file_is_read_and_described(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("country,year,births\nFR,2001,5\nDE,2002,7\n")

    found = inspect_file(path, InspectionRequest(name="births.csv", declared="text/csv"))

    (described,) = found.profile.tables
    assert (found.kind, found.trouble) == (Kind.DELIMITED, None)
    assert [column.name for column in described.columns] == ["country", "year", "births"]
    assert (described.rows, described.width, described.delimiter) == (2, 3, ",")
    assert found.profile.language == "en"


@pytest.mark.slow
def test_what_is_found_is_small_and_can_be_sent_to_another_process() -> None:
    frame = pd.DataFrame({f"column {place}": range(2000) for place in range(600)})

    found = inspected(file_of(table(frame)))

    assert pickle.loads(pickle.dumps(found)) == found
    assert len(pickle.dumps(found)) < 200_000
    assert len(found.profile.tables[0].columns) == MAX_COLUMNS
    assert found.profile.tables[0].width == 600


def test_the_profile_tells_how_a_text_is_written() -> None:
    dialect = TextDialect("latin-1", ";", ",")
    (described,) = inspected(
        file_of(table(GOOD, "sheet", dialect=dialect, dropped=(NOTE,), cut=True, rows=99))
    ).profile.tables

    assert (described.encoding, described.delimiter, described.decimal) == ("latin-1", ";", ",")
    assert (described.name, described.footnotes, described.cut) == ("sheet", 1, True)
    assert described.rows == 99


def test_a_document_has_pages_and_a_language() -> None:
    paper = Paper(pages=12, characters=900, sample="La population de la France et de ses régions")

    profile = inspected(Content(Kind.PDF, paper=paper), "rapport.pdf").profile

    assert (profile.pages, profile.language, profile.table_count) == (12, "fr", 0)


def test_an_unreadable_file_keeps_its_trouble() -> None:
    found = inspected(Content(Kind.XLSX, trouble=Trouble.TRUNCATED, detail="no\nend\x00"))

    assert (found.trouble, found.detail) == (Trouble.TRUNCATED, "no end")


@pytest.mark.parametrize(
    ("kind", "name", "declared", "expected"),
    [
        (Kind.XLSX, "births.csv", "", "csv"),
        (Kind.DELIMITED, "births.csv", "application/vnd.ms-excel", ""),
        (Kind.DELIMITED, "https://a.org/births?format=csv", "text/csv; charset=utf-8", ""),
        (Kind.DELIMITED, "births", "application/octet-stream", ""),
        (Kind.DELIMITED, "births.txt", "text/plain", ""),
        (Kind.XLSX, "births.xls", "", ""),
        (Kind.HTML, "https://a.org/births.xls", "application/vnd.ms-excel", "excel"),
        (Kind.PDF, "", "text/csv", "csv"),
        (Kind.SDMX_ML, "births.xml", "", ""),
        (Kind.ZIP, "births.zip", "", ""),
        (Kind.GZIP, "births.csv", "text/csv", "csv"),
        (Kind.EMPTY, "births.csv", "", ""),
    ],
)
def test_what_a_file_was_said_to_be_is_kept_where_it_is_not(
    kind: Kind, name: str, declared: str, expected: str
) -> None:
    found = inspected(Content(kind), name, declared=declared)

    assert found.profile.declared == expected
    assert (found.facts.disagreement or "") == expected


def test_numbers_are_counted_beside_time_and_place() -> None:
    numbers = inspected(GOOD).facts
    words = inspected({"year": [2001, 2002], "event": ["a", "b"]}).facts
    half = inspected({"name": ["a", "b"], "value": [1.5, 2.5]}).facts

    assert (numbers.numeric_share, words.numeric_share, half.numeric_share) == (1.0, 0.0, 0.5)


def test_numbers_among_texts_count_too() -> None:
    facts = inspected({"name": ["a"] * 4, "value": ["1", "2", "3", "c"]}).facts

    assert facts.numeric_share == pytest.approx(3 / 8)


def test_rows_of_other_widths_are_counted() -> None:
    facts = inspected(file_of(table(GOOD, widths={3: 18, 4: 2}))).facts

    assert facts.per_table[0].ragged_share == 0.1
    assert inspected(GOOD).facts.per_table[0].ragged_share is None


def test_repeated_and_missing_names_are_counted() -> None:
    frame = pd.DataFrame([[1, 2, 3, 4]], columns=["a", "a", "", "Unnamed: 3"])

    (facts,) = inspected(file_of(table(frame, repeated_headers=2))).facts.per_table

    assert (facts.repeated_names, facts.unnamed_share, facts.repeated_headers) == (("a",), 0.5, 2)


def test_the_worst_column_of_dates_and_the_oddest_year_are_named() -> None:
    (facts,) = inspected(
        {
            "date": ["2020-01-01", "x", "y", "z"],
            "reference date": ["2020-01-01"] * 4,
            "year": [2001, 2002, 2003, 20010],
        }
    ).facts.per_table

    assert (facts.dates_share, facts.dates_column) == (0.25, "date")
    assert (facts.least_year, facts.most_year, facts.year_column) == (2001, 20010, "year")


def test_cells_outside_of_a_range_are_counted_where_the_column_is() -> None:
    ranges = {"BIRTHS": RangeRule(min=1002, max=1017)}

    counted = inspected(GOOD, ranges=ranges).facts.per_table[0]
    elsewhere = inspected({"other": [1]}, ranges=ranges).facts.per_table[0]

    assert (counted.out_of_range, counted.out_of_range_column) == (4, "births")
    assert elsewhere.out_of_range is None


def test_required_columns_are_sought_in_the_table_that_has_most_of_them() -> None:
    cover, data = table({"Notes": ["x"]}, "cover"), table(GOOD, "data")

    found = inspected(file_of(cover, data), required_columns=("Year", "births", "sex"))

    assert found.facts.missing_columns == ("sex",)
    assert inspected(GOOD).facts.missing_columns is None


def test_covers_and_notes_beside_the_data_are_set_aside() -> None:
    notes = table({"Notes": ["some", "words"]}, "notes")

    workbook = inspected(file_of(notes, table(GOOD, "data"), kind=Kind.XLSX)).facts
    prose = inspected(file_of(notes, kind=Kind.XLSX)).facts

    assert [one.aside for one in workbook.per_table] == [True, False]
    assert [one.aside for one in prose.per_table] == [False]


def test_unreadable_parts_of_an_archive_count_when_they_should_hold_data() -> None:
    parts = (
        Part("a.xlsx", Kind.XLSX, Trouble.TRUNCATED),
        Part("readme.docx", Kind.DOCUMENT, Trouble.CORRUPT),
        Part("note.txt", Kind.DOCUMENT, None),
    )

    facts = inspected(file_of(table(GOOD), kind=Kind.ZIP, parts=parts)).facts

    assert (facts.unread_parts, facts.unread_names) == (1, ("a.xlsx",))


def previous(data: dict[str, list[object]]) -> Profile:
    return inspected(data).profile


def test_a_version_is_compared_with_the_one_before() -> None:
    before = previous({"Country": ["FR"] * 40, "births": [1] * 40, "2019": [1] * 40})

    facts = inspected(
        {"country": ["FR"] * 10, "deaths": [1] * 10, "2020": [1] * 10}, previous=before
    ).facts

    assert (facts.row_ratio, facts.previous_rows) == (0.25, 40)
    assert (facts.columns_lost, facts.columns_added) == (("births",), ("deaths",))


def test_there_is_nothing_to_compare_without_tables_or_with_half_a_profile() -> None:
    wide = inspected(file_of(table(pd.DataFrame({f"c{n}": [1] for n in range(600)})))).profile

    assert inspected(GOOD).facts.columns_lost is None
    assert inspected(GOOD, previous=Profile()).facts.row_ratio is None
    assert inspected(GOOD, previous=wide).facts.columns_lost is None
    assert inspected(GOOD, previous=wide).facts.row_ratio == 20.0
