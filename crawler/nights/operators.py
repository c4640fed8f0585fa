"""The four steps of a night as operators of Airflow, each a few lines over crawler/pipeline.

Operators and not decorated functions: Airflow makes one DAG per site whenever it reads the file,
and operators take a fifth of the time.
"""

import gc
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from airflow.sdk import BaseOperator

from crawler.config.site import SiteConfig
from crawler.nights.airflow_pages import RunPageLink, run_page
from crawler.nights.ended_sites import why_ended, why_to_end
from crawler.nights.failures import as_airflow_errors
from crawler.nights.project import Project
from crawler.nights.task_log import begin, end

if TYPE_CHECKING:
    from crawler.config.settings import Settings
    from crawler.nights.lineage import Lineage
    from crawler.pipeline.night.night import Night

PLAN, CRAWL, BATCHES, VALIDATE, PUBLISH = "plan", "crawl", "batches", "validate", "publish"
MAX_BATCHES = 200
"""Airflow refuses to map over more than 1,024 tasks by default, and each is its own process."""


def keep_shared() -> None:
    """Keeps the memory that a task shares with the worker it was forked from shared.

    The garbage collection would write to all that was inherited. Of a crawl's task 68 MB were its
    own afterwards instead of 95.
    """
    gc.freeze()


def _now() -> datetime:
    return datetime.now(UTC)


def _night(context: Any) -> "Night":
    from crawler.pipeline.night.night import Night

    planned = context["ti"].xcom_pull(task_ids=PLAN)
    if planned is None:
        from airflow.sdk.exceptions import AirflowSkipException

        raise AirflowSkipException("this night has no plan")
    return Night.from_dict(planned)


class ProjectOperator(BaseOperator):
    """A task that knows its project by itself; those of a site are given theirs with it."""

    def __init__(self, *, project: Project, **options: Any) -> None:
        super().__init__(**options)
        self.project = project


class PlanOperator(BaseOperator):
    """Decides what tonight is."""

    ui_color = "#e8f0fa"

    site: SiteConfig
    project: Project

    def execute(self, context: Any) -> dict[str, Any]:
        """The night, for the tasks after this one."""
        from crawler.pipeline.night.night import ByHand
        from crawler.pipeline.night.plan import plan
        from crawler.pipeline.report.night_lines import plan_lines

        if not self.site.enabled:
            from airflow.sdk.exceptions import AirflowSkipException

            raise AirflowSkipException(why_ended(self.site.name, *self.project.sites()))
        params = context["params"]
        begin(self.log, f"plans the night of {self.site.name} ({self.site.start_url})")
        with as_airflow_errors():
            night = plan(
                self.site,
                self.project.task_settings(),
                _now(),
                key=context["run_id"],
                by_hand=ByHand(params["budget"], params["fresh"], params["strategy"] or ""),
                configured=[site.name for site in self.project.sites()[0]],
            )
        planned = night.as_dict()
        end(self.log, plan_lines(night), planned)
        return planned


class CrawlOperator(BaseOperator):
    """Crawls in slices: at the end of each the worker is free for others."""

    ui_color = "#dff3e4"
    operator_extra_links = (RunPageLink(),)

    site: SiteConfig
    project: Project
    ran: "tuple[Settings, dict[str, Any]] | None" = None
    """What it worked with and what came of it, once it is known."""

    def execute(self, context: Any) -> dict[str, Any]:
        """One slice; the counts of the run when it is over."""
        from airflow.sdk.exceptions import AirflowRescheduleException, AirflowSkipException

        from crawler.nights.task_progress import TaskProgress
        from crawler.pipeline.crawl.slices import crawl_slice
        from crawler.pipeline.night.publish import end_night
        from crawler.pipeline.report.night_lines import crawl_lines, crawl_start

        night = _night(context)
        if not night.kind.crawls:
            raise AirflowSkipException(night.reason)
        keep_shared()
        settings = self.project.task_settings()
        if why := why_to_end(self.project, self.site, night):
            with as_airflow_errors():
                end_night(settings, night, why, _now())
            raise AirflowSkipException(f"the night of {night.site} ends here: {why}")
        progress = TaskProgress(context.get("task_state_store"), settings, night.site)
        begin(self.log, crawl_start(self.site, night), site=night.site, run_id=night.run_id)
        with as_airflow_errors():
            seconds = settings.slice_minutes * 60
            result = crawl_slice(self.site, settings, night, seconds, watch=progress.watch())
        progress.end(result.summary)
        counts = result.summary.counts()
        lines = crawl_lines(result.summary, result.revisited)
        end(self.log, lines, counts, run_page(night.run_id))
        self.ran = settings, counts
        if not result.done:
            raise AirflowRescheduleException(_now())  # type: ignore[no-untyped-call]
        return counts

    def resume(self, context: Any, event: dict[str, Any] | None = None) -> dict[str, Any]:  # noqa: ARG002
        """A trigger has fired: the lane of the site is done, or not there.

        Here and not with lanes: a site that lost its file in the meantime has no lane any more.
        """
        return self.execute(context)

    def get_openlineage_facets_on_complete(self, _task_instance: Any) -> "Lineage | None":
        """Called by Airflow's provider of OpenLineage, where it is installed.

        In a process that was forked from this one: it cannot ask for connections any more.
        """
        from crawler.nights.lineage import crawl_lineage

        return crawl_lineage(self.site, *self.ran) if self.ran else None


