"""Times as people write them: `7d`, `12h`, `2026-11-01`."""

import re
from datetime import UTC, date, datetime, time, timedelta

_AGO = re.compile(r"(\d{1,6})\s*([hdwmy])")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_HOURS = {"h": 1, "d": 24, "w": 7 * 24, "m": 30 * 24, "y": 365 * 24}
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)


def moment(value: "datetime | str", *, now: datetime | None = None) -> datetime:
    """A point in time, in UTC; ValueError with a sentence when the text is none."""
    if isinstance(value, datetime):
        return _utc(value)
    text = value.strip().lower()
    now = now or datetime.now(UTC)
    if match := _AGO.fullmatch(text):
        hours = int(match[1]) * _HOURS[match[2]]
        age = now - _EARLIEST
        return max(_EARLIEST, now - timedelta(hours=hours)) if hours < age.days * 24 else _EARLIEST
    try:
        return _utc(datetime.fromisoformat(text.upper()))
    except ValueError:
        raise ValueError(
            f"'{value[:40]}' is no time: write 12h, 7d, 4w, 6m, 1y, or a date such as 2026-11-01"
        ) from None


def end_of(
    value: "date | datetime | str | None", *, now: datetime | None = None
) -> datetime | None:
    """The time up to which something is asked `as of` a day: the end of the day, or that time."""
    if value is None or value == "":
        return None
    day = value if isinstance(value, date) and not isinstance(value, datetime) else None
    if isinstance(value, str) and _DAY.fullmatch(value.strip()):
        day = moment(value).date()
    if day is None:
        return moment(value, now=now)  # type: ignore[arg-type]
    return datetime.combine(day, time.max, UTC)


def _utc(value: datetime) -> datetime:
    """A time without a zone is meant in UTC, as all times here."""
    try:
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    except OverflowError:
        raise ValueError("that time is too far away") from None
