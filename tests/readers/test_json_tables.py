"""Tables in JSON, however they are arranged, and JSON that is no table."""

import io
import json

import pytest

from crawler.readers.bounds import Bounds
from crawler.readers.content import Content, Trouble
from crawler.readers.json_tables import read_json
from crawler.readers.kinds import Kind
from crawler.readers.reading import read_content

RECORDS = [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]


def content_of(document: object, bounds: Bounds | None = None) -> Content:
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    return read_content(io.BytesIO(data), bounds=bounds or Bounds())


@pytest.mark.parametrize(
    "document",
    [
        RECORDS,
        {"meta": {"n": 2}, "data": RECORDS},
        {"result": {"resource": {"records": RECORDS}}},
        {"a": [1, 2], "b": ["x", "y"]},
        {"columns": ["a", "b"], "data": [[1, "x"], [2, "y"]]},
        {"fields": [{"name": "a"}, {"id": "b"}], "rows": [[1, "x"], [2, "y"]]},
        {"columns": [{"code": "a"}, {"code": "b"}], "data": [
            {"key": ["1"], "values": ["x"]}, {"key": ["2"], "values": ["y"]}]},
        [["a", "b"], [1, "x"], [2, "y"]],
        {"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": record, "geometry": None} for record in RECORDS]},
        b'{"a": 1, "b": "x"}\n{"a": 2, "b": "y"}\n',
        b'\xef\xbb\xbf[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]',
        json.dumps(RECORDS).encode("utf-16"),
        b'[{"a": "1", "b": "x"}, {"a": "2", "b": "y"}]',
    ],
)  # fmt: skip
def test_records_are_found_however_they_are_arranged(document):
    content = content_of(document)
    assert content.kind is Kind.JSON
    assert content.tables[0].frame.to_dict("records") == RECORDS
    assert content.tables[0].rows == 2


def test_largest_list_of_records_is_the_table():
    document = {"dimensions": [{"x": 1}], "observations": [{"v": number} for number in range(9)]}
    assert content_of(document).tables[0].rows == 9


def test_records_within_records_are_flattened_and_lists_are_texts():
    document = [{"a": {"b": {"c": 1}}, "l": [1, "é"]}, {"a": None, "l": None}]
    frame = content_of(document).tables[0].frame
    assert list(frame.columns) == ["a.b.c", "l", "a"]
    assert frame["l"].tolist()[0] == '[1, "é"]'


def test_rows_without_names_are_a_table_without_header():
    table = content_of([[1, 2.5], [3, 4.5]]).tables[0]
    assert not table.has_header
    assert table.frame["column 2"].tolist() == [2.5, 4.5]


def test_ragged_rows_show_in_the_widths():
    assert content_of([["a", "b"], [1, 2], [3], [4, 5, 6]]).tables[0].widths == {2: 1, 1: 1, 3: 1}


@pytest.mark.parametrize("document", [[], {}, [1, 2, 3], {"a": {"b": 1}}, "text", 5, [[1], [2]]])
def test_json_without_records_is_read_and_no_table(document):
    content = read_json(io.BytesIO(json.dumps(document).encode()))
    assert (content.tables, content.trouble) == ((), None)


@pytest.mark.parametrize(
    ("data", "trouble"),
    [
        (b'[{"a": 1}, {"a"', Trouble.TRUNCATED),
        (b'[{"a": 1}, {"a": "unfin', Trouble.TRUNCATED),
        (b'{"a": 1}\n{"a": 2}\n{"a":', Trouble.TRUNCATED),
        (b'[{"a": 1} {"a": 2}]', Trouble.CORRUPT),
        (b"[" * 100_000, Trouble.TOO_DEEP),
        (b'{"a":' * 300 + b"1" + b"}" * 300, Trouble.TOO_DEEP),
        (b'["' + b"]" * 5000 + b'", ' + b"[" * 2000 + b"]" * 2000 + b"]", Trouble.TOO_DEEP),
    ],
)
def test_broken_json_is_told(data, trouble):
    content = content_of(data)
    assert (content.kind, content.trouble, content.tables) == (Kind.JSON, trouble, ())


def test_brackets_within_texts_are_not_nested():
    assert content_of([{"a": "[" * 1000 + '\\"'}, {"a": "x"}]).tables[0].rows == 2


def test_json_beyond_its_share_of_memory_is_not_parsed():
    content = content_of([{"a": number} for number in range(10_000)], Bounds(memory=100_000))
    assert content.trouble is Trouble.TOO_LARGE


def test_rows_and_columns_beyond_the_bounds_are_cut():
    table = content_of([{"a": n, "b": n} for n in range(100)], Bounds(rows=10)).tables[0]
    assert (len(table.frame), table.rows, table.cut) == (10, 100, True)
    # Each record has a name of its own: together they would fill the memory.
    table = content_of([{f"k{n}": n} for n in range(2000)], Bounds(columns=50, cells=500)).tables[0]
    assert table.frame.shape == (10, 50)
    assert table.cut


@pytest.mark.parametrize("digits", [20, 400, 5000])
@pytest.mark.parametrize("form", ['[{{"a": {0}}}, {{"a": 2}}]', '{{"a": {0}}}\n{{"a": 2}}\n'])
def test_an_integer_of_any_length_is_read(form, digits):
    content = content_of(form.format("7" * digits).encode())
    assert content.trouble is None, content.detail
    assert content.tables[0].rows == 2


def test_half_a_character_costs_itself_only():
    text = rb'[{"a": "x\ud800y \\ud800 \ud83d\ude00", "b\udc00": 1}]'
    content = content_of(text)
    assert content.trouble is None, content.detail
    (record,) = content.tables[0].frame.to_dict("records")
    assert record == {"a": "x\ufffdy \\ud800 \U0001f600", "b\ufffd": 1}
