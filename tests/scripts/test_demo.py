"""`make run` after the set-up: a night of the demo through Airflow, and nothing left running."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scripts.background import begun

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


class Demo:
    """A copy of the project with a port of its own, and a budget: a part of the site will do."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port = server.getsockname()[1]
        for name in ("scripts", "dags", "plugins", "include"):
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        site = folder / "include" / "sites" / "demo.yaml"
        text = site.read_text()
        assert ":8350/" in text
        site.write_text(text.replace(":8350/", f":{self.port}/") + "budget: {requests: 120}\n")

    @property
    def home(self) -> Path:
        return self.folder / ".tallyho"

    def start(self, *options: str, **variables: str) -> "subprocess.Popen[str]":
        ours = ("TALLYHO", "AIRFLOW")
        kept = {name: text for name, text in os.environ.items() if not name.startswith(ours)}
        return subprocess.Popen(
            [sys.executable, "scripts/demo.py", *options],
            cwd=self.folder,
            env={**kept, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def is_served(self) -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def processes(self) -> list[str]:
        """Those that were started for this demo and live."""
        found = []
        for entry in Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes().decode().split("\0")
            except (OSError, UnicodeDecodeError):
                continue
            if any(word.startswith(str(self.folder)) for word in words):
                found.append(" ".join(words))
        return found


@pytest.fixture
def demo(tmp_path: Path) -> Demo:
    return Demo(tmp_path)


@pytest.mark.slow
def test_night_ends_with_verdicts_and_what_to_type_next_each_time(demo):
    for _ in range(2):
        running = demo.start()
        told, errors = running.communicate()
        assert running.returncode == 0, errors
        assert "steps         plan: success, crawl: success" in told
        assert "\nverdicts " in told
        assert "\npublished " in told
        manifest = demo.home / "manifests" / "demo.jsonl"
        first = json.loads(manifest.read_text().splitlines()[0])
        assert f"tallyho explain demo {first['url']}\n" in told
        assert "head -n 3 .tallyho/manifests/demo.jsonl\n" in told
        assert (demo.home / "store" / first["file"]).is_file()
        # What Airflow says is in its log, not on the terminal.
        assert "airflow." not in told
        assert "acquire__demo" in (demo.home / "logs" / "night.log").read_text()
        assert not demo.is_served()
    assert demo.processes() == []


@pytest.mark.slow
def test_demo_is_served_at_the_port_that_is_chosen(demo):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with socket.create_server(("127.0.0.1", demo.port)):
        running = demo.start("--port", str(port))
        told, errors = running.communicate()
    assert running.returncode == 0, errors
    assert f"is open at http://127.0.0.1:{port}/" in told
    assert "export TALLYHO_SITES_DIR=.tallyho/run/sites\n" in told
    manifest = demo.home / "manifests" / "demo.jsonl"
    assert f":{port}/" in json.loads(manifest.read_text().splitlines()[0])["url"]


@pytest.mark.slow
def test_failed_night_is_told_with_its_log_and_stops_the_server(demo):
    running = demo.start(TALLYHO_CATALOG_URL="sqlite:////dev/null/catalog.db")
    told, errors = running.communicate()
    assert running.returncode == 1
    assert "The night failed in plan" in errors
    assert ".tallyho/logs/night.log" in errors
    assert "What to type next" not in told
    assert not demo.is_served()


def test_busy_port_is_told_in_one_sentence(demo):
    with socket.create_server(("127.0.0.1", demo.port)):
        running = demo.start()
        _, errors = running.communicate()
    assert running.returncode == 1
    assert f"port {demo.port}" in errors
    assert f"`make run DEMO_PORT={demo.port + 1}`" in errors
    assert len(errors.splitlines()) == 1


def test_home_that_cannot_be_used_is_told_in_one_sentence(demo):
    (demo.folder / "home").touch()
    running = demo.start(TALLYHO_HOME="home")
    _, errors = running.communicate()
    assert running.returncode == 1
    assert "home cannot be used" in errors
    assert len(errors.splitlines()) == 1


def test_live_airflow_is_not_disturbed(demo):
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as live:
        session = {"id": live.pid, "begun": begun(live.pid), "address": "A", "user": "u"}
        (demo.home / "run").mkdir(parents=True)
        (demo.home / "run" / "up.json").write_text(json.dumps(session))
        running = demo.start()
        _, errors = running.communicate()
        live.kill()
    assert running.returncode == 1
    assert "`make up` is running" in errors


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_ended_demo_leaves_nothing_running(demo, number):
    running = demo.start()
    assert "is open at" in running.stdout.readline()
    assert demo.is_served()
    assert "Airflow runs" in running.stdout.readline()
    running.send_signal(number)
    running.communicate()
    assert running.returncode == 128 + number
    assert not demo.is_served()
    assert demo.processes() == []
