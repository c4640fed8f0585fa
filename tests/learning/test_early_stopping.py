"""Early stopping: too low a yield for too long, or too little to be expected."""

import json
from itertools import cycle, islice

import pytest

from crawler.learning.early_stopping import (
    MIN_IN_VAIN,
    MIN_WAITING,
    WEAKEST,
    Forecast,
    YieldMonitor,
)


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
    waiting: float,
    *,
    every: int = 2,
    files: tuple[int, ...] = (1,),
    growth: float = 0.0,
    links: int = 100,
    share: float = 0.02,
) -> YieldMonitor:
    """A crawl of 1,000 links that promise 0.1 each; one of `every` is a page with files.

    In the end this is promised by the links that wait; each link brought `growth` others.
    """
    watched, targets = YieldMonitor(500, 0.0, 1, share), 0
    sizes = cycle(files)
    for number in range(1, 1001):
        waited = links + round((1000 - number) * (1 - growth))
        forecast = Forecast(0.1 * number, waiting, waited)
        watched.consider(forecast, targets)
        new = next(sizes) if number % every == 0 else 0
        targets += new
        watched.observe(1, new)
    watched.consider(Forecast(100.1, waiting, links), targets)
    return watched


def test_crawl_ends_when_the_waiting_links_promise_too_little() -> None:
    """With 500 targets 10 may be left: of 2 pages expected 6 come at most, of 20 more."""
    assert forecasting(0.4).exhausted
    assert not forecasting(4.0).exhausted


def test_promises_count_for_what_they_came_to() -> None:
    """Of as many links that promise as much, more is expected where more came of it."""
    assert forecasting(1.0, every=5, share=0.05).exhausted
    assert not forecasting(1.0, every=2, share=0.02).exhausted


def test_promises_of_late_count_more_than_early_ones() -> None:
    watched = forecasting(4.0, links=800)
    for number in range(700):
        watched.consider(Forecast(100.2 + 0.1 * number, 1.0, 799 - number), 500)
        assert not (watched.exhausted and number < 100)
        watched.observe(1, 0)
    assert watched.exhausted


def test_a_page_with_many_files_that_may_come_again_is_feared() -> None:
    """As many files in the mean, but one page in eight has more than may be left."""
    assert forecasting(0.1, files=(4,), share=0.01).exhausted
    assert not forecasting(0.1, files=(1,) * 7 + (45,), share=0.01).exhausted


def test_pages_are_taken_to_be_like_the_last_ones() -> None:
    assert forecasting(0.02, files=(45, *(1,) * 499)).exhausted


def test_links_that_are_still_to_be_found_count_with_those_that_wait() -> None:
    assert forecasting(0.5, growth=0.0).exhausted
    assert not forecasting(0.5, growth=0.6).exhausted


def test_crawl_that_finds_as_many_links_as_it_follows_goes_on() -> None:
    assert not forecasting(0.0, growth=1.0).exhausted
    assert forecasting(0.0, growth=0.5).exhausted


def test_files_of_one_link_are_told_apart_from_those_of_the_next() -> None:
    watched = monitor()
    for promised, files in enumerate((0, 1, 0, 3, 17, 0), 1):
        watched.consider(Forecast(promised, 1.0, 100), 1)
        for _ in range(files):
            watched.observe(1, 1)
        watched.observe(1, 0)
    watched.consider(Forecast(9.0, 1.0, 100), 1)
    assert (watched.sizes, watched.pages) == ([1, 3, 17], 3)


def test_what_a_page_with_files_promised_is_remembered_with_them() -> None:
    """Of what was promised before the first forecast it is not known which link promised it."""
    watched, promised = monitor(), 40.0
    for promise, files in ((0.7, 2), (0.25, 0), (1.0, 5), (0.001, 9), (0.0, 1)):
        promised += promise
        watched.consider(Forecast(promised, 1.0, 100), 1)
        watched.observe(files + 1, files)
    watched.consider(Forecast(60.0, 1.0, 100), 1)
    assert watched.sizes == [2, 5, 10]
    assert watched.strengths == [WEAKEST, 0, -20]


def alike(*pages: tuple[int, int]) -> YieldMonitor:
    watched = monitor()
    watched.strengths = [strength for strength, _ in pages]
    watched.sizes = [size for _, size in pages]
    return watched


def test_files_of_pages_that_promised_much_say_nothing_of_links_that_promise_little() -> None:
    """Promises of 1 give hundreds of files; of 1/16, 32 times what waits, a few."""
    many = [(0, 300)] * 9
    watched = alike(*many, (-8, 3), (-8, 1), (-12, 2), (-20, 1), *many)
    assert sorted(watched.sizes_alike(1 / 512)) == [1, 1, 2, 3, 6]
    assert max(watched.sizes_alike(1 / 16)) == 600


