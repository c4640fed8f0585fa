"""A real Airflow on CeleryExecutor for the tests: every component a process, workers by name.

Each component leads a session of its own, so that all it started can be ended with it: the process
of a task has a process group of its own and would outlive its worker's group.
"""

import base64
import ctypes
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).parents[2]
AIRFLOW = Path(sys.executable).with_name("airflow")
SECONDS_TO_START = 600
SECONDS_TO_STOP = 20
USER = "admin"


class Component:
    """One process of Airflow with everything that it starts."""

    def __init__(
        self,
        arguments: tuple[str, ...],
        environment: Mapping[str, str],
        log: Path,
        before: Sequence[str] = (),
    ) -> None:
        self.log = log
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [*before, AIRFLOW, *arguments],
                cwd=log.parent,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=_end_with_the_tests,
            )

    @property
    def alive(self) -> bool:
        """Whether the process itself runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Ends all of it at once, as a power failure would."""
        while members := _session(self._process.pid):
            for member in members:
                with suppress(ProcessLookupError):
                    os.kill(member, signal.SIGKILL)
            self._process.poll()
            time.sleep(0.02)
        self._process.wait()

    def stop(self) -> None:
        """Ends it in order, and whatever is left after a while at once."""
        with suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(SECONDS_TO_STOP)
        self.kill()

    def tail(self) -> str:
        """The end of what it said."""
        return f"{self.log.name}:\n{self.log.read_text(errors='replace')[-3000:]}"


class CeleryAirflow:
    """The components; ended, whatever happens, when the `with` ends."""

    def __init__(
        self,
        folder: Path,
        database_url: str,
        broker_url: str,
        environment: Mapping[str, str],
        address: str = "127.0.0.1",
    ) -> None:
        """`address` is where workers reach the API server; the tests reach it on loopback."""
        self._folder = folder
        self._bind = "127.0.0.1" if address == "127.0.0.1" else "0.0.0.0"
        self._port = _free_port()
        self._password = secrets.token_hex(16)
        self._token = ""
        self._components: dict[str, Component] = {}
        passwords = folder / "passwords.json"
        passwords.write_text(json.dumps({USER: self._password}))
        driver = database_url.replace("postgresql://", "postgresql+psycopg2://", 1)
        options = {
            "CORE__EXECUTOR": "CeleryExecutor",
            "CORE__DAGS_FOLDER": str(ROOT / "dags"),
            "CORE__LOAD_EXAMPLES": "False",
            "CORE__PARALLELISM": "8",
            "CORE__FERNET_KEY": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode(),
            "CORE__EXECUTION_API_SERVER_URL": f"http://{address}:{self._port}/execution/",
            "CORE__SIMPLE_AUTH_MANAGER_USERS": f"{USER}:admin",
            "CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE": str(passwords),
            "DATABASE__SQL_ALCHEMY_CONN": driver,
            "CELERY__BROKER_URL": broker_url,
            "CELERY__RESULT_BACKEND": f"db+{driver}",
            "CELERY__WORKER_CONCURRENCY": "2",
            "CELERY__SYNC_PARALLELISM": "1",
            "API__SECRET_KEY": secrets.token_hex(32),
            "API_AUTH__JWT_SECRET": secrets.token_hex(64),
            "DAG_PROCESSOR__REFRESH_INTERVAL": "10",
        }
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "AIRFLOW_HOME": str(folder),
            **{f"AIRFLOW__{name}": value for name, value in options.items()},
            **environment,
        }

    def __enter__(self) -> "CeleryAirflow":
        try:
            self._migrate()
            server = ("--host", self._bind, "--port", str(self._port), "--workers", "1")
            self._start("api-server", "api-server", *server)
            self._start("scheduler", "scheduler")
            self._start("dag-processor", "dag-processor")
            self.wait_for(self._answers, "the API server answers")
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends all components, the workers first."""
        for name in sorted(self._components, key=lambda name: not name.startswith("worker")):
            self._components[name].kill()

    def start_worker(self, name: str, home: Path, before: Sequence[str] = ()) -> Component:
        """A worker with a home of its own, as on a machine of its own; `before` puts it there."""
        arguments = ("celery", "worker", "--celery-hostname", f"{name}@%h", "--skip-serve-logs")
        return self._start(f"worker-{name}", *arguments, home=home, before=before)

    def first_run_of(self, dag_id: str) -> str:
        """The id of the run that the schedule of a DAG begins with, once it is there."""
        self.wait_for(lambda: bool(self._runs_of(dag_id)), f"{dag_id} is scheduled")
        return self._runs_of(dag_id)[0]

    def state_of(self, dag_id: str, run_id: str) -> str:
        """How a run stands."""
        return str(self.ask("GET", f"/dags/{dag_id}/dagRuns/{run_id}")["state"])

    def tries_of(self, dag_id: str, run_id: str) -> dict[str, int]:
        """How often each task of a run was tried."""
        told = self.ask("GET", f"/dags/{dag_id}/dagRuns/{run_id}/taskInstances")
        return {task["task_id"]: task["try_number"] for task in told["task_instances"]}

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """One request to the REST API, with a token."""
        if not self._token:
            login = {"username": USER, "password": self._password}
            self._token = self._send("POST", "/auth/token", login)["access_token"]
        return self._send(method, f"/api/v2{path}", body)

    def wait_for(
        self, is_so: Callable[[], bool], what: str, seconds: float = SECONDS_TO_START
    ) -> None:
        """Waits until something is so; tells the logs when a component dies or time is over."""
        deadline = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < deadline, f"not yet: {what}\n{self.logs()}"
            time.sleep(0.2)

    def logs(self) -> str:
        """The end of what every component said."""
        return "\n".join(component.tail() for component in self._components.values())

    def _start(
        self, name: str, *arguments: str, home: Path | None = None, before: Sequence[str] = ()
    ) -> Component:
        environment = dict(self._environment)
        if home is not None:
            environment["TALLYHO_HOME"] = str(home)
            environment["AIRFLOW__LOGGING__BASE_LOG_FOLDER"] = str(home / "logs")
        component = Component(arguments, environment, self._folder / f"{name}.log", before)
        self._components[name] = component
        return component

    def _migrate(self) -> None:
        done = subprocess.run(
            [AIRFLOW, "db", "migrate"],
            env=self._environment,
            cwd=self._folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-4000:]

    def _answers(self) -> bool:
        dead = [part.tail() for part in self._components.values() if not part.alive]
        assert not dead, "\n".join(dead)
        try:
            self._send("GET", "/api/v2/version")
        except OSError:
            return False
        return True

    def _runs_of(self, dag_id: str) -> list[str]:
        try:
            told = self.ask("GET", f"/dags/{dag_id}/dagRuns?order_by=id")
        except urllib.error.HTTPError as error:
            if error.code != 404:  # the DAG is not known yet
                raise
            return []
        return [str(run["dag_run_id"]) for run in told["dag_runs"]]

    def _send(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {self._token}"},
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=120) as answer:
            return json.load(answer)


def _session(leader: int) -> list[int]:
    """All living processes of a session (Linux: /proc)."""
    members = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError):
            # After the name, which may hold anything: state, parent, group, session.
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == leader and fields[0] != "Z":
                members.append(int(entry.name))
    return members


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def _end_with_the_tests() -> None:
    """Asks the kernel to end the process when the tests are killed (Linux: PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
