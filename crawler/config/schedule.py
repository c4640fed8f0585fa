"""When a site is visited: a preset such as '@daily', or a cron expression of five fields."""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator

PRESETS = ("@once", "@hourly", "@daily", "@weekly", "@monthly", "@quarterly", "@yearly")

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

_FIELDS: tuple[tuple[str, int, int, dict[str, int]], ...] = (
    ("minute", 0, 59, {}),
    ("hour", 0, 23, {}),
    ("day of the month", 1, 31, {}),
    ("month", 1, 12, {name: number for number, name in enumerate(_MONTHS, start=1)}),
    ("day of the week", 0, 7, {name: number for number, name in enumerate(_WEEKDAYS)}),
)
_PART = re.compile(r"(?:\*|(\w{1,3})(?:-(\w{1,3}))?)(?:/([1-9]\d{0,2}))?")


def check_schedule(schedule: str) -> str:
    """The schedule itself; ValueError with a sentence when nobody could follow it."""
    if schedule.startswith("@"):
        if schedule not in PRESETS:
            raise ValueError(f"'{schedule[:40]}' is no preset; there are {', '.join(PRESETS)}")
        return schedule
    fields = schedule.split()
    if len(fields) != len(_FIELDS):
        raise ValueError(
            f"'{schedule[:40]}' is neither a preset such as @daily nor a cron expression "
            "of five fields such as '30 2 * * 1-5'"
        )
    for text, (label, low, high, names) in zip(fields, _FIELDS, strict=True):
        for part in text.split(","):
            if not _valid_part(part, low, high, names):
                raise ValueError(f"'{text[:40]}' is no {label}: from {low} to {high}")
    return schedule


def _valid_part(part: str, low: int, high: int, names: dict[str, int]) -> bool:
    match = _PART.fullmatch(part)
    if match is None:
        return False
    bounds = [_number(text, names) for text in (match[1], match[2]) if text]
    return all(low <= bound <= high for bound in bounds) and bounds == sorted(bounds)


def _number(text: str, names: dict[str, int]) -> int:
    if text.isascii() and text.isdigit():
        return int(text)
    return names.get(text.lower(), -1)


_PRESET_CRON = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@quarterly": "0 0 1 */3 *",
    "@yearly": "0 0 1 1 *",
}


def falls_within(schedule: str, start: datetime, length: timedelta) -> bool:
    """Whether the schedule has a moment in this stretch of time, in UTC; `@once` always has."""
    if schedule == "@once":
        return True
    minutes, hours, days, months, weekdays = (
        _values(text, *field)
        for text, field in zip(_PRESET_CRON.get(schedule, schedule).split(), _FIELDS, strict=True)
    )
    weekdays = {day % 7 for day in weekdays}
    both_days = schedule.split()[2:5:2] if schedule not in _PRESET_CRON else ["*", "*"]
    # Cron's own rule: where both kinds of day are given, either will do.
    either = all(not text.startswith("*") for text in both_days)
    end = start.astimezone(UTC) + length
    moment = start.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    while moment < end:
        weekday = (moment.weekday() + 1) % 7 in weekdays
        in_days = (weekday or moment.day in days) if either else (weekday and moment.day in days)
        if moment.month in months and moment.hour in hours and in_days:
            found = (moment + timedelta(minutes=minute) for minute in minutes)
            if any(start <= at < end for at in found):
                return True
        moment += timedelta(hours=1)
    return False


def _values(text: str, _label: str, low: int, high: int, names: dict[str, int]) -> set[int]:
    values: set[int] = set()
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            raise ValueError(f"'{part[:40]}' is not part of a schedule")
        first = _number(match[1], names) if match[1] else low
        last = _number(match[2], names) if match[2] else first
        if not match[1] or (match[3] and not match[2]):
            last = high
        values.update(range(first, last + 1, int(match[3] or 1)))
    return values


Schedule = Annotated[str, AfterValidator(check_schedule)]
"""A preset or a cron expression."""