def test_where_few_pages_promised_as_little_those_that_promised_least_are_taken() -> None:
    watched = alike((0, 300), (-3, 4), (-2, 7), (-4, 2), (-1, 100), (-20, 1))
    assert sorted(watched.sizes_alike(2**-10)) == [1, 2, 4, 7, 14]


def test_a_page_larger_than_any_so_far_is_taken_for_granted() -> None:
    """Ten pages with up to 10 files: where 10 may be left a page that is larger may come."""
    assert alike(*[(-20, 10)] * 10).sizes_alike(0.01)[-1] == 20
    assert alike().sizes_alike(0.01) == []


def test_forecast_that_is_asked_for_twice_changes_nothing() -> None:
    watched = forecasting(0.04)
    before = watched.save()
    watched.consider(Forecast(100.1, 0.04, 100), 500)
    assert watched.save() == before


def test_few_waiting_links_are_followed_to_the_end() -> None:
    assert forecasting(0.0, links=MIN_WAITING).exhausted
    assert not forecasting(0.0, links=MIN_WAITING - 1).exhausted


def test_forecast_before_any_page_had_files_ends_nothing() -> None:
    assert not forecasting(0.0, every=2000).exhausted


def test_forecast_ends_nothing_where_nothing_may_be_left() -> None:
    assert not forecasting(0.0, share=0.0).exhausted


def test_what_was_promised_before_early_stopping_was_switched_on_is_no_evidence() -> None:
    watched = YieldMonitor(500, 0.0, 1, share=0.01)
    watched.consider(Forecast(100.0, 1.0, 800), 500)
    watched.observe(1, 1)
    watched.consider(Forecast(100.1, 1.0, 799), 501)
    assert watched.promises == pytest.approx(0.1)
    assert not watched.exhausted


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


def test_why_names_what_is_expected_and_of_how_many_links() -> None:
    ended = forecasting(0.4)
    sentence = "at most 1.2% more targets are expected in the 100 waiting links"
    assert ended.why(500) == sentence
    assert monitor().why(1000) == ""


def test_monitor_goes_on_from_its_saved_numbers() -> None:
    living = YieldMonitor(100, 0.1, 50, share=0.01)
    for number, new in enumerate(islice(cycle((0, 0, 1, 0, 9)), 350)):
        living.observe(1, new, postponed=True)
        living.consider(Forecast(number / 10, 2.0, 900 - number), 10 + number)
    living.consider_rest(3, 10)
    saved = YieldMonitor(100, 0.1, 50, share=0.01)
    saved.load(json.loads(json.dumps(living.save())))
    for number in range(40):
        for one in (living, saved):
            one.observe(1, 0)
            one.consider(Forecast(40 + number / 10, 0.1, 500 - number), 400)
        assert saved == living


def test_monitor_with_the_forecast_of_an_earlier_version_begins_it_anew() -> None:
    earlier = {
        "found": 7.5,
        "asked": 300.0,
        "promised": 2.0,
        "promised_in_all": 90.0,
        "expected": None,
        "quiet": 3,
        "finds": 40,
        "longest_gap": 80,
    }
    saved = YieldMonitor(500, 0.0, 1, share=0.01)
    saved.load(earlier)
    assert (saved.found, saved.asked, saved.in_vain, saved.sizes) == (7.5, 300.0, 0, [])
    for number in range(100):
        saved.consider(Forecast(91.0 + number, 0.0, 800), 500)
        saved.observe(1, 0)
        assert not saved.exhausted
    assert saved.promises < 100


def test_pages_of_an_earlier_version_that_kept_no_promises_count_as_alike() -> None:
    saved = YieldMonitor(500, 0.0, 1, share=0.01)
    saved.load({"sizes": [1, 3, 17], "tried": 20.5})
    assert (saved.sizes, saved.strengths) == ([1, 3, 17], [WEAKEST] * 3)
    saved.load(json.loads(json.dumps(saved.save())))
    assert saved.sizes_alike(0.001) == [1, 3, 17, 34]


def test_monitor_of_an_earlier_version_goes_on() -> None:
    saved = monitor(half_life=100)
    saved.load([0.25, 17])
    assert (saved.smoothed, saved.under) == (0.25, 17)
    saved.observe(100, 0)
    assert saved.smoothed == pytest.approx(0.125, rel=0.02)
