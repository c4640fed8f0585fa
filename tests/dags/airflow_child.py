"""Airflow in a process of its own: one JSON command per line in, one JSON answer per line out.

Airflow takes over logging, signals and the environment of whoever imports it; no other test shall
notice.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DAGS = ROOT / "dags"
HEAVY = ("pandas", "numpy", "boto3", "botocore", "sqlmodel", "great_expectations", "requests")
_real_time = time.time
# A rehearsal of nights: the crawler's clock is set to other days, Airflow's own is not.
time.time = lambda: _real_time() + float(os.environ.get("REHEARSED_SECONDS", "0"))

OURS_AT_PARSE = (
    "crawler.config",
    "crawler.described",
    "crawler.learning",  # the names of the fleet's scores
    "crawler.nights",
    "crawler.pages",
    "crawler.errors",
    "crawler.log_lines",
    "crawler.redaction",
)


def modules() -> dict[str, Any]:
    """What reading all DAG files imports beside Airflow's own interface."""
    import importlib.util

    import airflow.sdk  # noqa: F401
    from airflow.sdk import DAG, BaseOperator, CronTriggerTimetable, Param  # noqa: F401

    before = set(sys.modules)
    for file in sorted(DAGS.glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"read_{file.stem}", file)
        assert spec is not None
        assert spec.loader is not None
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    new = set(sys.modules) - before
    ours = {name for name in new if name.startswith("crawler.")}
    return {
        "heavy": sorted(name for name in HEAVY if name in new),
        "ours": sorted(name for name in ours if not name.startswith(OURS_AT_PARSE)),
    }


def bag() -> dict[str, Any]:
    """All DAGs, and the errors of files that have none."""
    from airflow.dag_processing.dagbag import DagBag

    found = DagBag(str(DAGS))
    errors = {Path(file).name: text for file, text in found.import_errors.items()}
    return {"dags": sorted(found.dags), "errors": errors}


def structure(dag_id: str) -> dict[str, Any]:
    """One DAG, as Airflow sees it."""
    dag = _dag(dag_id)
    tasks = {
        task.task_id: {
            "after": sorted(task.upstream_task_ids),
            "rule": str(getattr(task.trigger_rule, "value", task.trigger_rule)),
            "mapped": bool(task.is_mapped),
            "owner": task.owner,
            "retries": task.retries,
            "pool": task.pool,
            "minutes": task.execution_timeout.total_seconds() / 60,
            "outlets": [outlet.name for outlet in task.outlets],
        }
        for task in dag.tasks
    }
    return {
        "tasks": tasks,
        "schedule": str(getattr(dag.schedule, "expression", dag.schedule)),
        "catchup": dag.catchup,
        "hours": dag.dagrun_timeout.total_seconds() / 3600,
        "runs": dag.max_active_runs,
        "paused": dag.is_paused_upon_creation,
        "tags": sorted(dag.tags),
        "doc": dag.doc_md,
        "params": dag.params.validate(),
        "strategies": _strategies(dag),
        "leaves": sorted(leaf.task_id for leaf in dag.leaves),
    }


def _strategies(dag: Any) -> list[Any]:
    return dag.params.get_param("strategy").schema["enum"] if "strategy" in dag.params else []


def serialized(dag_id: str) -> dict[str, Any]:
    """Whether reading twice gives one version, in which form the scheduler gets it."""
    from airflow.serialization.serialized_objects import DagSerialization

    first, second = (
        json.dumps(DagSerialization.serialize_dag(_dag(dag_id)), sort_keys=True, default=str)
        for _ in range(2)
    )
    return {"same": first == second, "text": first}


def run(dag_id: str, conf: dict[str, Any] | None = None) -> dict[str, Any]:
    """A whole run of a DAG in this process."""
    from airflow.models.asset import AssetEvent
    from airflow.models.taskreschedule import TaskReschedule
    from airflow.utils.session import create_session
    from sqlalchemy import func, select

    done = _dag(dag_id).test(run_conf=conf)
    with create_session() as session:
        tries = {ti.task_id: ti.try_number for ti in done.get_task_instances(session=session)}
        states = {ti.task_id: str(ti.state) for ti in done.get_task_instances(session=session)}
        ids = [ti.id for ti in done.get_task_instances(session=session)]
        reschedules = session.scalar(
            select(func.count()).select_from(TaskReschedule).where(TaskReschedule.ti_id.in_(ids))
        )
        events = session.scalars(select(AssetEvent).order_by(AssetEvent.id)).all()
        told = [
            {"asset": event.asset.name, "extra": event.extra}
            for event in events
            if event.source_run_id == done.run_id
        ]
    return {
        "state": str(done.state),
        "run_id": done.run_id,
        "tasks": states,
        "tries": tries,
        "reschedules": reschedules,
        "events": told,
        "progress": _progress(done.run_id),
    }


def raised(error: str) -> dict[str, Any]:
    """What Airflow is told when a step raises one of our errors."""
    from crawler import errors
    from crawler.nights.failures import as_airflow_errors

    try:
        with as_airflow_errors():
            raise getattr(errors, error)("the sentence", site="demo")
    except Exception as told:
        return {"kind": type(told).__name__, "text": str(told)}


def settings() -> dict[str, Any]:
    """What a task sees of the settings."""
    from crawler.nights.project import Project

    found = Project.of(str(DAGS / "acquire.py")).task_settings()
    smtp = found.smtp_url.get_secret_value() if found.smtp_url else ""
    return {
        "home": str(found.home),
        "sites_dir": str(found.sites_dir),
        "database_url": found.database_url,
        "store_url": found.store_url,
        "s3_endpoint": found.s3_endpoint,
        "smtp_url": smtp,
        "key": os.environ.get("AWS_ACCESS_KEY_ID", ""),
        "masked": _masked(found.database_url),
    }


def initdb() -> dict[str, Any]:
    """Airflow's own tables."""
    from airflow.utils.db import initdb as make_tables

    make_tables()
    return {}


def _masked(text: str) -> str:
    from airflow.sdk._shared.secrets_masker import redact

    return str(redact(text))


def _dag(dag_id: str) -> Any:
    from airflow.dag_processing.dagbag import DagBag

    return DagBag(str(DAGS)).dags[dag_id]


def _progress(run_id: str) -> dict[str, Any]:
    from airflow.utils.session import create_session
    from sqlalchemy import text

    query = "SELECT value FROM task_state_store WHERE run_id = :run AND key = 'progress'"
    with create_session() as session:
        found = session.execute(text(query), {"run": run_id}).scalar()
    return json.loads(found) if found else {}


COMMANDS: dict[str, Callable[..., dict[str, Any]]] = {
    command.__name__: command
    for command in (initdb, modules, bag, structure, serialized, run, raised, settings)
}


def main() -> None:
    """Answers until standard input ends."""
    # Whatever Airflow prints goes elsewhere: standard output is for the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        asked = json.loads(line)
        for name in [name for name in os.environ if name.startswith(("TALLYHO_", "AIRFLOW_CONN_"))]:
            del os.environ[name]
        os.environ.update(asked["environment"])
        try:
            answer = {"answer": COMMANDS[asked["command"]](**asked["arguments"])}
        except BaseException as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer, default=str) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
