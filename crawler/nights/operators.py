"""The four steps of a night as operators of Airflow, each a few lines over crawler/pipeline.

Operators and not decorated functions: Airflow makes one DAG per site whenever it reads the file,
and operators take a fifth of the time.
"""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from airflow.sdk import BaseOperator

from crawler.config.site import SiteConfig
from crawler.nights.airflow_pages import RunPageLink
from crawler.nights.failures import as_airflow_errors
from crawler.nights.project import Project

if TYPE_CHECKING:
    from crawler.pipeline.night.night import Night

PLAN, CRAWL, BATCHES, VALIDATE, PUBLISH = "plan", "crawl", "batches", "validate", "publish"
MAX_BATCHES = 200
"""Airflow refuses to map over more than 1,024 tasks by default, and each is its own process."""


def _now() -> datetime:
    return datetime.now(UTC)


def _night(context: Any) -> "Night":
    from crawler.pipeline.night.night import Night

    planned = context["ti"].xcom_pull(task_ids=PLAN)
    if planned is None:
        from airflow.sdk.exceptions import AirflowSkipException

        raise AirflowSkipException("this night has no plan")
    return Night.from_dict(planned)


class PlanOperator(BaseOperator):
    """Decides what tonight is."""

    ui_color = "#e8f0fa"

    site: SiteConfig
    project: Project

    def execute(self, context: Any) -> dict[str, Any]:
        """The night, for the tasks after this one."""
        from crawler.pipeline.night.night import ByHand
        from crawler.pipeline.night.plan import plan

        params = context["params"]
        with as_airflow_errors():
            night = plan(
                self.site,
                self.project.task_settings(),
                _now(),
                key=context["run_id"],
                by_hand=ByHand(params["budget"], params["fresh"], params["strategy"] or ""),
                configured=[site.name for site in self.project.sites()[0]],
            )
        for sentence in (night.reason, *night.notes):
            self.log.info("%s: %s", night.kind.value, sentence)
        return night.as_dict()


class CrawlOperator(BaseOperator):
    """Crawls in slices: at the end of each the worker is free for others."""

    ui_color = "#dff3e4"
    operator_extra_links = (RunPageLink(),)

    site: SiteConfig
    project: Project

    def execute(self, context: Any) -> dict[str, Any]:
        """One slice; the counts of the run when it is over."""
        from airflow.sdk.exceptions import AirflowRescheduleException, AirflowSkipException

        from crawler.nights.task_progress import TaskProgress
        from crawler.pipeline.crawl.slices import crawl_slice

        night = _night(context)
        if not night.kind.crawls:
            raise AirflowSkipException(night.reason)
        settings = self.project.task_settings()
        progress = TaskProgress(context.get("task_state_store"), settings, night.site)
        with as_airflow_errors():
            seconds = settings.slice_minutes * 60
            result = crawl_slice(self.site, settings, night, seconds, watch=progress.watch())
        progress.end(result.summary)
        if not result.done:
            raise AirflowRescheduleException(_now())  # type: ignore[no-untyped-call]
        return result.summary.counts()


class BatchesOperator(BaseOperator):
    """Lists the versions that wait to be validated."""

    site: SiteConfig
    project: Project

    def execute(self, context: Any) -> list[list[int]]:  # noqa: ARG002
        """Batches of ids, one for each task of the next step."""
        from crawler.pipeline.validate.batches import pending_batches

        with as_airflow_errors():
            return pending_batches(
                self.project.task_settings(), self.site.name, max_batches=MAX_BATCHES
            )


class ValidateOperator(BaseOperator):
    """Validates one batch; an invalid file is a verdict, not a failure of the task."""

    ui_color = "#fbf3dc"
    template_fields = ("batch",)

    def __init__(self, *, project: Project, batch: list[int], **options: Any) -> None:
        super().__init__(**options)
        self.project = project
        self.batch = batch

    def execute(self, context: Any) -> dict[str, Any]:  # noqa: ARG002
        """The verdicts, counted."""
        from crawler.pipeline.validate.batches import validate_versions

        with as_airflow_errors():
            summary = validate_versions(self.project.task_settings(), self.batch)
        for unchecked in summary.failures:
            self.log.warning("%s: %s", unchecked.url, unchecked.sentence)
        return {
            "checked": summary.checked,
            "verdicts": {verdict.value: count for verdict, count in summary.verdicts.items()},
            "unchecked": len(summary.failures),
        }


class PublishOperator(BaseOperator):
    """Announces what is new as an event of the site's asset; no event if nothing is new."""

    ui_color = "#efe4f7"

    project: Project

    def execute(self, context: Any) -> dict[str, Any]:
        """The counts and ids that the event carries."""
        from airflow.sdk.exceptions import AirflowSkipException

        from crawler.pipeline.night.alarm import send_alarms
        from crawler.pipeline.night.publish import publish

        settings = self.project.task_settings()
        with as_airflow_errors():
            published = publish(settings, _night(context), _now())
        send_alarms(settings, published.alarms)
        if published.empty:
            raise AirflowSkipException("nothing is new")
        extra = published.as_dict()
        context["outlet_events"][self.outlets[0]].extra = extra
        return extra


class CloseOperator(BaseOperator):
    """The end of the night: it cannot start when a step has failed, so that the night fails too.

    Without it a night whose crawl failed would count as a success, because publish succeeded.
    """

    def execute(self, context: Any) -> None:
        """Nothing is left to do."""
