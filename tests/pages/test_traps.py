"""Each trap ends with its reason, honest archives go on, and the counters can be stored."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.pages.reasons import SkipReason
from crawler.pages.traps import TrapRules, repeats_itself

TODAY = date(2026, 11, 16)
SITE = "https://stat.example"


def rules(**limits: int) -> TrapRules:
    return TrapRules(TODAY, depth=None, **limits)


def test_a_url_may_have_2000_characters() -> None:
    trap = rules()
    url = f"{SITE}/".ljust(2000, "a")
    assert trap.check(url, 0) is None
    assert trap.check(url + "a", 0) is SkipReason.URL_TOO_LONG


def test_depth_counts_only_when_it_is_limited() -> None:
    assert rules().check(f"{SITE}/a", 5000) is None
    limited = TrapRules(TODAY, depth=3)
    assert limited.check(f"{SITE}/a", 3) is None
    assert limited.check(f"{SITE}/b", 4) is SkipReason.TOO_DEEP


@pytest.mark.parametrize(
    "path",
    [
        "/a/a/a/",
        "/x/en/en/en/y",
        "/a/b/a/b/a/b",
        "/x/a/b/c/a/b/c/a/b/c/y",
        "/data/x/data/y/data/z/data/",
        "/2020/2020/2020",
    ],
)
def test_a_path_that_runs_in_circles_is_a_trap(path: str) -> None:
    assert rules().check(SITE + path, 1) is SkipReason.REPEATING_PATH


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/a/b/c/d/e/f",
        "/a/a/b",
        "/a/b/a/b/a",
        "/1/x/1/y/1/z/1/",
        "/data/x/data/y/data",
        "//a//b//",
        "/aa/a/aaa",
    ],
)
def test_a_path_that_goes_on_is_none(path: str) -> None:
    assert rules().check(SITE + path, 1) is None


def test_the_longest_paths_are_judged_quickly() -> None:
    assert not repeats_itself("/".join(str(n % 997) for n in range(1000)) + "/x", 3)
    assert repeats_itself("/a" * 1000, 3)


def test_combinations_of_parameters_end() -> None:
    trap = rules(parameter_combinations=5)
    answers = [trap.check(f"{SITE}/list?a={n}&b=1", 1) for n in range(8)]
    assert answers == [None] * 5 + [SkipReason.PARAMETER_TRAP] * 3
    assert trap.check(f"{SITE}/other?a=1&b=1", 1) is None
    assert trap.check(f"{SITE}/list", 1) is None


def test_pages_of_a_list_go_on_ten_times_longer() -> None:
    trap = rules(parameter_combinations=5)
    answers = [trap.check(f"{SITE}/list?page={n}", 1) for n in range(52)]
    assert answers == [None] * 50 + [SkipReason.PARAMETER_TRAP] * 2
    assert trap.check(f"{SITE}/list?page=1&sort=a", 1) is None


def test_numbers_in_a_path_make_different_paths() -> None:
    trap = rules(parameter_combinations=2)
    assert {trap.check(f"{SITE}/table/{n}?a=1&b={n}", 1) for n in range(50)} == {None}


@pytest.mark.parametrize(
    "tail",
    [
        "/calendar/2031/05/",
        "/calendar/2031/05",
        "/calendar/2031/5/17/",
        "/calendar/2031/05/17/events",
        "/calendar/2031-05",
        "/calendar/2031-05-17/day",
        "/events?date=2031-05-17",
        "/events?date=2031%2F05%2F17",
        "/events?date=17/05/2031",
        "/events?day=20310517",
        "/events?year=2031&month=5",
        "/events?m=05&x=1&y=2031",
        "/events/2029/01/",
    ],
)
def test_a_calendar_far_ahead_is_a_trap(tail: str) -> None:
    assert rules().check(SITE + tail, 1) is SkipReason.CALENDAR_TRAP


@pytest.mark.parametrize(
    "tail",
    [
        "/events/2028/12/",
        "/events/1999/12/",
        "/projections/2050/",
        "/projections-2030-2050/",
        "/node/9961/12/",
        "/node/2031/5/",
        "/events?year=2031",
        "/events?year=2031&month=13",
        "/doc?id=20310517",
        "/phone/0203105",
        "/files/population-2031-05.xlsx",
    ],
)
def test_other_numbers_are_no_calendar(tail: str) -> None:
    assert rules().check(SITE + tail, 1) is None


def test_a_run_of_dates_ends() -> None:
    trap = rules(calendar_run=30)
    days = [TODAY - timedelta(days=n) for n in range(40)]
    answers = [trap.check(f"{SITE}/diary/{day:%Y/%m/%d}/", 1) for day in days]
    assert answers == [None] * 30 + [SkipReason.CALENDAR_TRAP] * 10
    assert trap.check(f"{SITE}/archive/2020/01/01/", 1) is None


def test_a_run_that_pays_goes_on() -> None:
    trap = rules(calendar_run=30, parameter_combinations=30)
    for n in range(300):
        day = TODAY - timedelta(days=n)
        for url in (f"{SITE}/diary/{day:%Y/%m/%d}/", f"{SITE}/table?id={n}&lang=en"):
            assert trap.check(url, 1) is None
            if n % 20 == 0:
                trap.earned(url)


def test_dated_articles_never_count_as_a_calendar() -> None:
    trap = rules(calendar_run=3)
    for number in range(20):
        url = f"https://stat.example/news/2024/05/births-fell-again-{number}"
        assert trap.check(url, 1) is None


@pytest.mark.parametrize("view", ["", "/", "/week", "/list/", ".html", "/semaine.php"])
def test_pages_about_a_date_count_as_a_calendar(view: str) -> None:
    trap = rules(calendar_run=3)
    urls = [f"https://stat.example/events/2024/05/{day:02}{view}" for day in range(1, 10)]
    refused = [trap.check(url, 1) for url in urls]
    assert refused == [None] * 3 + [SkipReason.CALENDAR_TRAP] * 6


def test_dated_files_never_count_as_a_calendar() -> None:
    trap = rules(calendar_run=3)
    urls = [f"{SITE}/daily/2025-01-{day:02}.csv" for day in range(1, 32)]
    assert {trap.check(url, 1) for url in urls} == {None}


def test_changes_are_told_once_and_fit_sqlite() -> None:
    trap = rules()
    trap.check(f"{SITE}/list?a=1&b=1", 1)
    trap.check(f"{SITE}/list?a=2&b=1", 1)
    changed = trap.counters.changes()
    assert list(changed.values()) == [2]
    assert all(-(2**63) <= key < 2**63 for key in changed)
    assert trap.counters.changes() == {}
    trap.earned(f"{SITE}/list?a=2&b=1")
    assert trap.counters.changes() == dict.fromkeys(changed, 0)
    trap.earned(f"{SITE}/list?a=2&b=1")
    assert trap.counters.changes() == {}


def test_a_full_counter_writes_nothing_more() -> None:
    trap = rules(parameter_combinations=2)
    for n in range(3):
        trap.check(f"{SITE}/list?a={n}&b=1", 1)
    trap.counters.changes()
    assert trap.check(f"{SITE}/list?a=9&b=1", 1) is SkipReason.PARAMETER_TRAP
    assert trap.counters.changes() == {}


_URLS = st.builds(
    "{}/{}/{}?{}".format,
    st.just(SITE),
    st.sampled_from(["list", "cal/2020/01", "a/b"]),
    st.integers(0, 3),
    st.sampled_from(["", "p=1", "p=1&q=2", "date=2020-01-02", "date=2040-01-02&x=1"]),
)
_STEPS = st.lists(st.tuples(st.sampled_from(["check", "earned"]), _URLS), max_size=60)


def play(trap: TrapRules, steps: list[tuple[str, str]]) -> list[SkipReason | None]:
    answers = []
    for action, url in steps:
        if action == "check":
            answers.append(trap.check(url, 1))
        else:
            trap.earned(url)
    return answers


@given(_STEPS, _STEPS)
def test_a_restored_crawl_takes_the_same_decisions(
    before: list[tuple[str, str]], after: list[tuple[str, str]]
) -> None:
    limits = {"parameter_combinations": 2, "calendar_run": 3}
    living = rules(**limits)
    stored: dict[int, int] = {}
    for step in before:
        play(living, [step])
        stored.update(living.counters.changes())
    restored = rules(**limits)
    restored.counters.load(stored.items())
    assert restored.counters.changes() == {}
    assert play(restored, after) == play(living, after)
    assert restored.counters.changes() == living.counters.changes()


@given(st.text())
def test_any_text_is_judged(text: str) -> None:
    trap = rules()
    trap.check(text, 0)
    trap.check(f"{SITE}/{text}", 0)
    trap.earned(text)
