"""Dates as pages write them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.pages.publication_date import publication_date


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2025", datetime(2025, 1, 1, tzinfo=UTC)),
        ("2025-03", datetime(2025, 3, 1, tzinfo=UTC)),
        ("2025-03-04", datetime(2025, 3, 4, tzinfo=UTC)),
        ("2025-03-04T10:00:00+02:00", datetime(2025, 3, 4, 8, tzinfo=UTC)),
        ("2025-03-04T10:00Z", datetime(2025, 3, 4, 10, tzinfo=UTC)),
        ("Tue, 04 Mar 2025 10:00:00 GMT", datetime(2025, 3, 4, 10, tzinfo=UTC)),
        ("last spring", None),
        ("2025-13", None),
        ("0001-01-01T00:00:00+05:00", None),
        ("9999-12-31T23:59:59-05:00", None),
        ("", None),
    ],
)
def test_dates_are_read_in_their_usual_spellings(text: str, expected: datetime | None) -> None:
    assert publication_date(text) == expected


@settings(deadline=None)
@given(st.text(max_size=40))
def test_no_text_breaks_it(text: str) -> None:
    found = publication_date(text)
    assert found is None or found.tzinfo is UTC
