"""The pages that were read last: bounded, and the same after they were saved."""

import numpy as np

from crawler.learning.link_features import MAX_FEATURES, Row
from crawler.strategies.read_pages import ReadPages


def row(number: int) -> Row:
    return np.full(MAX_FEATURES, number, dtype=np.uint16)


def test_targets_of_a_page_add_up():
    pages = ReadPages()
    pages.add(7, row(3))
    pages.gave(7, 2)
    known = pages.gave(7, 1)
    assert known is not None
    assert (known[0].tolist(), known[1]) == (row(3).tolist(), 3)
    assert pages.gave(8, 1) is None


def test_oldest_page_gives_its_place_to_a_new_one():
    pages = ReadPages(remembered=2)
    for number in (1, 2, 3):
        pages.add(number, row(number))
    assert pages.gave(1, 1) is None
    assert [pages.gave(number, 1) is None for number in (2, 3)] == [False, False]


def test_saved_pages_go_on_as_the_living_ones():
    living, saved = ReadPages(remembered=4), dict[str, bytes]()
    for number in range(1, 12):
        living.add(number, row(number))
        living.gave(number - 1, number)
        saved |= living.take_changes()
    loaded = ReadPages(remembered=4)
    loaded.load(sorted(saved.items()), living.next_place)
    for pages in (living, loaded):
        pages.add(20, row(20))
    for number in range(21):
        one, other = living.gave(number, 1), loaded.gave(number, 1)
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert (one[0].tolist(), one[1]) == (other[0].tolist(), other[1])
