"""Differences of small tables, as a person would name them."""

import pandas as pd

from crawler.differences.compare import compare_frames, compare_tables
from crawler.readers.content import Table
from crawler.readers.kinds import Kind

OLD = pd.DataFrame(
    {
        "region": ["Nord", "Nord", "Ost", "Ost"],
        "year": [2023, 2024, 2023, 2024],
        "births": [10.5, 11.0, 20.0, None],
    }
)


def table(name: str, frame: pd.DataFrame, *, cut: bool = False) -> Table:
    return Table(name, Kind.XLSX, frame, len(frame), cut=cut)


def test_rows_in_another_order_are_the_same():
    found = compare_frames(OLD, OLD.iloc[::-1].reset_index(drop=True))
    assert found.is_same
    assert found.key == ("region", "year")


def test_revised_figures_are_named_with_their_row():
    new = OLD.assign(births=[10.5, 12.0, 20.0, 21.0])
    found = compare_frames(OLD, new)
    assert [(cell.key, cell.column, cell.old, cell.new) for cell in found.revised] == [
        ({"region": "Nord", "year": 2024}, "births", 11.0, 12.0),
        ({"region": "Ost", "year": 2024}, "births", None, 21.0),
    ]
    assert (found.rows_changed, found.cells_revised, found.figures_revised) == (2, 2, 1)


def test_another_year_adds_rows():
    more = pd.DataFrame({"region": ["Nord", "Ost"], "year": [2025, 2025], "births": [1.0, 2.0]})
    found = compare_frames(OLD, pd.concat([OLD, more], ignore_index=True))
    assert (found.rows_added, found.rows_gone, found.cells_revised) == (2, 0, 0)
    assert found.added[0] == {"region": "Nord", "year": 2025, "births": 1.0}


def test_whole_number_that_became_a_decimal_or_a_text_is_no_revision():
    old = pd.DataFrame({"code": ["a", "b"], "count": [1, 2]})
    assert compare_frames(old, old.assign(count=[1.0, 2.0])).is_same
    found = compare_frames(old, old.assign(count=["1", "2p"]))
    assert [(cell.old, cell.new) for cell in found.revised] == [(2, "2p")]


def test_column_with_another_name_and_the_same_values_is_renamed():
    found = compare_frames(OLD, OLD.rename(columns={"births": "Live births", "region": "Area"}))
    assert {one.old: one.new for one in found.columns_renamed} == {
        "births": "Live births",
        "region": "Area",
    }
    assert not found.columns_added
    assert not found.cells_revised


def test_equal_rows_are_counted_each():
    old = pd.DataFrame({"letter": ["a", "a", "b"]})
    found = compare_frames(old, pd.DataFrame({"letter": ["a", "b", "b", "b"]}))
    assert (found.rows_added, found.rows_gone) == (2, 1)


def test_table_of_figures_alone_is_compared_by_whole_rows():
    old = pd.DataFrame({"x": [0.5, 1.5], "y": [2.5, 3.5]})
    found = compare_frames(old, pd.DataFrame({"x": [0.5, 1.5], "y": [2.5, 4.5]}))
    assert (found.rows_added, found.rows_gone, found.cells_revised) == (1, 1, 0)


def test_identifier_recognises_rows_whose_names_changed():
    old = pd.DataFrame({"id": [1, 2, 3], "name": ["A", "B", "C"], "value": [0.5, 1.5, 2.5]})
    found = compare_frames(old, old.assign(name=["A", "Bee", "C"]))
    assert found.key == ("id",)
    assert [(cell.old, cell.new) for cell in found.revised] == [("B", "Bee")]


def test_summary_counts_what_happened_over_all_tables():
    new = OLD.assign(births=[10.5, 12.0, 20.0, None]).iloc[1:]
    more = OLD.assign(deaths=1.0)
    old = [table("a", OLD), table("b", OLD), table("c", OLD), table("d", OLD)]
    found = compare_tables(old, [table("a", new), table("b", more), table("new", OLD)])
    assert found.summary == (
        "1 table added, 2 tables gone, 1 column added, 1 row gone, 1 figure revised"
    )
    assert compare_tables(old, old).summary == "the tables say the same"


def test_only_table_of_both_is_the_same_whatever_it_is_called():
    found = compare_tables([table("2023", OLD)], [table("2024", OLD, cut=True)])
    assert (found.tables_added, found.tables_gone) == ((), ())
    assert found.summary == "the tables say the same (in the rows that were compared)"


def test_lists_are_bounded_and_counts_are_not():
    old = pd.DataFrame({"id": range(900), "value": [0.5] * 900})
    found = compare_frames(old, old.assign(value=1.5), listed=10)
    assert (len(found.revised), found.cells_revised) == (10, 900)
    gone = compare_frames(old, old.iloc[:0], listed=10)
    assert (len(gone.gone), gone.rows_gone) == (10, 900)


def test_tables_without_rows_are_the_same():
    assert compare_frames(OLD.iloc[:0], OLD.iloc[:0]).is_same
