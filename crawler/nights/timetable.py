"""The schedule of a site file as a timetable of Airflow."""

from functools import cache
from typing import Any

from airflow.sdk import CronTriggerTimetable


@cache
def timetable_of(schedule: str) -> Any:
    """The same schedule is one timetable for all sites; times are UTC."""
    return schedule if schedule == "@once" else CronTriggerTimetable(schedule, timezone="UTC")
