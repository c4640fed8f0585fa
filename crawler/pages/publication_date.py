"""Publication dates as pages write them."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_YEAR_MONTH = re.compile(r"(\d{4})(?:-(\d{2}))?")


def publication_date(text: str) -> datetime | None:
    """The time that an ISO date, a year, a year with month or an HTTP date means; else None."""
    text = text.strip()
    match = _YEAR_MONTH.fullmatch(text)
    try:
        if match is not None:
            return datetime(int(match[1]), int(match[2] or 1), 1, tzinfo=UTC)
        parsed = datetime.fromisoformat(text) if text[:4].isdigit() else parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
