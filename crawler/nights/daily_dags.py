"""The two daily DAGs that concern all sites: the fleet and the upkeep."""

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

from airflow.sdk import DAG

from crawler.nights.acquire_dag import START
from crawler.nights.failures import AlarmOnFailure, as_airflow_errors
from crawler.nights.operators import ProjectOperator
from crawler.nights.project import Project


def daily_dag(dag_id: str, schedule: str, description: str, project: Project) -> DAG:
    """A DAG for all sites, with our retries and alarms."""
    return DAG(
        dag_id=dag_id,
        description=description,
        schedule=schedule,
        start_date=START,
        catchup=False,
        max_active_runs=1,
        dagrun_timeout=timedelta(hours=23),
        is_paused_upon_creation=False,
        tags=["tallyho"],
        default_args={
            "owner": "tallyho",
            "retries": 2,
            "retry_delay": timedelta(minutes=5),
            "execution_timeout": timedelta(hours=12),
            "on_failure_callback": AlarmOnFailure(project),
        },
    )


class FleetOperator(ProjectOperator):
    """Shares the coming night's requests between the sites."""

    def execute(self, context: Any) -> dict[str, int]:  # noqa: ARG002
        """The requests of every site."""
        from crawler.pipeline.night.fleet import share_out

        with as_airflow_errors():
            shares = share_out(
                self.project.sites()[0], self.project.task_settings(), datetime.now(UTC)
            )
        for share in shares:
            self.log.info(
                "%s: %d requests (%s): %s",
                share.site,
                share.requests,
                share.budget_from,
                share.reason,
            )
        return {share.site: share.requests for share in shares}


class AlertsOperator(ProjectOperator):
    """Sends the news of saved searches; a retry sends only what was not sent."""

    def execute(self, context: Any) -> dict[str, Any]:  # noqa: ARG002
        """What came of each alert."""
        from airflow.sdk.exceptions import AirflowException

        from crawler.pipeline.night.alerts import Told, send_all_alerts

        with as_airflow_errors():
            told, problems = send_all_alerts(self.project.task_settings(mails=True))
        for outcome in told:
            self.log.info("%s", outcome)
        failed = [str(outcome) for outcome in told if outcome.told is Told.FAILED]
        if failed or problems:
            raise AirflowException("; ".join([*failed, *problems]))
        return {"alerts": [asdict(outcome) for outcome in told]}


class UpkeepOperator(ProjectOperator):
    """Does the daily housekeeping of store and catalog."""

    def execute(self, context: Any) -> dict[str, Any]:  # noqa: ARG002
        """The report of what was done and what is wrong."""
        from crawler.pipeline.night.alarm import send_alarms
        from crawler.pipeline.night.upkeep import upkeep

        settings = self.project.task_settings()
        configured = [site.name for site in self.project.sites()[0]]
        with as_airflow_errors():
            report = upkeep(settings, datetime.now(UTC), configured)
        send_alarms(settings, report.alarms)
        return report.as_dict()
