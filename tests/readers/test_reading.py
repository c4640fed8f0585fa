"""Whatever a file holds, reading it ends with what it is, and never with an error."""

import gzip
import io
import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.errors import NotATable, StorageError
from crawler.lab.sites.files.csv_files import archive
from crawler.readers.bounds import Bounds
from crawler.readers.content import Content, Trouble
from crawler.readers.kinds import Kind
from crawler.readers.reading import read_content, read_table
from crawler.readers.unreadable import Unreadable

PIECES = st.sampled_from(
    b'a,b\n1,2\n <  <html> {"a": [1, PK\x03\x04 \xff\xfe \x00 " ; \t \r \n \xe9 2020 1.5 %PDF- '
    b"\x1f\x8b # \xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 Source:\n <!DOCTYPE <!ENTITY <Obs/>".split(b" ")
)
TEXTS = st.text(alphabet='ab12,;\t|"\n\r .#é:-年', max_size=200)


def is_told(content: Content) -> bool:
    """A readable file has its tables or none; an unreadable one has its trouble, and no tables."""
    if content.trouble is not None:
        return not content.tables and bool(content.detail)
    return all(table.rows >= len(table.frame) for table in content.tables)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_something(data):
    assert is_told(read_content(io.BytesIO(data)))


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=12).map(b"".join))
def test_any_mixture_of_beginnings_is_something(data):
    assert is_told(read_content(io.BytesIO(data)))


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.sampled_from(["utf-8", "utf-16", "shift_jis", "utf-8-sig"]))
def test_any_text_is_something(text, encoding):
    content = read_content(io.BytesIO(text.encode(encoding, "replace")))
    assert is_told(content)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(-(10**6), 10**6), st.sampled_from(["Île", "x y", 'q"q', "a;b", "c,d"])
        ),
        min_size=3,
        max_size=40,
    ),
    st.sampled_from(",;\t|"),
)
def test_what_is_written_is_what_is_read(rows, delimiter):
    import csv

    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerows([("number", "name"), *rows])
    table = read_content(io.BytesIO(file.getvalue().encode())).tables[0]
    assert list(table.frame.itertuples(index=False, name=None)) == rows
    assert table.rows == len(rows)


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False)
        | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4)
        ),
        max_leaves=25,
    )
)
def test_any_json_is_something(document):
    content = read_content(io.BytesIO(json.dumps(document).encode()))
    assert is_told(content)
    assert content.trouble is None


def test_file_beyond_its_bounds_is_not_opened():
    content = read_content(io.BytesIO(b"a,b\n1,2\n" * 100), bounds=Bounds(file_bytes=100))
    assert content.trouble is Trouble.TOO_LARGE


def test_bombs_are_refused_before_they_fill_anything():
    zeros = bytes(1_000_000)
    for data in (gzip.compress(zeros), archive({"a.csv": zeros}), archive({"xl/a": zeros})):
        content = read_content(io.BytesIO(data), bounds=Bounds(unpacked=100_000))
        assert content.trouble is Trouble.BOMB


def test_page_in_an_archive_is_told_by_its_kind():
    content = read_content(io.BytesIO(gzip.compress(b"<!doctype html><html><p>404</p></html>")))
    assert (content.kind, content.inner, content.tables) == (Kind.GZIP, (Kind.HTML,), ())


def test_store_that_is_away_is_no_fault_of_the_file():
    class Away(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise StorageError("the store does not answer")

    with pytest.raises(StorageError):
        read_content(Away(b"a,b\n1,2\n"))


def test_error_of_a_reader_crosses_process_borders():
    error = pickle.loads(pickle.dumps(Unreadable(Trouble.CORRUPT, "it is broken")))
    assert (error.trouble, error.detail) == (Trouble.CORRUPT, "it is broken")
    assert isinstance(error, NotATable)


def test_analysts_get_all_rows_where_validation_is_bounded():
    data = b"a,b\n" + b"1,2\n" * 300
    assert len(read_table(io.BytesIO(data))) == 300
    assert len(read_table(io.BytesIO(data), rows=7)) == 7
