"""How long a task waits before it is tried again: longer when something is wrong with the world.

A worker that died is nobody's fault but its own: the task continues elsewhere at once. A site, a
store or a catalog that does not answer gets time.
"""

from datetime import timedelta
from typing import Any

from airflow.sdk.definitions.retry_policy import RetryDecision, RetryPolicy

AFTER_A_DEATH = timedelta(seconds=15)
"""Without an exception Airflow knows only that the task is gone; this is the task's own delay."""
MAX_DELAY = timedelta(hours=1)


class GrowingDelay(RetryPolicy):
    """After an exception: Airflow's own delay (five minutes), then twice as long every time."""

    def evaluate(
        self,
        exception: BaseException,  # noqa: ARG002
        try_number: int,
        max_tries: int,  # noqa: ARG002
        context: Any = None,  # noqa: ARG002
    ) -> RetryDecision:
        """Retried as often as the site file says; only the delay is decided here."""
        from airflow.sdk.configuration import conf

        first = timedelta(seconds=conf.getint("core", "default_task_retry_delay"))
        delay = min(first * 2 ** min(max(try_number - 1, 0), 20), MAX_DELAY)
        return RetryDecision.retry(delay)

    def serialize(self) -> dict[str, Any]:
        """It has no parameters."""
        return {"__type": type(self).__name__}
