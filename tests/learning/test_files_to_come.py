"""How many files may still come, against numbers that are known otherwise."""

from random import Random

import pytest

from crawler.learning.files_to_come import most_files


@pytest.mark.parametrize(
    ("pages", "most"), [(0.05, 0), (0.06, 1), (0.35, 1), (0.36, 2), (1.0, 3), (5.4, 9), (10.0, 15)]
)
def test_pages_with_one_file_each_are_a_poisson_number(pages, most):
    assert most_files(pages, [1] * 7, 0.95, 100) == most


def test_pages_with_as_many_files_each_are_counted_in_them():
    assert most_files(1.0, [30, 30], 0.95, 100) == 90


def test_more_than_may_be_left_is_not_told():
    assert most_files(1.0, [1], 0.95, 3) == 3
    assert most_files(1.0, [1], 0.95, 2) is None
    assert most_files(50.0, [1], 0.95, 2) is None


def test_nothing_is_told_of_pages_that_were_never_seen():
    assert most_files(0.0, [], 0.95, 10) is None


def test_a_rare_page_with_many_files_counts_as_soon_as_it_is_likely_enough():
    sizes = [1] * 9 + [50]
    assert most_files(0.4, sizes, 0.95, 20) == 2
    assert most_files(0.8, sizes, 0.95, 20) is None


@pytest.mark.parametrize("scale", [1, 3, 40])
def test_sums_of_any_size_are_those_of_many_draws(scale):
    """Where more files may be left than are told apart, about as many come."""
    sizes = [scale] * 60 + [2 * scale] * 25 + [7 * scale] * 10 + [20 * scale] * 5
    drawn = _most_of_draws(8.0, sizes, 0.95)
    most = most_files(8.0, sizes, 0.95, 100 * scale)
    assert most == pytest.approx(drawn, rel=0.05)


def _most_of_draws(pages, sizes, sure):
    """The same by 20,000 draws."""
    random = Random(1)
    sums = []
    for _ in range(20_000):
        many, waited = 0, random.expovariate(pages)
        while waited < 1:
            many += random.choice(sizes)
            waited += random.expovariate(pages)
        sums.append(many)
    return sorted(sums)[int(sure * len(sums))]
