"""Our errors in Airflow's terms: fail at once, retry, or reschedule; and an alarm on failure."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from crawler.errors import SiteBusy, TallyhoError

if TYPE_CHECKING:
    from crawler.nights.project import Project

BUSY_SECONDS = 60
"""After this time a task tries again to get a site that another worker holds: a lease's length."""


@contextmanager
def as_airflow_errors() -> Iterator[None]:
    """Raises our errors as Airflow's exceptions.

    An error that a retry cannot solve fails the task at once; any other is left to the task's
    retries. A site that another worker holds is rescheduled, which uses no retry.
    """
    from airflow.sdk.exceptions import (
        AirflowException,
        AirflowFailException,
        AirflowRescheduleException,
    )

    from crawler.metrics.meter import flush_metrics

    try:
        yield
    except SiteBusy as error:
        later = datetime.now(UTC) + timedelta(seconds=BUSY_SECONDS)
        raise AirflowRescheduleException(later) from error  # type: ignore[no-untyped-call]
    except TallyhoError as error:
        kind = AirflowException if error.retryable else AirflowFailException
        raise kind(str(error)) from error
    finally:
        flush_metrics()  # a task's process ends without a word


class AlarmOnFailure:
    """Airflow's callback for a task that has failed for good: sends an alarm."""

    def __init__(self, project: "Project", site: str = "") -> None:
        self._project = project
        self._site = site

    def __call__(self, context: Any) -> None:
        """Sends the alarm; never raises."""
        from crawler.pipeline.night.alarm import Alarm, AlarmKind, send_alarms

        instance = context.get("task_instance") or context.get("ti")
        step = getattr(instance, "task_id", "night")
        reason = _reason(context.get("exception"))
        kind = AlarmKind.NIGHT_FAILED if self._site else AlarmKind.UPKEEP
        alarm = Alarm(
            kind,
            self._site,
            f"{step}: {reason[:1000]}",
            run_id=str(context.get("run_id") or getattr(instance, "run_id", "")),
            link=str(getattr(instance, "log_url", "") or ""),
        )
        send_alarms(self._settings(), [alarm])

    def _settings(self) -> Any:
        try:
            return self._project.task_settings()
        except Exception:
            # Airflow may call from a process that cannot ask for connections.
            return self._project.settings()


class AlarmOnDeadline(AlarmOnFailure):
    """Airflow's callback for a run of a DAG that took too long: no task of it has failed."""

    def __call__(self, context: Any) -> None:
        """Sends the alarm; never raises. What else ends a run is told by its tasks."""
        if context.get("reason") != "timed_out":
            return
        instance = context.get("task_instance") or context.get("ti")
        step = getattr(instance, "task_id", "")
        took = "it took longer than it may, and was ended; the next one continues"
        super().__call__({**context, "exception": TimeoutError(f"{took} ({step})".rstrip(" ()"))})


def _reason(error: BaseException | None) -> str:
    """Our own sentence where there is one: the alarm names site and step already."""
    cause = error.__cause__ if error is not None else None
    if isinstance(cause, TallyhoError):
        return f"{cause.message} ({cause.url})" if cause.url else cause.message
    return str(error or "") or "it failed without a message"
