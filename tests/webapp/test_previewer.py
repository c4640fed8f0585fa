"""Previews: bounded in size, number and time; a bad file costs a sentence."""

import io
import threading
import zipfile
from collections.abc import Callable, Iterator

import pytest

from crawler.errors import StorageError
from crawler.readers.bounds import DEFAULT_BOUNDS
from crawler.validation.reader_memory import SHARE_BYTES, ReaderMemory
from crawler.webapp.preview import MAX_COLUMNS, MAX_FILE, MAX_ROWS, Preview, Previewer

TABLE = "region,births\nNord,12\nSüd,\nOst,7\n".encode()


def giving(data: bytes) -> Callable[[], io.BytesIO]:
    return lambda: io.BytesIO(data)


def failing(error: Exception) -> Callable[[], io.BytesIO]:
    def open_file() -> io.BytesIO:
        raise error

    return open_file


@pytest.fixture(scope="module")
def previewer() -> Iterator[Previewer]:
    made = Previewer()
    yield made
    made.close()


def test_table_of_an_archive_is_named_and_can_be_chosen(previewer):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("meta.csv", "code,name\na,x\nb,y\n")
        archive.writestr("data.csv", "Births\n\nregion,births\nNord,1\nOst,2\n")
    shown = previewer.preview("zip", 10, giving(target.getvalue()))
    assert (shown.table, shown.tables) == ("data.csv", ("data.csv", "meta.csv"))
    assert [(line.row, line.text) for line in shown.dropped] == [(1, "Births")]
    other = previewer.preview("zip", 10, giving(target.getvalue()), table="meta.csv")
    assert (other.table, other.columns) == ("meta.csv", ("code", "name"))
    none = previewer.preview("zip", 10, giving(target.getvalue()), table="no.csv")
    assert none.sentence == "There is no table 'no.csv', but data.csv, meta.csv."


def test_first_rows_are_text(previewer):
    shown = previewer.preview("small", 10, giving(TABLE))
    assert shown.columns == ("region", "births")
    assert [row[0] for row in shown.rows] == ["Nord", "Süd", "Ost"]
    assert shown.rows[1][1] == ""
    assert shown.sentence == ""


def test_large_table_is_cut_on_all_sides(previewer):
    columns = [f"c{number}" for number in range(MAX_COLUMNS + 7)]
    rows = [["word " * 1000] * len(columns) for _ in range(MAX_ROWS + 5)]
    text = "\n".join(",".join(row) for row in [columns, *rows])
    shown = previewer.preview("large", 10, giving(text.encode()))
    assert len(shown.columns) == MAX_COLUMNS
    assert shown.more_columns == 7
    assert len(shown.rows) == MAX_ROWS
    assert {len(cell) for row in shown.rows for cell in row} == {200}


def test_first_table_of_an_archive_is_shown(previewer):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("readme.txt", "Read this first.")
        archive.writestr("births.csv", TABLE)
        archive.writestr("deaths.csv", TABLE)
    assert previewer.preview("zip", 10, giving(packed.getvalue())).columns == ("region", "births")


def test_remembered_preview_is_not_read_again(previewer):
    first = previewer.preview("again", 10, giving(TABLE))
    assert previewer.known("again")
    assert previewer.preview("again", 10, failing(AssertionError("read again"))) is first


def test_large_file_is_not_read_at_all(previewer):
    shown = previewer.preview("a", MAX_FILE + 1, failing(AssertionError("was read")))
    assert "too large" in shown.sentence


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"PK\x03\x04 and no more", "The file cannot be read: the end of the archive"),
        (
            b"<!DOCTYPE html><html><p>Not found</p></html>",
            "A table cannot be read from an HTML page.",
        ),
        (b"", "A table cannot be read from an empty file."),
    ],
    ids=["truncated", "html", "empty"],
)
def test_file_without_a_table_says_so(previewer, data, sentence):
    assert previewer.preview(f"none {data!r}", 10, giving(data)).sentence.startswith(sentence)


def test_store_that_was_away_is_asked_again(previewer):
    away = previewer.preview("away", 10, failing(StorageError("no route")))
    assert away.sentence == "The file cannot be fetched from the store at the moment."
    assert previewer.preview("away", 10, giving(TABLE)).rows


def test_file_that_takes_too_long_is_told_and_its_reader_is_free_again():
    previewer = Previewer(seconds=0.000001)
    try:
        for name in ("a", "b", "c"):
            assert "took too long" in previewer.preview(name, 10, giving(TABLE)).sentence
    finally:
        previewer.close()


def test_preview_waits_for_memory_that_validation_holds(tmp_path):
    memory = ReaderMemory(tmp_path / "shares", SHARE_BYTES)
    previewer = Previewer(memory=memory)
    shown: list[Preview] = []
    asking = threading.Thread(
        target=lambda: shown.append(previewer.preview("a", 10, giving(TABLE)))
    )
    try:
        with memory.held(DEFAULT_BOUNDS.memory):
            asking.start()
            while not list((tmp_path / "shares").glob("waiting-*")):
                assert asking.is_alive()
        asking.join()
    finally:
        previewer.close()
    assert shown[0].columns == ("region", "births")


def test_preview_that_waited_in_vain_says_so_and_can_be_asked_for_again(tmp_path):
    memory = ReaderMemory(tmp_path / "shares", SHARE_BYTES)
    previewer = Previewer(wait=0.05, memory=memory)
    try:
        with memory.held(DEFAULT_BOUNDS.memory):
            busy = previewer.preview("a", 10, giving(TABLE))
        assert busy.sentence == "Other files are being read; try again in a minute."
        assert previewer.preview("a", 10, giving(TABLE)).rows
    finally:
        previewer.close()


def test_more_readers_than_there_are_places_are_sent_away(previewer):
    gate = threading.Event()
    begun = threading.Barrier(3)

    def slow() -> io.BytesIO:
        begun.wait(30)
        gate.wait(30)
        return io.BytesIO(TABLE)

    threads = [
        threading.Thread(target=previewer.preview, args=(name, 10, slow)) for name in ("x", "y")
    ]
    for thread in threads:
        thread.start()
    try:
        begun.wait(30)
        assert "Too many previews" in previewer.preview("z", 10, giving(TABLE)).sentence
    finally:
        gate.set()
        for thread in threads:
            thread.join()
    assert previewer.preview("z", 10, giving(TABLE)).rows
