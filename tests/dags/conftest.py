"""Airflow in a process of its own, one for all tests of a worker, and a desk of site files."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

CHILD = Path(__file__).with_name("airflow_child.py")
ROOT = Path(__file__).parents[2]


class Airflow:
    """The process, with an empty home that goes with the tests."""

    def __init__(self, home: Path) -> None:
        self._log = (home / "log.txt").open("w+")
        self._process = subprocess.Popen(
            [sys.executable, str(CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            cwd=home,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "AIRFLOW_HOME": str(home),
                "AIRFLOW__CORE__UNIT_TEST_MODE": "True",
                "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
                "AIRFLOW__CORE__DAGS_FOLDER": str(ROOT / "dags"),
                "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{home / 'airflow.db'}",
            },
        )
        self._tables = False

    def ask(self, command: str, environment: dict[str, str], **arguments: Any) -> Any:
        """The answer to one command."""
        if command == "run" and not self._tables:
            self._tables = True
            self.ask("initdb", {})
        asked = {"command": command, "environment": environment, "arguments": arguments}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, self.log()
        answer = json.loads(line)
        assert "answer" in answer, f"{answer['error']}\n{self.log()[-4000:]}"
        return answer["answer"]

    def log(self) -> str:
        """All that Airflow and the tasks have said."""
        self._log.flush()
        return Path(self._log.name).read_text()

    def close(self) -> None:
        """Ends the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        self._log.close()


@dataclass(frozen=True)
class NightDesk:
    """A home and a folder of site files of its own, seen by Airflow."""

    airflow: Airflow
    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.folder / "home"

    def write(self, name: str, text: str) -> None:
        (self.folder / "sites" / f"{name}.yaml").write_text(text)

    def add_site(self, name: str, start_url: str, **values: object) -> None:
        site = {
            "start_url": start_url,
            "allow_private_hosts": True,
            "politeness": {"delay": 0, "retries": 0},
            "retries": 0,
            **values,
        }
        self.write(name, yaml.safe_dump(site))

    def ask(self, command: str, **arguments: Any) -> Any:
        own = {
            "TALLYHO_HOME": str(self.home),
            "TALLYHO_SITES_DIR": str(self.folder / "sites"),
            **self.environment,
        }
        environment = {name: value for name, value in own.items() if value}
        return self.airflow.ask(command, environment, **arguments)


@pytest.fixture(scope="session")
def airflow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Airflow]:
    process = Airflow(tmp_path_factory.mktemp("airflow"))
    yield process
    process.close()


@pytest.fixture
def desk(airflow: Airflow, tmp_path: Path) -> NightDesk:
    (tmp_path / "sites").mkdir()
    return NightDesk(airflow, tmp_path)
