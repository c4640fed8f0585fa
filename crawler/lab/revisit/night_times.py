"""When the nights of the simulation are."""

from datetime import UTC, datetime

FIRST_NIGHT = datetime(2025, 12, 31, 22, tzinfo=UTC).timestamp()
"""Night 0, at an hour when everything of the day is published."""


def night_time(night: int) -> float:
    """The time of a night, in seconds since 1970."""
    return FIRST_NIGHT + 86_400.0 * night
