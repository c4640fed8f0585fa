"""Previews: bounded in size, number and time; a bad file costs a sentence."""

import threading

import pytest

from crawler.errors import ConfigError, StorageError
from crawler.webapp.preview import LARGEST_FILE, MOST_COLUMNS, MOST_ROWS, Previewer


def small_table():
    return ["region", "births"], [["Nord", 12], ["Süd", None]]


def failing(error):
    def read():
        raise error

    return read


def test_first_rows_are_text():
    shown = Previewer().preview("a", 10, small_table)
    assert shown.columns == ("region", "births")
    assert shown.rows == (("Nord", "12"), ("Süd", ""))
    assert shown.sentence == ""


def test_large_table_is_cut_on_all_sides():
    columns = [f"c{number}" for number in range(MOST_COLUMNS + 7)]
    rows = [["x" * 5000] * len(columns) for _ in range(MOST_ROWS + 5)]
    shown = Previewer().preview("a", 10, lambda: (columns, rows))
    assert len(shown.columns) == MOST_COLUMNS
    assert shown.more_columns == 7
    assert len(shown.rows) == MOST_ROWS
    assert {len(cell) for row in shown.rows for cell in row} == {200}


def test_remembered_preview_is_not_read_again():
    previewer = Previewer()
    first = previewer.preview("a", 10, small_table)
    assert previewer.known("a")
    assert previewer.preview("a", 10, failing(AssertionError("read again"))) is first


def test_large_file_is_not_read_at_all():
    shown = Previewer().preview("a", LARGEST_FILE + 1, failing(AssertionError("was read")))
    assert "too large" in shown.sentence


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ValueError("<b>odd</b>"), "The file cannot be read as a table."),
        (ConfigError("PDF files hold no table"), "No preview: PDF files hold no table"),
        (StorageError("no route"), "The file cannot be fetched from the store at the moment."),
    ],
)
def test_failure_becomes_a_sentence(error, sentence):
    assert Previewer().preview("a", 10, failing(error)).sentence == sentence


def test_store_that_was_away_is_asked_again():
    previewer = Previewer()
    previewer.preview("a", 10, failing(StorageError("no route")))
    assert previewer.preview("a", 10, small_table).rows


def test_slow_files_end_in_a_sentence_and_keep_their_places_until_done():
    previewer = Previewer(seconds=0.01)
    gate = threading.Event()

    def slow():
        gate.wait(30)
        return small_table()

    try:
        assert "took too long" in previewer.preview("a", 10, slow).sentence
        assert "took too long" in previewer.preview("b", 10, slow).sentence
        assert "Too many previews" in previewer.preview("c", 10, small_table).sentence
    finally:
        gate.set()


def test_file_without_columns_says_so():
    assert Previewer().preview("a", 1, lambda: ([], [])).sentence == "The file holds no table."
