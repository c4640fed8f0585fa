"""Whether a schedule has a moment in a stretch of time."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from crawler.config.schedule import falls_within

MONDAY = datetime(2026, 11, 16, 20, 0, tzinfo=UTC)
DAY = timedelta(hours=24)


@pytest.mark.parametrize(
    ("schedule", "falls"),
    [
        ("@once", True),
        ("@hourly", True),
        ("@daily", True),
        ("@weekly", False),
        ("@monthly", False),
        ("@quarterly", False),
        ("@yearly", False),
        ("30 2 * * *", True),
        ("0 20 * * *", True),
        ("59 19 * * 2", True),
        ("0 3 * * 2", True),
        ("0 3 * * tue", True),
        ("0 3 * * 1", False),
        ("0 21 * * mon", True),
        ("0 3 * * 1-5", True),
        ("0 3 * * 6,7", False),
        ("0 3 17 * *", True),
        ("0 3 16 * *", False),
        ("0 3 1 * 2", True),
        ("0 3 17 * 5", True),
        ("0 3 1 * 5", False),
        ("0 3 * dec *", False),
        ("*/20 4 * nov *", True),
        ("0 */5 * * *", True),
        ("0 3 */16 * *", True),
        ("0 3 */15 * *", False),
    ],
)
def test_moment_is_found(schedule: str, falls: bool) -> None:
    assert falls_within(schedule, MONDAY, DAY) is falls


def test_stretch_has_its_beginning_and_not_its_end() -> None:
    assert falls_within("0 20 * * 1", MONDAY, DAY)
    assert not falls_within("0 20 * * 2", MONDAY, DAY)
    assert not falls_within("5 20 * * 1", MONDAY, timedelta(minutes=5))


def test_seconds_of_the_start_do_not_hide_the_next_moment() -> None:
    late = MONDAY + timedelta(seconds=0.5)
    assert not falls_within("0 20 * * 1", late, timedelta(minutes=5))
    assert falls_within("1 20 * * 1", late, timedelta(minutes=5))


def test_time_zone_is_that_of_the_moment() -> None:
    elsewhere = datetime(2026, 11, 16, 23, 0, tzinfo=timezone(timedelta(hours=3)))
    assert falls_within("0 20 * * 1", elsewhere, timedelta(minutes=1))
