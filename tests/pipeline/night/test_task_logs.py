"""Task logs in the store, and how old ones go."""

import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from crawler.config.settings import Settings
from crawler.pipeline.night.airflow_cleanup import clean_airflow
from crawler.pipeline.night.task_logs import key_of, logs_before, store_log, stored_log
from crawler.pipeline.services import open_services
from crawler.storage.keys import check_key

RUN = "run_id=scheduled__2026-11-10T02:30:00+00:00"
LOG = f"dag_id=acquire__demo/{RUN}/task_id=crawl/attempt=1.log"
NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    "path",
    [
        LOG,
        f"dag_id=acquire__demo/{RUN}/task_id=validate/map_index=3/attempt=2.log",
        "dag_id=Ärger/run_id=manual__../task_id=x/attempt=1.log",
        f"dag_id={'a' * 250}/run_id={'b' * 250}/task_id={'c' * 250}/attempt=1.log",
        "dag_id=/run_id=/attempt=1.log",
    ],
)
def test_every_log_has_a_key_of_its_own(path: str) -> None:
    key = key_of(path)
    assert check_key(key) == key
    assert key.startswith("task-logs/")
    assert key_of(path.replace("attempt=1", "attempt=9")) != key or "attempt=1" not in path


def test_slices_of_several_machines_are_one_log(settings: Settings) -> None:
    assert stored_log(settings, LOG) is None
    store_log(settings, LOG, b"one\n")
    store_log(settings, LOG, b"two\n")
    assert stored_log(settings, LOG) == b"one\ntwo\n"


def test_old_logs_are_known_by_their_night(settings: Settings) -> None:
    newer = LOG.replace("2026-11-10", "2026-11-12")
    for path in (LOG, newer, LOG.replace("scheduled__2026-11-10T02:30:00+00:00", "by-hand")):
        store_log(settings, path, b"x")
    with open_services(settings) as services:
        assert list(logs_before(services.store, date(2026, 11, 12))) == [key_of(LOG)]


def test_nothing_is_deleted_unless_it_is_asked_for(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = tmp_path / "airflow" / "logs"
    monkeypatch.setenv("AIRFLOW__LOGGING__BASE_LOG_FOLDER", str(logs))
    old, new, other = logs / "dag_id=a" / "1.log", logs / "dag_id=b" / "1.log", logs / "old.txt"
    for path in (old, new, other):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("line\n")
    long_ago = (NOW - timedelta(days=40)).timestamp()
    for path in (old, other):
        os.utime(path, (long_ago, long_ago))
    os.utime(old.parent, (long_ago, long_ago))
    os.utime(new, (NOW.timestamp(), NOW.timestamp()))
    store_log(settings, LOG, b"x")
    with open_services(settings) as services:
        assert clean_airflow(settings, services.store, NOW) is None
        assert old.exists()
        kept = settings.model_copy(update={"airflow_days": 30})
        done = clean_airflow(kept, services.store, NOW)
        assert done is not None
        assert (done.local_logs, done.stored_logs, done.metadata) == (1, 0, False)
        assert not old.exists()
        assert new.exists()
        assert other.exists()
        fewer = settings.model_copy(update={"airflow_days": 3})
        done = clean_airflow(fewer, services.store, NOW)
        assert done is not None
        assert done.stored_logs == 1
        assert stored_log(settings, LOG) is None


@pytest.mark.slow
def test_old_runs_leave_the_database_of_airflow(settings: Settings, tmp_path: Path) -> None:
    """Two runs of a DAG, a year and a day old; Airflow itself keeps the last run of each DAG."""
    url = f"sqlite:///{tmp_path}/airflow.db"
    environment = {
        **{name: value for name, value in os.environ.items() if "AIRFLOW" not in name},
        "AIRFLOW_HOME": str(tmp_path),
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": url,
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "PYTHONPATH": str(ROOT),
    }

    def run(script: str) -> str:
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout.strip().splitlines()[-1]

    subprocess.run(
        [Path(sys.executable).with_name("airflow"), "db", "migrate"],
        env=environment,
        check=True,
        capture_output=True,
    )
    add = """
from datetime import datetime, timedelta, UTC
from airflow.utils.session import create_session
from airflow.models.log import Log
from sqlalchemy import select, func
with create_session() as session:
    for days in (400, 1):
        event = Log(event="cli_x", owner="test")
        event.dttm = datetime(2026, 11, 17, tzinfo=UTC) - timedelta(days=days)
        session.add(event)
with create_session() as session:
    print(session.scalar(select(func.count()).select_from(Log).where(Log.owner == "test")))
"""
    count = add.partition("with create_session")[0] + add[add.rindex("with create_session") :]
    assert run(add) == "2"
    kept = settings.model_copy(update={"airflow_days": 30, "airflow_database_url": SecretStr(url)})
    with pytest.MonkeyPatch.context() as patch, open_services(settings) as services:
        for name, value in environment.items():
            patch.setenv(name, value)
        # As a task sees it.
        patch.setenv("AIRFLOW__DATABASE__SQL_ALCHEMY_CONN", "airflow-db-not-allowed:///")
        done = clean_airflow(kept, services.store, NOW)
    assert done is not None
    assert done.metadata
    assert run(count) == "1"
