"""Logs of visits: packed, bounded, and safe against clocks that jump."""

import pytest

from crawler.revisit.visit_log import (
    MAX_CHECKS,
    MAX_COUNT,
    MAX_GAP_DAYS,
    MAX_VISITS,
    VISIT,
    Outcome,
    Visit,
    append_check,
    append_visit,
    gap_in_days,
    read_checks,
    read_visits,
)


def test_what_is_appended_is_read_again() -> None:
    visits = [Visit(100.0, 0.0, Outcome.NEW, 5, 2), Visit(86500.0, 1.0, Outcome.CHANGED, 1, 0)]
    log = b""
    for visit in visits:
        log = append_visit(log, visit)
    assert read_visits(log) == visits


def test_log_keeps_the_newest_visits_only() -> None:
    log, checks = b"", b""
    for number in range(200):
        log = append_visit(log, Visit(float(number), 1.0, Outcome.UNCHANGED))
        checks = append_check(checks, Visit(float(number), 1.0, Outcome.UNCHANGED))
    assert len(log) == MAX_VISITS * VISIT.itemsize
    assert [visit.at for visit in read_visits(log)] == list(range(200 - MAX_VISITS, 200))
    assert [check.at for check in read_checks(checks)] == list(range(200 - MAX_CHECKS, 200))


def test_counts_too_large_for_the_log_are_cut_off() -> None:
    log = append_visit(b"", Visit(1.0, 1.0, Outcome.CHANGED, 10**9, 10**9))
    assert read_visits(log)[0].new_targets == MAX_COUNT


@pytest.mark.parametrize(
    ("earlier", "later", "days"),
    [(0, 86_400, 1.0), (86_400, 0, 0.0), (0, 86_400 * 365 * 30, MAX_GAP_DAYS), (5, 5, 0.0)],
)
def test_gap_is_never_negative_and_never_years(earlier: float, later: float, days: float) -> None:
    assert gap_in_days(earlier, later) == days
