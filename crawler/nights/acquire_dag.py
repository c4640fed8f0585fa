"""One DAG per site: plan, crawl, validate, publish."""

from datetime import UTC, datetime
from functools import cache
from typing import Any

from airflow.sdk import DAG, Asset, CronTriggerTimetable, Param, TriggerRule

from crawler.config.section import is_site_name
from crawler.config.site import SiteConfig
from crawler.config.strategy import StrategyName
from crawler.nights.deadlines import SHORT_STEP, VALIDATION, crawl_deadline, night_deadline
from crawler.nights.failures import AlarmOnDeadline, AlarmOnFailure
from crawler.nights.lanes import LaneCrawlOperator, LanePlanOperator, lane_asset
from crawler.nights.operators import (
    BATCHES,
    CRAWL,
    PLAN,
    PUBLISH,
    VALIDATE,
    BatchesOperator,
    CloseOperator,
    CrawlOperator,
    PlanOperator,
    PublishOperator,
    ValidateOperator,
)
from crawler.nights.project import Project
from crawler.nights.retry_delays import AFTER_A_DEATH, GrowingDelay

START = datetime(2026, 1, 1, tzinfo=UTC)
"""Before any night; missed nights are not made up for."""


def acquire_dag(
    site: SiteConfig, project: Project, crawl_pool: str, slice_minutes: float = 20
) -> DAG:
    """The DAG of a site, as its file describes it."""
    with DAG(
        dag_id=dag_id_of(site.name),
        description=_description(site),
        doc_md=_doc(site),
        # A site that ended has a DAG for a night that still runs; no other one begins.
        schedule=_timetable(site.schedule) if site.enabled else None,
        start_date=START,
        catchup=False,
        max_active_runs=1,
        dagrun_timeout=night_deadline(site),
        on_failure_callback=AlarmOnDeadline(project, site.name),
        max_active_tasks=16,
        is_paused_upon_creation=False,
        tags=["tallyho", *site.tags],
        default_args={
            "owner": site.owner,
            "retries": site.retries,
            "retry_delay": AFTER_A_DEATH,
            "retry_policy": GrowingDelay(),
            "execution_timeout": SHORT_STEP,
            "on_failure_callback": AlarmOnFailure(project, site.name),
        },
    ) as dag:
        always = TriggerRule.ALL_DONE
        plan_kind, crawl_kind = _kinds(site)
        plan = plan_kind(task_id=PLAN, outlets=[lane_asset(site.lane)] if site.lane else [])
        crawl = crawl_kind(
            task_id=CRAWL, pool=crawl_pool, execution_timeout=crawl_deadline(site, slice_minutes)
        )
        # What a crawl stored before it failed is validated and published all the same.
        batches = BatchesOperator(task_id=BATCHES, trigger_rule=always)
        validate = ValidateOperator.partial(
            task_id=VALIDATE, project=project, execution_timeout=VALIDATION
        ).expand(batch=batches.output)
        publish = PublishOperator(task_id=PUBLISH, outlets=[_asset(site.name)], trigger_rule=always)
        close = CloseOperator(task_id="close", trigger_rule=TriggerRule.NONE_FAILED)
        plan >> crawl >> batches
        validate >> publish
        [crawl, validate, publish] >> close
    for operator in (plan, crawl, batches, publish):
        operator.site, operator.project = site, project
    # Only now: operators copy the params of their DAG, and a DAG checks those it is made with
    # against a schema that it checks as well. For 500 sites that takes seconds.
    dag.params.update(_params())
    return dag


def _kinds(site: SiteConfig) -> tuple[type[PlanOperator], type[CrawlOperator]]:
    """The first two steps: by the site's own task, or handed over to its lane."""
    if site.lane:
        return LanePlanOperator, LaneCrawlOperator
    return PlanOperator, CrawlOperator


def dag_id_of(site: str) -> str:
    """The id of a site's DAG."""
    return f"acquire__{site}"


def site_of(dag_id: str) -> str:
    """The site of a DAG; empty when it is the DAG of none."""
    name = dag_id.removeprefix(dag_id_of(""))
    return name if dag_id.startswith(dag_id_of("")) and is_site_name(name) else ""


def _asset(site: str) -> Asset:
    """The site's data as an asset, for the DAGs of others to depend on.

    It has a name and nothing else, so that `Asset("tallyho_insee")` in the DAG of another team is
    the same one: of two assets that differ in more, Airflow keeps only one active.
    """
    return Asset(f"tallyho_{site}")


@cache
def _timetable(schedule: str) -> Any:
    """One timetable for all sites with the same schedule; times are UTC."""
    return schedule if schedule == "@once" else CronTriggerTimetable(schedule, timezone="UTC")


def _params() -> dict[str, Param]:
    """The form for a night that is started by hand; a new one per DAG, as Airflow changes it."""
    strategies = [name.value for name in StrategyName]
    return {
        "budget": Param(
            None,
            "Max requests of this run; empty for what the plan decides.",
            type=["null", "integer"],
            minimum=1,
        ),
        "fresh": Param(
            False, "Crawl from the start again, even if complete. Files stay.", type="boolean"
        ),
        "strategy": Param(
            None,
            "How links are chosen, for a crawl that starts.",
            type=["null", "string"],
            enum=[None, *strategies],
        ),
    }


def _description(site: SiteConfig) -> str:
    if not site.enabled:
        return "Removed or disabled: only a night that has begun still ends here"
    return f"Acquires the data files of {site.start_url}"


def _doc(site: SiteConfig) -> str:
    targets = ", ".join(site.targets)
    return (
        f"### {site.name}\n\n"
        f"Acquires the data files of <{site.start_url}> ({targets}), night by night.\n\n"
        "**plan** decides what to do tonight, **crawl** works in slices and resumes where it was, "
        "**validate** judges what is new, **publish** announces it as an event of the asset "
        f"`tallyho_{site.name}`.\n\n"
        f"The site is configured in `{site.name}.yaml`; `tallyho status {site.name}` shows where "
        "it stands.\n"
    )
