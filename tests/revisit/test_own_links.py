"""Links that make a page different from others."""

import pytest

from crawler.revisit.fingerprints import pack
from crawler.revisit.own_links import OwnLinks

FRAME = range(1000, 1040)


def pages() -> list[bytes]:
    sets = [{at * 10, at * 10 + 1, at * 10 + 2, at * 10 + 3} for at in range(1, 60)]
    sets[1] = sets[0] | {5}
    sets[2] = {10, 11, 7, 8}
    return [pack({*FRAME, *links}) for links in sets]


def test_menus_and_footers_are_not_own_links() -> None:
    own = OwnLinks(list(range(59)), pages())
    assert own.of(0) == [10, 11, 12, 13]


def test_overlap_is_the_largest_with_a_chosen_page() -> None:
    own = OwnLinks(list(range(59)), pages())
    own.choose(0)
    own.choose(5)
    assert own.overlap(1) == pytest.approx(4 / 5)
    assert own.overlap(2) == pytest.approx(2 / 6)
    assert own.overlap(9) == 0.0


def test_pages_without_links() -> None:
    own = OwnLinks([0, 1], [b"", b""])
    own.choose(0)
    assert own.overlap(1) == 0.0
