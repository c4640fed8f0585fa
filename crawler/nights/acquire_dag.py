"""One DAG per site: plan, crawl, validate, publish."""

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from airflow.sdk import DAG, Asset, CronTriggerTimetable, Param, TriggerRule

from crawler.config.site import SiteConfig
from crawler.config.strategy import StrategyName
from crawler.nights.failures import AlarmOnFailure
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

START = datetime(2026, 1, 1, tzinfo=UTC)
"""Before any night; missed nights are not made up for."""
MAX_RETRY_DELAY = timedelta(hours=1)


def acquire_dag(site: SiteConfig, project: Project, crawl_pool: str) -> DAG:
    """The DAG of a site, as its file describes it."""
    with DAG(
        dag_id=dag_id_of(site.name),
        description=f"Acquires the data files of {site.start_url}",
        doc_md=_doc(site),
        schedule=_timetable(site.schedule),
        start_date=START,
        catchup=False,
        max_active_runs=1,
        max_active_tasks=16,
        is_paused_upon_creation=False,
        tags=["tallyho", *site.tags],
        default_args={
            "owner": site.owner,
            "retries": site.retries,
            # The first delay is Airflow's own: five minutes, unless it is configured otherwise.
            "retry_exponential_backoff": 2,
            "max_retry_delay": MAX_RETRY_DELAY,
            "on_failure_callback": AlarmOnFailure(project, site.name),
        },
    ) as dag:
        always = TriggerRule.ALL_DONE
        plan = PlanOperator(task_id=PLAN)
        crawl = CrawlOperator(task_id=CRAWL, pool=crawl_pool)
        # What a crawl stored before it failed is validated and published all the same.
        batches = BatchesOperator(task_id=BATCHES, trigger_rule=always)
        validate = ValidateOperator.partial(task_id=VALIDATE, project=project).expand(
            batch=batches.output
        )
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


def dag_id_of(site: str) -> str:
    """The id of a site's DAG."""
    return f"acquire__{site}"


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
