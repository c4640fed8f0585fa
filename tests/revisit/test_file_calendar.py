"""Files replaced on fixed days: chances by hand, and what a server says about the last change."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from crawler.revisit.file_calendar import (
    CHANCE_DAYS,
    CHANCE_PRIOR,
    HIT,
    MISS,
    PERIODS,
    PRIORS,
    FileTimes,
    PastChanges,
    chances_of_release,
    last_changes,
)
from crawler.revisit.file_schedule import due_files
from crawler.revisit.observe import FileSeen, observe_file
from crawler.revisit.visit_log import Outcome
from tests.revisit.histories import day, file

NOTHING = PastChanges(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))


def number(text: str) -> int:
    return (date.fromisoformat(text) - date(1970, 1, 1)).days


def chance(changed: str, checked: str, today: str, past: PastChanges = NOTHING) -> float:
    times = FileTimes(
        np.array([number(changed) if changed else -1]), np.array([number(checked)]), number(today)
    )
    return float(chances_of_release(times, past)[0])


def weights(passed: int) -> list[float]:
    return [prior / period for prior, period in zip(PRIORS, PERIODS, strict=True)] + [
        CHANCE_PRIOR / (passed + CHANCE_DAYS)
    ]


def test_week_after_the_last_change_by_hand() -> None:
    # Changed on a Monday, fetched on Thursday; today is the next Monday.
    week, month, quarter, by_chance = weights(passed=3)
    expected = week / (week + month + quarter + by_chance)
    assert chance("2026-01-05", "2026-01-08", "2026-01-12") == pytest.approx(expected)
    assert chance("2026-01-05", "2026-01-08", "2026-01-11") == 0.0


def test_day_that_passed_in_vain_makes_its_calendar_less_likely() -> None:
    week, month, quarter, by_chance = weights(passed=7)
    expected = week * MISS / (week * MISS + month + quarter + by_chance)
    assert chance("2026-01-05", "2026-01-12", "2026-01-19") == pytest.approx(expected)


def test_change_that_fell_on_such_a_day_makes_it_more_likely() -> None:
    before = PastChanges(np.array([0]), np.array([number("2026-01-05")]), np.array([1.0]))
    week, month, quarter, by_chance = weights(passed=1)
    expected = week * HIT / (week * HIT + month + quarter + by_chance)
    seen = chance("2026-01-12", "2026-01-13", "2026-01-19", before)
    assert seen == pytest.approx(expected)


@pytest.mark.parametrize(
    ("changed", "checked", "due", "not_due"),
    [
        ("2026-01-15", "2026-02-10", "2026-02-15", "2026-02-11"),
        ("2025-10-20", "2026-01-18", "2026-01-20", "2026-01-18"),
        ("2026-01-31", "2026-02-27", "2026-02-28", "2026-02-27"),
    ],
)
def test_same_day_of_the_month(changed: str, checked: str, due: str, not_due: str) -> None:
    assert chance(changed, checked, due) > chance(changed, checked, not_due)


@pytest.mark.parametrize("changed", ["", "2019-03-01", "2027-01-01"])
def test_unknown_old_and_future_changes_have_no_calendar(changed: str) -> None:
    assert chance(changed, "2026-01-08", "2026-02-08") == 0.0


def test_last_change_is_the_servers_or_that_of_an_overnight_check() -> None:
    past = PastChanges(
        np.array([0, 1, 2, 2]), np.array([9, 9, 5, 9]), np.array([1.0, 1.0, 1.0, 4.0])
    )
    assert last_changes(np.array([7, -1, -1, -1]), past).tolist() == [7, 9, -1, -1]


def test_weekly_file_is_checked_on_its_day() -> None:
    weekly = replace(file(file_id=1), modified=day(0), first_seen=day(1))
    others = [
        replace(file(file_id=one), modified=day(-900), first_seen=day(1)) for one in range(2, 9)
    ]
    assert [one.id for one in due_files([*others, weekly], 1, day(7))] == [1]


def test_future_date_of_a_server_is_not_believed() -> None:
    file_of_tomorrow = replace(file(), modified=day(40_000))
    assert [one.id for one in due_files([file_of_tomorrow], 1, day(3))] == [1]


def test_checks_in_turn_are_beaten_on_weekly_files() -> None:
    """60 nights of 40 weekly files among 160 that never change: they are known as of night 8."""
    rng = np.random.default_rng(5)
    weekday = rng.integers(0, 7, 40)
    files = [
        replace(file(file_id=row), modified=day(-700), first_seen=day(0)) for row in range(200)
    ]
    for row in range(40):
        files[row] = replace(files[row], modified=day(-7 + int(weekday[row])))
    stale = 0
    newest = dict.fromkeys(range(40), 0.0)
    held = dict.fromkeys(range(200), 0.0)
    for night in range(1, 61):
        for row in range(40):
            if night % 7 == weekday[row]:
                newest[row] = float(night)
        for planned in due_files(files, 40, day(night)):
            row = planned.id
            is_new = row in newest and newest[row] > held[row]
            held[row] = float(night)
            outcome = Outcome.CHANGED if is_new else Outcome.UNCHANGED
            modified = day(newest[row]) if is_new else files[row].modified
            files[row] = replace(
                observe_file(files[row], FileSeen(day(night), outcome)), modified=modified
            )
        stale += sum(newest[row] > held[row] for row in range(40))
    # In turn every file waits for up to four nights, for two of them in the mean.
    assert stale < 0.3 * 2 * 40 * 60 / 7
