"""One night of a site through Airflow, in this one process: the DAG run that Airflow would make.

Standard output and standard error are for Airflow's log; what came of it goes into a file as JSON.
"""

import json
import sys
from pathlib import Path
from typing import Any

from crawler.nights.acquire_dag import dag_id_of


def run_night(site: str, dags: Path) -> dict[str, Any]:
    """The states of the tasks, and what plan, crawl and publish returned."""
    from airflow.dag_processing.dagbag import DagBag
    from airflow.utils.db import initdb

    initdb()
    bag = DagBag(str(dags / "acquire.py"))
    dag = bag.dags.get(dag_id_of(site))
    if dag is None:
        raise SystemExit("\n".join(bag.import_errors.values()) or f"{site} has no DAG")
    for task in dag.tasks:
        _without_retries(task)
    run = dag.test(run_conf={"fresh": True})
    return {"state": str(run.state), "run_id": run.run_id, **_results(run)}


def _without_retries(task: Any) -> None:
    """A person waits for the end: a failure must show now, not after an hour of retries."""
    if task.is_mapped:
        task.partial_kwargs["retries"] = 0
    else:
        task.retries = 0


def _results(run: Any) -> dict[str, Any]:
    from airflow.utils.session import create_session

    with create_session() as session:
        instances = run.get_task_instances(session=session)
        states = {instance.task_id: str(instance.state) for instance in instances}
        returned = {
            instance.task_id: instance.xcom_pull(task_ids=instance.task_id, session=session)
            for instance in instances
            if instance.task_id in ("plan", "crawl", "publish")
        }
    return {"tasks": states, "returned": returned}


if __name__ == "__main__":
    name, folder, result = sys.argv[1:]
    outcome = run_night(name, Path(folder))
    Path(result).write_text(json.dumps(outcome, default=str))
    sys.exit(0 if outcome["state"] == "success" else 1)
