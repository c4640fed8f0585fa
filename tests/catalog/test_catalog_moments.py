"""Times as people write them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.catalog.read.moments import moment

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12h", NOW - timedelta(hours=12)),
        (" 7D ", NOW - timedelta(days=7)),
        ("2w", NOW - timedelta(weeks=2)),
        ("1y", NOW - timedelta(days=365)),
        ("2026-11-01", datetime(2026, 11, 1, tzinfo=UTC)),
        ("2026-11-01T06:30", datetime(2026, 11, 1, 6, 30, tzinfo=UTC)),
        ("2026-11-01T06:30+02:00", datetime(2026, 11, 1, 4, 30, tzinfo=UTC)),
        ("2026-11-01t06:30z", datetime(2026, 11, 1, 6, 30, tzinfo=UTC)),
        ("999999y", datetime(1970, 1, 1, tzinfo=UTC)),
    ],
)
def test_text_becomes_a_time_in_utc(text, expected):
    assert moment(text, now=NOW) == expected


def test_times_are_taken_as_utc_unless_they_say_otherwise():
    assert moment(datetime(2026, 1, 1)) == datetime(2026, 1, 1, tzinfo=UTC)
    there = datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=2)))
    assert moment(there) == datetime(2025, 12, 31, 22, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "d", "7", "-7d", "soon", "2026-13-01", "7d7d"])
def test_other_text_is_refused_with_examples(text):
    with pytest.raises(ValueError, match="write 12h, 7d"):
        moment(text)


@given(st.text(max_size=30))
def test_any_text_is_a_time_or_a_sentence(text):
    try:
        assert moment(text).tzinfo is not None
    except ValueError as error:
        assert "is no time" in str(error) or "too far" in str(error)  # noqa: PT017