class BatchesOperator(BaseOperator):
    """Lists the versions that wait to be validated."""

    site: SiteConfig
    project: Project

    def execute(self, context: Any) -> list[list[int]]:  # noqa: ARG002
        """Batches of ids, one for each task of the next step."""
        from crawler.pipeline.validate.batches import pending_batches

        begin(self.log, f"looks for files of {self.site.name} that wait for a verdict")
        with as_airflow_errors():
            batches = pending_batches(
                self.project.task_settings(), self.site.name, max_batches=MAX_BATCHES
            )
        files = sum(map(len, batches))
        told = f"{files:,} files wait for a verdict, in {len(batches):,} batches"
        end(self.log, [told], {"site": self.site.name, "files": files, "batches": len(batches)})
        return batches


class ValidateOperator(ProjectOperator):
    """Validates one batch; an invalid file is a verdict, not a failure of the task."""

    ui_color = "#fbf3dc"
    template_fields = ("batch",)

    def __init__(self, *, batch: list[int], **options: Any) -> None:
        super().__init__(**options)
        self.batch = batch
        self.ran: Settings | None = None

    def execute(self, context: Any) -> dict[str, Any]:  # noqa: ARG002
        """The verdicts, counted."""
        from crawler.pipeline.report.night_lines import validate_lines
        from crawler.pipeline.validate.batches import validate_versions

        begin(self.log, f"reads and judges {len(self.batch):,} files that have no verdict yet")
        self.ran = self.project.task_settings()
        with as_airflow_errors():
            summary = validate_versions(self.ran, self.batch)
        counts = {
            "checked": summary.checked,
            "verdicts": {verdict.value: count for verdict, count in summary.verdicts.items()},
            "unchecked": len(summary.failures),
        }
        end(self.log, validate_lines(summary), counts)
        return counts

    def get_openlineage_facets_on_complete(self, _task_instance: Any) -> "Lineage | None":
        """Called by Airflow's provider of OpenLineage, where it is installed."""
        from crawler.nights.lineage import validate_lineage

        return validate_lineage(self.ran, self.batch) if self.ran else None


class PublishOperator(BaseOperator):
    """Announces what is new as an event of the site's asset; no event if nothing is new."""

    ui_color = "#efe4f7"

    project: Project
    ran: "tuple[Settings, dict[str, Any]] | None" = None
    """What it worked with and what was announced, once it is known."""

    def execute(self, context: Any) -> dict[str, Any]:
        """The counts and ids that the event carries."""
        from airflow.sdk.exceptions import AirflowSkipException

        from crawler.pipeline.night.alarm import send_alarms
        from crawler.pipeline.night.publish import publish
        from crawler.pipeline.report.night_lines import publish_lines

        settings, night = self.project.task_settings(), _night(context)
        begin(self.log, f"announces what is new of {night.site}, and judges its yield")
        with as_airflow_errors():
            published = publish(settings, night, _now())
        send_alarms(settings, published.alarms)
        extra = published.as_dict()
        page = run_page(published.run_id) if published.run_id else ""
        ids = ("new_ids", "changed_ids", "gone_ids")
        counts = {name: value for name, value in extra.items() if name not in ids}
        end(self.log, publish_lines(published), counts, page)
        if published.empty:
            raise AirflowSkipException("nothing is new")
        self.ran = settings, extra
        context["outlet_events"][self.outlets[0]].extra = extra
        return extra

    def get_openlineage_facets_on_complete(self, _task_instance: Any) -> "Lineage | None":
        """Called by Airflow's provider of OpenLineage, where it is installed."""
        from crawler.nights.lineage import publish_lineage

        return publish_lineage(*self.ran) if self.ran else None


class CloseOperator(BaseOperator):
    """The end of the night: it cannot start when a step has failed, so that the night fails too.

    Without it a night whose crawl failed would count as a success, because publish succeeded.
    """

    def execute(self, context: Any) -> None:
        """Nothing is left to do."""
