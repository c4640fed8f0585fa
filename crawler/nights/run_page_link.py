"""The button of a crawl's task that leads to the run in the catalog."""

from typing import TYPE_CHECKING, Any

from airflow.sdk import BaseOperatorLink

from crawler.nights.places import run_page

if TYPE_CHECKING:
    from airflow.sdk import BaseOperator
    from airflow.sdk.types import TaskInstanceKey


class RunPageLink(BaseOperatorLink):
    """Made by the worker when the task ends, from what the plan said; kept by Airflow."""

    name = "Run in the catalog"

    def get_link(self, operator: "BaseOperator", *, ti_key: "TaskInstanceKey") -> str:  # noqa: ARG002
        """Empty, so that there is no button, on a night that crawls nothing."""
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
        return run_page(night.run_id) if night is not None and night.kind.crawls else ""
