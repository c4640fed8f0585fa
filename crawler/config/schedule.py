"""When a site is visited: a preset such as '@daily', or a cron expression of five fields."""

import re
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


Schedule = Annotated[str, AfterValidator(check_schedule)]
"""A preset or a cron expression."""
