"""Heavy tails with the total that was asked for."""

import statistics

import pytest

from crawler.lab.sites.tail import Tail


@pytest.mark.parametrize(("ranks", "total"), [(1, 1), (1, 50), (3, 40), (100, 1000), (5000, 9000)])
@pytest.mark.parametrize("spread", [0.2, 2.0, 10.0])
def test_total_is_met_and_every_page_has_a_file(ranks, total, spread):
    tail = Tail(ranks, total, spread)
    counts = [tail.count(rank) for rank in range(ranks)]
    assert min(counts) >= 1
    assert tail.total() == sum(counts) == pytest.approx(total, rel=0.05, abs=2)


def test_long_rest_is_estimated_well():
    assert Tail(60_000, 200_000, 3.0).total() == pytest.approx(200_000, rel=0.02)


def test_spread_is_that_of_the_table():
    tail = Tail(20_000, 400_000, 2.0)
    counts = [tail.count(rank) for rank in range(20_000)]
    assert statistics.pstdev(counts) / statistics.fmean(counts) == pytest.approx(2.0, rel=0.15)


def test_larger_spread_makes_larger_hubs():
    assert Tail(100, 1000, 10.0).count(0) > 5 * Tail(100, 1000, 0.5).count(0)
