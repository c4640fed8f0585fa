"""Lanes: one task that crawls many small sites, whose own tasks wait without a worker."""

from typing import TYPE_CHECKING, Any

from airflow.sdk import DAG, Asset

from crawler.nights.airflow_pages import run_page
from crawler.nights.deadlines import lane_deadline
from crawler.nights.ended_sites import why_to_end
from crawler.nights.failures import AlarmOnFailure, as_airflow_errors
from crawler.nights.operators import (
    CrawlOperator,
    PlanOperator,
    ProjectOperator,
    _night,
    _now,
    keep_shared,
)
from crawler.nights.project import Project
from crawler.nights.retry_delays import AFTER_A_DEATH, GrowingDelay
from crawler.nights.task_log import begin, end

if TYPE_CHECKING:
    from crawler.config.settings import Settings
    from crawler.pipeline.night.handing_over import Handover
    from crawler.pipeline.night.night import Night

RETRIES = 20


def lane_dag_id(lane: str) -> str:
    """The id of a lane's DAG."""
    return f"tallyho__lane__{lane}"


def lane_asset(lane: str) -> Asset:
    """The plans of its sites are events of it; they start the lane."""
    return Asset(f"tallyho_lane_{lane}")


def lane_dag(lane: str, project: Project, crawl_pool: str, slice_minutes: float = 20) -> DAG:
    """The DAG of a lane; it is started by the plans of its sites."""
    from crawler.nights.acquire_dag import START

    with DAG(
        dag_id=lane_dag_id(lane),
        description=f"Crawls the sites with `lane: {lane}`, many at once",
        schedule=[lane_asset(lane)],
        start_date=START,
        catchup=False,
        max_active_runs=1,
        is_paused_upon_creation=False,
        tags=["tallyho"],
        default_args={
            "owner": "tallyho",
            "retries": RETRIES,
            "retry_delay": AFTER_A_DEATH,
            "retry_policy": GrowingDelay(),
            "execution_timeout": lane_deadline(slice_minutes),
            "on_failure_callback": AlarmOnFailure(project, f"lane {lane}"),
        },
    ) as dag:
        LaneOperator(task_id="crawl", pool=crawl_pool, lane=lane, project=project)
    return dag


class LaneOperator(ProjectOperator):
    """Crawls what was handed over to a lane, in slices, until nothing is left."""

    ui_color = "#dff3e4"

    def __init__(self, *, lane: str, **options: Any) -> None:
        super().__init__(**options)
        self.lane = lane

    def execute(self, context: Any) -> dict[str, Any]:  # noqa: ARG002
        """One slice; the sites that are done when nothing is left."""
        from airflow.sdk.exceptions import AirflowRescheduleException

        from crawler.pipeline.night.lane import run_lane

        keep_shared()
        settings = self.project.task_settings()
        begin(self.log, f"crawls what was handed over to the lane {self.lane}")
        with as_airflow_errors():
            report = run_lane(
                settings,
                self.lane,
                seconds=settings.slice_minutes * 60,
                at_once=settings.lane_sites,
            )
        told = {"done": list(report.done), "failed": list(report.failed), "left": report.left}
        lines = [
            f"done: {', '.join(report.done) or 'none'}",
            f"failed: {', '.join(report.failed) or 'none'}",
            f"left for the next slice: {report.left}",
        ]
        end(self.log, lines, told)
        if report.left:
            raise AirflowRescheduleException(_now())  # type: ignore[no-untyped-call]
        return told


class LanePlanOperator(PlanOperator):
    """Plans, and hands the crawl over to the lane of the site."""

    def execute(self, context: Any) -> dict[str, Any]:
        """The night, for the tasks after this one."""
        from crawler.pipeline.night.handing_over import hand_night_over
        from crawler.pipeline.night.night import Night

        planned = super().execute(context)
        night = Night.from_dict(planned)
        if night.kind.crawls:
            with as_airflow_errors():
                hand_night_over(self.project.task_settings(), self.site.lane, night)
        return planned


class LaneCrawlOperator(CrawlOperator):
    """Waits for the lane that crawls the site; without a lane it crawls by itself."""

    def execute(self, context: Any) -> dict[str, Any]:
        """The counts of the lane's run, or of our own."""
        from airflow.sdk.exceptions import AirflowSkipException

        from crawler.pipeline.night.handing_over import hand_night_over, take_back

        night = _night(context)
        if not night.kind.crawls:
            raise AirflowSkipException(night.reason)
        settings = self.project.task_settings()
        with as_airflow_errors():
            if why_to_end(self.project, self.site, night):
                take_back(settings, night)
                return super().execute(context)
            handed, forgotten = hand_night_over(settings, self.site.lane, night)
        return self._after(context, settings, night, handed, forgotten=forgotten)

    def _after(
        self,
        context: Any,
        settings: "Settings",
        night: "Night",
        handed: "Handover",
        *,
        forgotten: bool,
    ) -> dict[str, Any]:
        import json

        from crawler.pipeline.night.handing_over import HandoverState, take_back

        match handed.state:
            case HandoverState.DONE:
                counts: dict[str, Any] = json.loads(handed.result)
                spent = f"{counts['targets']:,} files in {counts['requests']:,} requests"
                told = f"crawled by the lane {handed.lane}: {spent}; {counts['stop_reason']}"
                end(self.log, [told], counts, run_page(night.run_id))
                self.ran = settings, counts
                return counts
            case HandoverState.FAILED if context["ti"].try_number == 1:
                raise _failure(handed)
            case HandoverState.FAILED | HandoverState.WITHDRAWN:
                # A retry, or the next slice of a crawl that no lane took.
                return super().execute(context)
        with as_airflow_errors():
            taken = forgotten and take_back(settings, night)
        if taken:
            self.log.warning("no lane %s is at work: the site crawls by itself", handed.lane)
            return super().execute(context)
        begin(self.log, f"waits for the lane {handed.lane}, which crawls {night.site}")
        self._defer(night)
        return {}

    def _defer(self, night: "Night") -> None:
        from crawler.nights.handover_trigger import HandoverTrigger

        trigger = HandoverTrigger(str(self.project.root), night.site, night.run_id)
        self.defer(trigger=trigger, method_name="resume")


def _failure(handed: "Handover") -> Exception:
    from airflow.sdk.exceptions import AirflowException, AirflowFailException

    kind = AirflowException if handed.retryable else AirflowFailException
    return kind(f"{handed.site}: {handed.result}")
