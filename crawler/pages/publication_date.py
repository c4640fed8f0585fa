"""Dates of files: as pages write them, and as servers do."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

MADE_ON_REQUEST = timedelta(minutes=2)
"""A file that was changed so shortly before it came was made for this request."""
_EPOCH = datetime(1970, 1, 2, tzinfo=UTC)
_YEAR_MONTH = re.compile(r"(\d{4})(?:-(\d{2}))?")


def publication_date(text: str) -> datetime | None:
    """The time that an ISO date, a year, a year with month or an HTTP date means; else None."""
    text = text.strip()
    match = _YEAR_MONTH.fullmatch(text)
    try:
        if match is not None:
            return datetime(int(match[1]), int(match[2] or 1), 1, tzinfo=UTC)
        parsed = datetime.fromisoformat(text) if text[:4].isdigit() else parsedate_to_datetime(text)
        # Year 1 of a clock ahead of UTC is no year of UTC: this overflows, too.
        return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def modification_date(header: str, fetched_at: datetime) -> datetime | None:
    """The time in a Last-Modified header, where it says something about the file; else None.

    Many servers send the time of the answer, or a clock that was never set.
    """
    if not header.strip():
        return None
    try:
        parsed = parsedate_to_datetime(header.strip())
    except (ValueError, OverflowError):
        return None
    when = parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed
    return when.astimezone(UTC) if _EPOCH <= when <= fetched_at - MADE_ON_REQUEST else None
