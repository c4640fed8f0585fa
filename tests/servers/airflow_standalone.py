"""A real Airflow for the tests, started and ended by the scripts of `make up` and `make down`.

Should the tests be killed, a watchdog that waits for their end runs `make down` in their place.
"""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "scripts"
NEVER = "0 0 29 2 *"
"""A schedule whose last day was before any DAG of ours began, and whose next is far away."""
SECONDS = 900
REPEATS = 30
WATCHDOG = "import subprocess, sys; sys.stdin.read(); subprocess.run(sys.argv[1:])"


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Standalone:
    """`airflow standalone` with a home and a folder of site files of its own."""

    def __init__(self, folder: Path) -> None:
        self.sites = folder / "sites"
        self.sites.mkdir()
        self.home = folder / "home"
        self.address = f"http://127.0.0.1:{_free_port()}"
        self.demo = f"http://127.0.0.1:{_free_port()}/"
        self.token = ""
        self.told = ""
        self.more: dict[str, str] = {}
        self._watchdog: subprocess.Popen[bytes] | None = None
        # Served by `make up`, but no DAG: its night would take the processors from the tests.
        self.add_site("demo", start_url=self.demo, enabled=False)

    @property
    def environment(self) -> dict[str, str]:
        ours = ("TALLYHO_", "AIRFLOW")
        return {k: v for k, v in os.environ.items() if not k.startswith(ours)} | {
            "TALLYHO_HOME": str(self.home),
            "TALLYHO_SITES_DIR": str(self.sites),
            "AIRFLOW__CORE__DEFAULT_TASK_RETRY_DELAY": "1",
            # A failure must say which statement failed, and why.
            "AIRFLOW__API__EXPOSE_STACKTRACE": "True",
            **self.more,
        }

    def add_site(self, name: str, **values: object) -> None:
        text = yaml.safe_dump({"allow_private_hosts": True, **values})
        (self.sites / f"{name}.yaml").write_text(text)

    def script(self, name: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, str(SCRIPTS / name), *arguments]
        return subprocess.run(
            command, env=self.environment, cwd=ROOT, capture_output=True, text=True, check=False
        )

    def start(self) -> None:
        down = [sys.executable, str(SCRIPTS / "down.py")]
        self._watchdog = subprocess.Popen(
            [sys.executable, "-c", WATCHDOG, *down],
            env=self.environment,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        started = self.script("up.py", "--port", self.address.rpartition(":")[2])
        assert started.returncode == 0, started.stderr
        self.told = started.stdout
        login = {"username": self.password[0], "password": self.password[1]}
        answer = self.ask("/auth/token", login)
        assert answer.status == 201, answer.body
        self.token = answer.json["access_token"]

    @property
    def password(self) -> tuple[str, str]:
        """The login as `make up` tells it to people."""
        found = re.search(r"^login +(\S+)\npassword +(\S+)$", self.told, re.MULTILINE)
        assert found, self.told
        return found[1], found[2]

    def stop(self) -> None:
        ended = self.script("down.py")
        if self._watchdog is not None and self._watchdog.stdin is not None:
            self._watchdog.stdin.close()
            self._watchdog.wait()
        assert ended.returncode == 0, ended.stderr

    def ask(
        self, path: str, body: object = None, *, login: bool = True, method: str | None = None
    ) -> Answer:
        """The answer of Airflow, asked again where its database was locked.

        Airflow writes its audit log in the event loop. While it waits there for SQLite's one
        writer, a request of a task that is that writer cannot end: one of both fails with 500.
        """
        answer = self._ask_once(path, body, login=login, method=method)
        for _ in range(REPEATS):
            if answer.status != 500 or b"database is locked" not in answer.body:
                break
            time.sleep(1)
            answer = self._ask_once(path, body, login=login, method=method)
        return answer

    def _ask_once(self, path: str, body: object, *, login: bool, method: str | None) -> Answer:
        headers = {"Content-Type": "application/json"}
        if login and self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        sent = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}{path}", sent, headers, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=SECONDS) as answer:
                return Answer(answer.status, answer.read())
        except urllib.error.HTTPError as refused:
            return Answer(refused.code, refused.read())

    def trigger(self, dag_id: str, conf: dict[str, Any] | None = None) -> str:
        """Starts a run; its id."""
        body = {"logical_date": None, "conf": conf or {}}
        answer = self.ask(f"/api/v2/dags/{dag_id}/dagRuns", body)
        assert answer.status == 200, answer.body
        return str(answer.json["dag_run_id"])

    def finished(self, dag_id: str, run_id: str) -> dict[str, dict[str, Any]]:
        """Waits for the end of a run, which must be a good one; its tasks by id."""
        place = f"/api/v2/dags/{dag_id}/dagRuns/{run_id}"
        over = ("success", "failed")
        wait_for(lambda: self.ask(place).json["state"] in over, f"{dag_id} to end")
        tasks = self.ask(f"{place}/taskInstances").json["task_instances"]
        states = {task["task_id"]: task["state"] for task in tasks}
        assert self.ask(place).json["state"] == "success", f"{states}\n{self.log()}"
        return {task["task_id"]: task for task in tasks}

    def log(self) -> str:
        return (self.home / "logs" / "airflow.log").read_text(errors="replace")[-8000:]


def wait_for(ready: Callable[[], object], what: str) -> None:
    """Waits, far longer than it takes."""
    deadline = time.monotonic() + SECONDS
    while not ready():
        assert time.monotonic() < deadline, f"waited {SECONDS} s for {what}"
        time.sleep(0.1)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.fixture
def standalone(tmp_path: Path) -> Iterator[Standalone]:
    """Not started yet; whatever was started is ended."""
    airflow = Standalone(tmp_path)
    try:
        yield airflow
    finally:
        airflow.stop()
