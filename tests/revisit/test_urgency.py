"""What a visit tonight is worth, by hand."""

import numpy as np
import pytest

from crawler.revisit.calendars import factors, tonight
from crawler.revisit.urgency import backlog_table, urgency_table, worth
from tests.revisit.histories import day

CHANCE, MONDAYS = 0, 3


def test_worth_falls_every_night() -> None:
    values = worth(np.arange(30))
    assert values[0] == 1.0
    assert (np.diff(values) < 0).all()


def test_index_by_hand() -> None:
    # Not seen for three nights, one publication a night: v0 + v1 + v2 - 3 * v3.
    v = worth(np.arange(4))
    assert urgency_table(day(2))[CHANCE, 3] == pytest.approx(v[0] + v[1] + v[2] - 3 * v[3])
    assert urgency_table(day(2))[CHANCE, 0] == 0.0


def test_index_grows_with_age() -> None:
    assert (np.diff(urgency_table(day(2))[CHANCE]) > 0).all()


def test_page_of_mondays_is_urgent_on_mondays() -> None:
    assert urgency_table(day(7))[MONDAYS, 7] > 2 * urgency_table(day(6))[MONDAYS, 6]


def test_backlog_is_what_was_published_since() -> None:
    now = day(8)
    days = tonight(now) - np.arange(5)
    assert backlog_table(now)[:, 5] == pytest.approx(factors(days).sum(axis=1))
