"""A shuffled order that is never stored."""

from itertools import pairwise

import pytest

from crawler.lab.sites.scatter import Scatter


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1000])
def test_every_number_has_a_place_of_its_own(size):
    scatter = Scatter(size, 5)
    places = [scatter.place(number) for number in range(size)]
    assert sorted(places) == list(range(size))
    assert [scatter.number(place) for place in places] == list(range(size))


def test_order_depends_on_the_key_and_is_no_order():
    first, second = ([Scatter(500, key).place(n) for n in range(500)] for key in (1, 2))
    assert first != second
    rising = sum(a < b for a, b in pairwise(first))
    assert 180 < rising < 320


def test_large_numbers_need_no_memory():
    scatter = Scatter(10**12, 3)
    assert scatter.number(scatter.place(123_456_789_012)) == 123_456_789_012
