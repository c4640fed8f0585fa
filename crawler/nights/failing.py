"""Our errors as Airflow understands them: fail at once, try again later, or come back."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from crawler.errors import SiteBusy, TallyhoError

if TYPE_CHECKING:
    from crawler.nights.project import Project

BUSY_SECONDS = 60
"""How long a task stays away from a site that another worker holds: as long as a lease lives."""


@contextmanager
def told_to_airflow() -> Iterator[None]:
    """Errors that do not get better fail the task at once, with their sentence.

    Others are tried again by the task's own retries; a site that another worker holds is come back
    to, which costs no try.
    """
    from airflow.sdk.exceptions import (
        AirflowException,
        AirflowFailException,
        AirflowRescheduleException,
    )

    try:
        yield
    except SiteBusy as error:
        later = datetime.now(UTC) + timedelta(seconds=BUSY_SECONDS)
        raise AirflowRescheduleException(later) from error  # type: ignore[no-untyped-call]
    except TallyhoError as error:
        kind = AirflowException if error.retryable else AirflowFailException
        raise kind(str(error)) from error


class AlarmOnFailure:
    """What Airflow calls when a task has failed for good: somebody is told."""

    def __init__(self, project: "Project", site: str = "") -> None:
        self._project = project
        self._site = site

    def __call__(self, context: Any) -> None:
        """Sends the alarm; never raises."""
        from crawler.pipeline.night.alarm import Alarm, AlarmKind, send_alarms

        instance = context.get("task_instance") or context.get("ti")
        step = getattr(instance, "task_id", "a task")
        said = str(context.get("exception") or "it failed without a word")
        kind = AlarmKind.NIGHT_FAILED if self._site else AlarmKind.UPKEEP
        alarm = Alarm(
            kind,
            self._site,
            f"{step}: {said[:1000]}",
            run_id=str(context.get("run_id") or getattr(instance, "run_id", "")),
            link=str(getattr(instance, "log_url", "") or ""),
        )
        send_alarms(self._settings(), [alarm])

    def _settings(self) -> Any:
        try:
            return self._project.task_settings()
        except Exception:
            # Airflow may call from where no connection can be asked for.
            return self._project.settings()
