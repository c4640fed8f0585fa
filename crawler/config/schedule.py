"""When a site is visited: a preset such as '@daily', or a cron expression of five fields.

Expressions are read by croniter, as Airflow reads them.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated

from croniter import CroniterBadDateError, croniter
from pydantic import AfterValidator

_CRON = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@quarterly": "0 0 1 */3 *",
    "@yearly": "0 0 1 1 *",
}
PRESETS = ("@once", *_CRON)

_FIELDS = (
    ("minute", "from 0 to 59"),
    ("hour", "from 0 to 23"),
    ("day of the month", "from 1 to 31"),
    ("month", "from 1 to 12"),
    ("day of the week", "from 0 to 7"),
)
# croniter also takes random and hashed values, the last day and more, which would surprise here.
_WORD = r"\d{1,2}|[a-z]{3}"
_PART = re.compile(rf"(?:\*|({_WORD})(?:-({_WORD}))?)(?:/\d{{1,3}})?", re.ASCII | re.IGNORECASE)

_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)


def check_schedule(schedule: str) -> str:
    """The schedule itself; ValueError with a sentence when it cannot be followed."""
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
    wrong = [
        f"'{text[:40]}' is no {label}: {bounds}"
        for position, (text, (label, bounds)) in enumerate(zip(fields, _FIELDS, strict=True))
        if not _is_field(text, position)
    ]
    if wrong:
        raise ValueError("; ".join(wrong))
    try:
        croniter(schedule, _ANY_DAY).get_next()
    except CroniterBadDateError:
        raise ValueError(f"'{schedule[:40]}' never comes: there is no such day") from None
    return schedule


def _is_field(text: str, position: int) -> bool:
    matches = [_PART.fullmatch(part) for part in text.split(",")]
    if not all(match and not _is_empty_range(match[1], match[2]) for match in matches):
        return False
    alone = ["*"] * len(_FIELDS)
    alone[position] = text
    return bool(croniter.is_valid(" ".join(alone)))


def _is_empty_range(first: str | None, last: str | None) -> bool:
    """Whether a range such as 5-1 or 5-5 holds nothing worth a range: croniter reads 5-5 as *."""
    if first is None or last is None:
        return False
    if first.isdigit() and last.isdigit():
        return int(first) >= int(last)
    return first.lower() == last.lower()


def falls_within(schedule: str, start: datetime, length: timedelta) -> bool:
    """Whether the schedule has a moment in this stretch of time, in UTC; `@once` always has."""
    if schedule == "@once":
        return True
    start = start.astimezone(UTC)
    # What comes next is always after the given moment, and the start itself counts.
    moments = croniter(_CRON.get(schedule, schedule), start - timedelta(seconds=1))
    moment = moments.get_next(datetime)
    if moment < start:
        moment = moments.get_next(datetime)
    return bool(moment < start + length)


def next_moment(schedule: str, after: datetime) -> datetime | None:
    """When the schedule comes next, in UTC; None for `@once`, which has no time of its own."""
    return _moment(schedule, after, forwards=True)


def last_moment(schedule: str, before: datetime) -> datetime | None:
    """When the schedule came last, in UTC; None for `@once`."""
    return _moment(schedule, before, forwards=False)


def _moment(schedule: str, start: datetime, *, forwards: bool) -> datetime | None:
    if schedule == "@once":
        return None
    moments = croniter(_CRON.get(schedule, schedule), start.astimezone(UTC))
    moment: datetime = moments.get_next(datetime) if forwards else moments.get_prev(datetime)
    return moment


Schedule = Annotated[str, AfterValidator(check_schedule)]
"""A preset or a cron expression."""
