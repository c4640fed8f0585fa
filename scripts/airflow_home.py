"""A private Airflow for this folder: its home, its secrets, and the variables that make it so."""

import json
import os
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path

from complaint import Complaint

from crawler.config.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
USER = "admin"
_HABITS = {
    # 32 worker processes by default, which take 2 GB; a demo needs few.
    "AIRFLOW__CORE__PARALLELISM": "4",
    # A new site file becomes a DAG when the folder is read again; minutes by default.
    "AIRFLOW__DAG_PROCESSOR__REFRESH_INTERVAL": "15",
    "AIRFLOW__DAG_PROCESSOR__MIN_FILE_PROCESS_INTERVAL": "15",
    "AIRFLOW__DAG_PROCESSOR__PARSING_PROCESSES": "1",
    # All parts start at once: the first task waits for the server that it reports to.
    "AIRFLOW__WORKERS__EXECUTION_API_RETRIES": "30",
    "AIRFLOW__WORKERS__EXECUTION_API_RETRY_WAIT_MAX": "5",
    # A crawl whose process died is noticed after so many seconds; five minutes by default.
    "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": "60",
    "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
    "AIRFLOW__CORE__TEST_CONNECTION": "Disabled",
    "AIRFLOW__USAGE_DATA_COLLECTION__ENABLED": "False",
}
"""What may be said otherwise in the environment."""


@dataclass(frozen=True, slots=True)
class AirflowHome:
    """Everything of it is below one folder; nothing outside is read or changed."""

    folder: Path
    logs: Path

    @staticmethod
    def of(settings: Settings) -> "AirflowHome":
        """The one in Tallyho's own home, made when it is not there."""
        home = AirflowHome(settings.home / "airflow", settings.home / "logs")
        try:
            home.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            home.logs.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Complaint(f"{settings.home} cannot be used: {error.strerror or error}") from error
        return home

    def environment(self, settings: Settings) -> dict[str, str]:
        """The variables of every process of this Airflow, on top of those that are there."""
        kept = self._secrets()
        own = {
            "AIRFLOW_HOME": str(self.folder),
            "AIRFLOW__CORE__DAGS_FOLDER": str(ROOT / "dags"),
            "AIRFLOW__CORE__PLUGINS_FOLDER": str(ROOT / "plugins"),
            "AIRFLOW__CORE__EXECUTOR": "LocalExecutor",
            # A writer waits its turn: SQLite's own 5 seconds are too few while all DAGs are parsed.
            # But Airflow's server may wait for itself, deaf to heartbeats of tasks: so less than
            # the 60 seconds after which a task without any counts as dead.
            "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": (
                f"sqlite:///{self.folder / 'airflow.db'}?timeout=20"
            ),
            "AIRFLOW__LOGGING__BASE_LOG_FOLDER": str(self.logs / "airflow"),
            "AIRFLOW__CORE__FERNET_KEY": kept["fernet_key"],
            "AIRFLOW__API_AUTH__JWT_SECRET": kept["jwt_secret"],
            "AIRFLOW__API__SECRET_KEY": kept["secret_key"],
            "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS": f"{USER}:admin",
            "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE": str(self._passwords),
            "TALLYHO_HOME": str(settings.home),
            "TALLYHO_SITES_DIR": str(settings.sites_dir.absolute()),
            # The commands of this environment, also when it was not activated.
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
            "PYTHONUNBUFFERED": "1",
        }
        return {**_HABITS, **os.environ, **own}

    def password(self) -> str:
        """Of the one user; made once and kept where only this user of the machine can read it."""
        known = _read(self._passwords)
        if USER not in known:
            known[USER] = secrets.token_urlsafe(12)
            _write(self._passwords, known)
        return known[USER]

    @property
    def _passwords(self) -> Path:
        return self.folder / "passwords.json"

    def _secrets(self) -> dict[str, str]:
        from cryptography.fernet import Fernet

        place = self.folder / "secrets.json"
        known = _read(place)
        if not known:
            known = {
                "fernet_key": Fernet.generate_key().decode(),
                "jwt_secret": secrets.token_urlsafe(64),
                "secret_key": secrets.token_urlsafe(32),
            }
            _write(place, known)
        return known


def _read(place: Path) -> dict[str, str]:
    try:
        return dict(json.loads(place.read_text()))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise Complaint(f"{place} cannot be read ({error}): remove it and try again.") from error


def _write(place: Path, values: dict[str, str]) -> None:
    beside = place.with_suffix(".new")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(values, file)
    beside.replace(place)
