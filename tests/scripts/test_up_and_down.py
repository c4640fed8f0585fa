"""`make up` refuses what cannot work; `make down` ends all of a session and nothing else.

The live Airflow itself is in tests/end_to_end/test_standalone_night.py.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scripts.background import begun, lives

ROOT = Path(__file__).parents[2]
LEADER = """
import subprocess, sys, time
stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); " \
    "print(1, flush=True); time.sleep(600)"
one = subprocess.Popen([sys.executable, "-c", stubborn], stdout=subprocess.PIPE, process_group=0)
two = subprocess.Popen(["sleep", "600"])
one.stdout.readline()
print(one.pid, two.pid, flush=True)
time.sleep(600)
"""


class Machine:
    """A home and a folder of site files for the scripts."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.sites = folder / "sites"
        self.sites.mkdir()
        self.run_file = self.home / "run" / "up.json"

    def run(self, script: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
        own = {"TALLYHO_HOME": str(self.home), "TALLYHO_SITES_DIR": str(self.sites)}
        return subprocess.run(
            [sys.executable, str(ROOT / "scripts" / script), *arguments],
            env=os.environ | own,
            capture_output=True,
            text=True,
            check=False,
        )

    def remember(self, pid: int, ticks: int) -> None:
        self.run_file.parent.mkdir(parents=True)
        session = {"id": pid, "begun": ticks, "address": "http://127.0.0.1:1", "user": "admin"}
        self.run_file.write_text(json.dumps(session))


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def session() -> Iterator[tuple["subprocess.Popen[str]", list[int]]]:
    """A leader with a child that ignores SIGTERM in a group of its own, and another."""
    leader = subprocess.Popen(
        [sys.executable, "-c", LEADER], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert leader.stdout is not None
    children = [int(word) for word in leader.stdout.readline().split()]
    yield leader, children
    for pid in (leader.pid, *children):
        if lives(pid):
            os.kill(pid, signal.SIGKILL)
    leader.communicate()


def test_down_without_anything_running_says_so(machine):
    told = machine.run("down.py")
    assert (told.returncode, told.stdout) == (0, "Nothing of `make up` is running.\n")


@pytest.mark.parametrize(
    ("demo_is_busy", "what"), [(False, "Airflow needs port"), (True, "The demo site needs port")]
)
def test_busy_port_is_told_in_one_sentence(machine, demo_is_busy, what):
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        with socket.create_server(("127.0.0.1", 0)) as free:
            other = free.getsockname()[1]
        demo, airflow = (port, other) if demo_is_busy else (other, port)
        (machine.sites / "demo.yaml").write_text(
            f"start_url: http://127.0.0.1:{demo}/\nallow_private_hosts: true\n"
        )
        told = machine.run("up.py", "--port", str(airflow))
    assert told.returncode == 1
    assert f"{what} {port}" in told.stderr
    assert len(told.stderr.splitlines()) == 1
    assert not machine.run_file.exists()


@pytest.mark.slow
@pytest.mark.parametrize("crashed", [False, True], ids=["whole", "after a crash"])
def test_down_ends_every_process_of_the_session(machine, session, crashed):
    leader, children = session
    machine.remember(leader.pid, begun(leader.pid))
    assert "running already" in machine.run("up.py").stdout
    if crashed:
        leader.kill()
        leader.wait()
    told = machine.run("down.py")
    assert told.returncode == 0
    assert f"{len(children) + (not crashed)} processes" in told.stdout
    assert [pid for pid in (leader.pid, *children) if lives(pid)] == []
    assert "Nothing" in machine.run("down.py").stdout


def test_process_that_got_the_number_of_an_old_one_is_left_alone(machine, session):
    leader, children = session
    machine.remember(leader.pid, begun(leader.pid) - 1)
    assert "Nothing" in machine.run("down.py").stdout
    time.sleep(0.1)
    assert all(lives(pid) for pid in (leader.pid, *children))


def test_password_and_secrets_are_for_their_owner_only(machine):
    machine.home.mkdir(mode=0o755)
    script = (
        "from airflow_home import AirflowHome; from crawler.config.settings import load_settings;"
        "s = load_settings(); h = AirflowHome.of(s);"
        "print(h.password()); print(h.environment(s)['AIRFLOW__API_AUTH__JWT_SECRET'])"
    )
    own = {"TALLYHO_HOME": str(machine.home), "PYTHONPATH": str(ROOT / "scripts")}
    paths = f"{ROOT / 'scripts'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    told = [
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | own | {"PYTHONPATH": paths},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for _ in range(2)
    ]
    assert told[0] == told[1]
    assert len(told[0][1]) >= 64
    for name in ("passwords.json", "secrets.json"):
        assert (machine.home / "airflow" / name).stat().st_mode & 0o077 == 0
