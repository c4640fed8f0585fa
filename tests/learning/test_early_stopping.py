"""Early stopping: a smoothed yield that stays under a floor for long enough."""

import pytest

from crawler.learning.early_stopping import YieldMonitor


def monitor(half_life: float = 100, floor: float = 0.1, patience: int = 50) -> YieldMonitor:
    return YieldMonitor(half_life, floor, patience)


def until_exhausted(watched: YieldMonitor, most: int = 100_000) -> int:
    """Requests without a target until the crawl should end."""
    for request in range(1, most):
        watched.observe(1, 0)
        if watched.exhausted:
            return request
    raise AssertionError("never exhausted")


def test_crawl_starts_with_the_benefit_of_the_doubt() -> None:
    fresh = monitor()
    assert fresh.smoothed == 1.0
    assert not fresh.exhausted


def test_yield_halves_in_one_half_life_without_targets() -> None:
    watched = monitor(half_life=100)
    for expected in (0.5, 0.25, 0.125):
        for _ in range(100):
            watched.observe(1, 0)
        assert watched.smoothed == pytest.approx(expected)


def test_requests_may_be_told_together() -> None:
    single, together = monitor(), monitor()
    for _ in range(37):
        single.observe(1, 0)
    together.observe(37, 0)
    assert together.smoothed == pytest.approx(single.smoothed)


def test_steady_yield_is_found_in_the_end() -> None:
    watched = monitor(half_life=20)
    for _ in range(200):
        watched.observe(4, 1)
    assert watched.smoothed == pytest.approx(0.25)


def test_ends_when_the_yield_was_under_the_floor_for_so_many_requests() -> None:
    # 0.5^(n/100) is under 0.1 from n = 333 on, and 50 requests in a row are asked for.
    assert until_exhausted(monitor(half_life=100, floor=0.1, patience=50)) == 333 + 49


def test_longer_patience_gives_more_requests() -> None:
    assert until_exhausted(monitor(patience=500)) == 333 + 499


def test_yield_at_the_floor_is_not_under_it() -> None:
    watched = YieldMonitor(half_life=10, floor=0.5, patience=10)
    watched.observe(10, 0)
    assert watched.smoothed == 0.5
    assert watched.under == 0
    watched.observe(10, 0)
    assert watched.under == 10
    assert watched.exhausted


def test_a_find_that_lifts_the_yield_over_the_floor_begins_the_count_anew() -> None:
    watched = monitor(half_life=10, floor=0.05, patience=50)
    watched.observe(60, 0)
    assert watched.exhausted
    watched.observe(1, 1)
    assert watched.smoothed > 0.05
    assert watched.under == 0
    assert not watched.exhausted


def test_a_find_too_small_to_matter_does_not_begin_the_count_anew() -> None:
    watched = monitor(half_life=1000, floor=0.1, patience=100_000)
    watched.observe(10_000, 0)
    under = watched.under
    watched.observe(1, 1)
    assert watched.under == under + 1


def test_floor_of_nothing_never_ends_a_crawl() -> None:
    watched = monitor(floor=0.0, patience=1)
    watched.observe(100_000, 0)
    watched.observe(100_000, 0)
    assert not watched.exhausted


def test_no_requests_change_nothing() -> None:
    watched = monitor()
    watched.observe(500, 3)
    before = (watched.smoothed, watched.under)
    watched.observe(0, 0)
    assert (watched.smoothed, watched.under) == before


def test_monitor_goes_on_from_its_saved_numbers() -> None:
    living = monitor()
    for _ in range(350):
        living.observe(1, 0)
    saved = YieldMonitor(100, 0.1, 50, living.smoothed, living.under)
    for _ in range(40):
        living.observe(1, 0)
        saved.observe(1, 0)
        assert saved == living
    assert saved.exhausted
