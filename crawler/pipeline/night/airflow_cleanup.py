"""Old logs of tasks and old records of Airflow itself; of neither does Tallyho need any."""

import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from crawler.config.settings import Settings
from crawler.errors import StorageError
from crawler.pipeline.night.task_logs import logs_before
from crawler.storage.interface import ObjectStore

_SECONDS = 3600
_CONNECTION = "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN"


@dataclass(frozen=True, slots=True)
class AirflowCleanup:
    """What was deleted."""

    local_logs: int = 0
    """Files on the machine that did the upkeep."""
    stored_logs: int = 0
    metadata: bool = False
    """Whether `airflow db clean` was run."""


def clean_airflow(settings: Settings, store: ObjectStore, now: datetime) -> AirflowCleanup | None:
    """Delete what is older than TALLYHO_AIRFLOW_DAYS; None when it is not set."""
    if settings.airflow_days is None:
        return None
    before = now - timedelta(days=settings.airflow_days)
    stored = list(logs_before(store, before.date()))
    for key in stored:
        store.delete_object(key)
    local = _delete_files(_log_folder(), before)
    if settings.airflow_database_url is not None:
        _clean_metadata(settings.airflow_database_url.get_secret_value(), before)
    return AirflowCleanup(local, len(stored), settings.airflow_database_url is not None)


def _log_folder() -> Path | None:
    named = os.environ.get("AIRFLOW__LOGGING__BASE_LOG_FOLDER")
    home = os.environ.get("AIRFLOW_HOME")
    return Path(named) if named else Path(home) / "logs" if home else None


def _delete_files(folder: Path | None, before: datetime) -> int:
    """Logs by their last line, then the folders that are empty; what cannot be deleted stays."""
    deleted = 0
    for path in sorted(folder.rglob("*"), reverse=True) if folder else ():
        try:
            if path.is_symlink() or path.stat().st_mtime >= before.timestamp():
                continue
            if path.is_dir():
                path.rmdir()
            elif path.suffix == ".log":
                path.unlink()
                deleted += 1
        except OSError:
            continue  # not empty, not ours, or gone already
    return deleted


def _clean_metadata(url: str, before: datetime) -> None:
    """In a process of its own: a task of Airflow has no access to Airflow's database."""
    airflow = Path(sys.executable).with_name("airflow")
    words = ("db", "clean", "--clean-before-timestamp", before.isoformat(), "--skip-archive")
    try:
        done = subprocess.run(  # noqa: S603 - our own command
            [airflow, *words, "--yes"],
            env={**os.environ, _CONNECTION: url},
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise StorageError(f"airflow db clean: {error}") from error
    if done.returncode != 0:
        said = done.stderr.strip().replace(url, "***").splitlines()
        raise StorageError(f"airflow db clean: {said[-1] if said else done.returncode}")
