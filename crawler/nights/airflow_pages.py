"""Addresses in Airflow's web pages: the catalog's pages, and the link from a task to its run."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from airflow.sdk import BaseOperatorLink

if TYPE_CHECKING:
    from airflow.sdk import BaseOperator
    from airflow.sdk.types import TaskInstanceKey

CATALOG_PREFIX = "/tallyho"
MENU_ROUTE = "tallyho"


def airflow_root() -> str:
    """The path that Airflow itself is served under, without a slash at its end."""
    from airflow.sdk.configuration import conf

    base: str = conf.get("api", "base_url", fallback="")
    return urlsplit(base).path.rstrip("/")


class RunPageLink(BaseOperatorLink):
    """The button of a crawl's task that leads to the run in the catalog.

    The worker makes the address when the task ends, from the plan of the night; Airflow stores it.
    """

    name = "Run in the catalog"

    def get_link(self, operator: "BaseOperator", *, ti_key: "TaskInstanceKey") -> str:  # noqa: ARG002
        """The run's page in Airflow's own frame; empty, so no button, if nothing is crawled."""
        from airflow.sdk.bases.xcom import BaseXCom
        from airflow.sdk.execution_time.xcom import XCom

        from crawler.pipeline.night.night import Night

        planned: Any = XCom.get_one(
            key=BaseXCom.XCOM_RETURN_KEY,
            dag_id=ti_key.dag_id,
            run_id=ti_key.run_id,
            task_id="plan",
        )
        night = Night.from_dict(planned) if planned else None
        return "" if night is None or not night.kind.crawls else run_page_path(night.run_id)


def run_page_path(run_id: str) -> str:
    """The path of a run's page in Airflow's own frame."""
    root = airflow_root()
    # Airflow's page of a menu entry takes the path that its frame is to show behind its own.
    return f"{root}/plugin/{MENU_ROUTE}{root}{CATALOG_PREFIX}/runs/{run_id}"


def run_page(run_id: str) -> str:
    """The whole address of that page, for logs and alarms; the path where Airflow knows no more."""
    from airflow.sdk.configuration import conf

    base = urlsplit(conf.get("api", "base_url", fallback=""))
    host = f"{base.scheme}://{base.netloc}" if base.netloc else ""
    return host + run_page_path(run_id)
