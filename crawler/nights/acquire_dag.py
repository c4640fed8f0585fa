"""One DAG per site: plan, crawl, validate, publish."""

from datetime import UTC, datetime, timedelta

from airflow.sdk import DAG, TriggerRule

from crawler.config.site import SiteConfig
from crawler.nights.failing import AlarmOnFailure
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
from crawler.nights.params import params_by_hand
from crawler.nights.project import Project
from crawler.nights.site_asset import site_asset
from crawler.nights.timetable import timetable_of

START = datetime(2026, 1, 1, tzinfo=UTC)
"""Before any night; what was missed is not caught up."""
LAST_RETRY = timedelta(hours=1)


def acquire_dag(site: SiteConfig, project: Project, crawl_pool: str) -> DAG:
    """The DAG of a site, as its file describes it."""
    with DAG(
        dag_id=dag_id_of(site.name),
        description=f"Acquires the data files of {site.start_url}",
        doc_md=_doc(site),
        schedule=timetable_of(site.schedule),
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
            "max_retry_delay": LAST_RETRY,
            "on_failure_callback": AlarmOnFailure(project, site.name),
        },
    ) as dag:
        always = TriggerRule.ALL_DONE
        plan = PlanOperator(task_id=PLAN)
        crawl = CrawlOperator(task_id=CRAWL, pool=crawl_pool)
        # What came before a crawl failed, or was skipped, is validated and published all the same.
        batches = BatchesOperator(task_id=BATCHES, trigger_rule=always)
        validate = ValidateOperator.partial(task_id=VALIDATE, project=project).expand(
            batch=batches.output
        )
        publish = PublishOperator(
            task_id=PUBLISH, outlets=[site_asset(site.name)], trigger_rule=always
        )
        close = CloseOperator(task_id="close", trigger_rule=TriggerRule.NONE_FAILED)
        plan >> crawl >> batches
        validate >> publish
        [crawl, validate, publish] >> close
    for operator in (plan, crawl, batches, publish):
        operator.site, operator.project = site, project
    # Only now: operators copy the params that they find, and the DAG checks those it is made with
    # against a schema that it checks as well. For 500 sites that takes seconds.
    dag.params.update(params_by_hand())
    return dag


def dag_id_of(site: str) -> str:
    """The id of a site's DAG."""
    return f"acquire__{site}"


def _doc(site: SiteConfig) -> str:
    targets = ", ".join(site.targets)
    return (
        f"### {site.name}\n\n"
        f"Acquires the data files of <{site.start_url}> ({targets}), night by night.\n\n"
        "**plan** decides what tonight is, **crawl** works in slices and goes on where it was, "
        "**validate** judges what is new, **publish** announces it as an event of the asset "
        f"`tallyho_{site.name}`.\n\n"
        f"The site's own words are in `{site.name}.yaml`; `tallyho status {site.name}` tells where "
        "it stands.\n"
    )
