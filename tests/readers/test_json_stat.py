"""Cubes of JSON-stat as one row per cell."""

import io
import json

from crawler.readers.bounds import Bounds
from crawler.readers.content import Content, Trouble
from crawler.readers.kinds import Kind
from crawler.readers.reading import read_content

DIMENSION = {
    "sex": {"category": {"index": {"F": 1, "M": 0}}},
    "year": {"category": {"index": ["2020", "2021", "2022"]}},
}
CUBE = {"version": "2.0", "class": "dataset", "id": ["sex", "year"], "size": [2, 3]}


def content_of(document: object, bounds: Bounds | None = None) -> Content:
    data = json.dumps(document).encode()
    return read_content(io.BytesIO(data), bounds=bounds or Bounds())


def test_cells_come_in_the_order_of_the_dimensions():
    content = content_of({**CUBE, "dimension": DIMENSION, "value": [1, 2, None, 4, 5, 6.5]})
    assert content.kind is Kind.JSON_STAT
    frame = content.tables[0].frame
    assert frame["sex"].tolist() == ["M", "M", "M", "F", "F", "F"]
    assert frame["year"].tolist() == ["2020", "2021", "2022"] * 2
    assert frame["value"].fillna(-1).tolist() == [1, 2, -1, 4, 5, 6.5]


def test_version_1_with_few_values_is_read():
    dimension = {**DIMENSION, "id": ["sex", "year"], "size": [2, 3]}
    content = content_of({"dataset": {"dimension": dimension, "value": {"4": 7}}})
    assert content.tables[0].frame["value"].fillna(0).tolist() == [0, 0, 0, 0, 7, 0]


def test_bundle_of_datasets_gives_a_table_each():
    cube = {**CUBE, "dimension": DIMENSION, "value": [1, 2, 3, 4, 5, 6]}
    assert [table.name for table in content_of({"first": cube, "second": cube}).tables] == [
        "first",
        "second",
    ]
    collection = {"version": "2.0", "class": "collection", "link": {"item": [cube]}}
    assert [table.name for table in content_of(collection).tables] == [""]


def test_cells_beyond_the_bounds_are_cut():
    cube = {**CUBE, "dimension": DIMENSION, "value": [1, 2, 3, 4, 5, 6]}
    table = content_of(cube, Bounds(rows=4)).tables[0]
    assert (len(table.frame), table.rows, table.cut) == (4, 6, True)


def test_cube_of_any_size_in_a_few_bytes_is_a_bomb():
    category = {"category": {"index": [str(number) for number in range(1000)]}}
    cube = {"id": list("abc"), "dimension": dict.fromkeys("abc", category), "value": []}
    content = content_of(cube)
    assert content.trouble is Trouble.BOMB
    assert "1,000,000,000 cells" in content.detail


def test_sizes_that_do_not_fit_the_categories_are_told():
    content = content_of({**CUBE, "size": [10**5, 10**5], "dimension": DIMENSION, "value": {}})
    assert content.trouble is Trouble.CORRUPT


def test_cube_without_names_or_categories_is_told():
    for document in (
        {"dimension": {"a": {}}, "value": []},
        {"id": ["a"], "dimension": {"a": {}}, "value": []},
        {"id": ["a"], "dimension": {"a": {"category": {"index": {"x": "y"}}}}, "value": []},
    ):
        assert content_of(document).trouble is Trouble.CORRUPT
