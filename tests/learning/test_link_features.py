"""What a link looks like: figures folded, ids left out, files known by their names."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.learning.link_features import (
    ALWAYS,
    DATA_FILE,
    MAX_FEATURES,
    NOTHING,
    SIZE,
    features_of,
    number_of,
    shape_of,
)

PATH = "html body.page div#main ul.list li a.file"


def features(url: str, anchor: str = "", tag_path: str = PATH) -> set[int]:
    row = features_of(url, anchor, tag_path, action=3, parent_action=1)
    return set(row[row < SIZE].tolist())


def test_links_that_differ_in_figures_only_look_alike():
    first = features("https://stat.example/births/2019/table-12.csv", "Births in 2019")
    second = features("https://stat.example/births/2020/table-7.csv", "Births in 2020")
    assert first == second


def test_ids_and_figures_are_no_part_of_a_tag_path():
    one = shape_of("html body div#block-821f.layout li#item-7 a")
    other = shape_of("html body div#block-9c4e.layout li#item-12 a")
    assert one == other == "html body div.layout li a"
    assert shape_of("html div.col-4 a") == shape_of("html div.col-12 a")


def test_hexadecimal_ids_are_no_part_of_a_tag_path():
    one = shape_of("html div.js-view-dom-id-3f2a9c5177b1e0 a")
    other = shape_of("html div.js-view-dom-id-b81e22f09aa4c3 a")
    assert one == other == "html div.js-view-dom-id-0 a"
    assert shape_of("html div.feedback a") == "html div.feedback a"


def test_pages_of_one_program_share_a_feature_whatever_their_names():
    one = features("https://stat.example/node/a-name?page=3") & features(
        "https://stat.example/node/something-else?page=9"
    )
    assert number_of("template /node/*?page") in one


def test_no_other_feature_has_the_number_of_a_prior():
    """`action 1383` would have been taken for the name of a data file."""
    numbers = {number_of(f"action {number}") for number in range(5000)}
    assert not numbers & {ALWAYS, DATA_FILE}


@pytest.mark.parametrize("name", ["births.csv", "births.XLSX", "report.pdf", "all.zip"])
def test_name_of_a_data_file_is_known_before_anything_was_learned(name):
    assert DATA_FILE in features(f"https://stat.example/{name}")


@pytest.mark.parametrize("name", ["births", "births.html", "csv", "list.php?format=csv"])
def test_other_names_are_not(name):
    assert DATA_FILE not in features(f"https://stat.example/{name}")


def test_every_part_of_a_link_tells():
    link = features("https://stat.example/a/b/name.csv?lang=fr", "Population")
    for feature in (
        "host stat.example",
        "under a",
        "under a/b",
        "folder b",
        "word name",
        "extension csv",
        "key lang",
        "pair lang=fr",
        "anchor population",
        "tags ul.list li a.file",
        "action 3",
        "page 1",
    ):
        assert number_of(feature) in link, feature


@given(st.text(max_size=300), st.text(max_size=300), st.text(max_size=300))
def test_whatever_the_web_says_gives_a_row_of_the_same_length(path, anchor, tag_path):
    row = features_of(f"https://stat.example/{path}", anchor, tag_path, 0, -1)
    assert row.shape == (MAX_FEATURES,)
    assert row.dtype == np.uint16
    used = row[row != NOTHING]
    assert ALWAYS in used.tolist()
    assert len(set(used.tolist())) == len(used)
    assert (used < SIZE).all()
