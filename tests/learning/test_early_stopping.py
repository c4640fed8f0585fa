"""Early stopping: too low a yield for too long, or too little to be expected."""

import pytest

from crawler.learning.early_stopping import MIN_IN_VAIN, MIN_WAITING, Forecast, YieldMonitor


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


def test_yield_is_that_of_the_crawl_from_its_first_requests_on() -> None:
    watched = monitor(half_life=500)
    for _ in range(50):
        watched.observe(4, 1)
    assert watched.smoothed == pytest.approx(0.25, rel=0.05)


def test_old_requests_count_less() -> None:
    watched = monitor(half_life=20)
    for _ in range(100):
        watched.observe(1, 1)
    for _ in range(20):
        watched.observe(1, 0)
    assert watched.smoothed == pytest.approx(0.5, rel=0.05)


def test_requests_may_be_told_together() -> None:
    single, together = monitor(), monitor()
    for _ in range(37):
        single.observe(1, 0)
    together.observe(37, 0)
    assert together.smoothed == pytest.approx(single.smoothed)


def test_longer_patience_gives_more_requests() -> None:
    assert until_exhausted(monitor(patience=500)) == until_exhausted(monitor(patience=50)) + 450


def test_crawl_of_the_default_settings_ends_long_before_seven_thousand_requests() -> None:
    watched = YieldMonitor(500, 0.002, 3000)
    for _ in range(10):
        watched.observe(10, 1)
    assert until_exhausted(watched) < 5000


def test_a_find_that_lifts_the_yield_over_the_floor_begins_the_count_anew() -> None:
    watched = monitor(half_life=10, floor=0.05, patience=50)
    watched.observe(100, 0)
    assert watched.exhausted
    watched.observe(1, 1)
    assert watched.smoothed > 0.05
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
    before = watched.save()
    watched.observe(0, 0)
    assert watched.save() == before


def forecasting(
    kept_word: float, waiting: float, requests: int = 500, links: int = 800, files: int = 1
) -> YieldMonitor:
    """A crawl whose links promise 0.1 each and give `kept_word` of it, pages having `files`."""
    watched = YieldMonitor(100, 0.0, 1, share=0.02, finds=950 // files)
    targets = 0
    for number in range(1, requests + 1):
        new = int(number * 0.1 * kept_word) - targets
        targets += new
        watched.consider(Forecast(0.1 * number, waiting, links), 1000)
        watched.observe(1, new)
    for _ in range(min(requests, 100)):
        watched.observe(1, 0)
    watched.consider(Forecast(0.1 * requests, waiting, links), 1000)
    return watched


def test_crawl_that_still_gives_goes_on_whatever_is_expected() -> None:
    watched = forecasting(1.0, waiting=1)
    watched.observe(1, 1)
    watched.consider(Forecast(50.0, 1, 800), 1000)
    assert not watched.exhausted


def test_crawl_ends_when_the_waiting_links_promise_too_little() -> None:
    assert forecasting(1.0, waiting=10).exhausted
    assert not forecasting(1.0, waiting=100).exhausted


def test_crawl_goes_on_until_it_was_quiet_for_longer_than_ever_before_a_target() -> None:
    watched = forecasting(1.0, waiting=10)
    watched.observe(1, 1)
    for quiet in range(1, 150):
        watched.observe(1, 0)
        watched.consider(Forecast(50.0, 10, 800), 1000)
        assert watched.exhausted == (quiet >= watched.longest_gap)
    assert 100 <= watched.longest_gap < 120


def test_more_is_expected_where_a_page_has_many_files() -> None:
    assert forecasting(1.0, waiting=15).exhausted
    assert not forecasting(1.0, waiting=15, files=20).exhausted


def test_targets_in_a_row_are_the_files_of_one_page() -> None:
    watched = monitor()
    for new in (0, 1, 1, 1, 0, 0, 1, 0):
        watched.observe(1, new)
    assert watched.finds == 2


def test_few_waiting_links_are_followed_to_the_end() -> None:
    assert forecasting(1.0, waiting=1, links=MIN_WAITING).exhausted
    assert not forecasting(1.0, waiting=1, links=MIN_WAITING - 1).exhausted


def in_vain(postponed: int, requests: int = 100, share: float = 0.02) -> YieldMonitor:
    """A crawl that made this many requests for links that had been postponed."""
    watched = YieldMonitor(500, 0.0, 1, share)
    watched.observe(requests - postponed, 3)
    for _ in range(postponed):
        watched.observe(1, 0, postponed=True)
    watched.consider_rest(900, requests)
    return watched


def test_postponed_links_are_left_after_some_of_the_requests_went_into_them_in_vain() -> None:
    assert not in_vain(MIN_IN_VAIN - 1).exhausted
    assert in_vain(MIN_IN_VAIN).exhausted
    assert not in_vain(59, requests=2000).exhausted
    assert in_vain(60, requests=2000).exhausted


def test_postponed_links_are_never_followed_longer_than_500_requests_in_vain() -> None:
    assert not in_vain(499, requests=1_000_000).exhausted
    assert in_vain(500, requests=1_000_000).exhausted


def test_target_among_the_postponed_links_begins_the_count_anew() -> None:
    watched = in_vain(MIN_IN_VAIN)
    watched.observe(1, 1, postponed=True)
    watched.consider_rest(900, 101)
    assert not watched.exhausted


def test_postponed_links_are_followed_to_the_end_where_nothing_may_be_left() -> None:
    assert not in_vain(MIN_IN_VAIN, share=0.0).exhausted


def test_why_tells_postponed_links_from_a_forecast() -> None:
    assert in_vain(MIN_IN_VAIN).why(3) == (
        "24 more pages of calendars and the like gave nothing,"
        " and nothing else is in the 900 waiting links"
    )


def test_promises_count_for_what_they_came_to() -> None:
    """Ten times as much is expected of links whose like gave ten times what they promised."""
    assert forecasting(0.1, waiting=60).exhausted
    assert not forecasting(1.0, waiting=60).exhausted


def test_forecast_after_few_requests_ends_nothing() -> None:
    assert not forecasting(1.0, waiting=1, requests=9).exhausted


def test_why_names_what_is_expected_and_of_how_many_links() -> None:
    ended = forecasting(1.0, waiting=10)
    assert ended.why(1000).endswith("% more targets are expected in the 800 waiting links")
    assert ended.why(1000).startswith("at most 1.")
    assert monitor().why(1000) == ""


def test_monitor_goes_on_from_its_saved_numbers() -> None:
    living = monitor()
    for _ in range(350):
        living.observe(1, 0, postponed=True)
        living.consider(Forecast(1.0, 2.0, 3), 10)
        living.consider_rest(3, 10)
    saved = monitor()
    saved.load(living.save())
    for _ in range(40):
        living.observe(1, 0)
        saved.observe(1, 0)
        assert saved == living


def test_monitor_that_had_one_memory_goes_on() -> None:
    earlier = {"found": 7.5, "asked": 300.0, "promised": 2.0, "expected": None, "quiet": 3}
    saved = monitor()
    saved.load(earlier)
    assert (saved.came, saved.found, saved.quiet, saved.in_vain) == (7.5, 7.5, 3, 0)


def test_monitor_of_an_earlier_version_goes_on() -> None:
    saved = monitor(half_life=100)
    saved.load([0.25, 17])
    assert (saved.smoothed, saved.under) == (0.25, 17)
    saved.observe(100, 0)
    assert saved.smoothed == pytest.approx(0.125, rel=0.02)
