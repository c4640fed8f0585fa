"""`make run` after the set-up: the demo is served, crawled, and the server is gone at the end."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


class Demo:
    """A copy of the demo with a port of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port = server.getsockname()[1]
        (folder / "scripts").mkdir()
        shutil.copy(ROOT / "scripts" / "demo.py", folder / "scripts")
        site = (ROOT / "include" / "sites" / "demo.yaml").read_text()
        assert ":8350/" in site
        (folder / "include" / "sites").mkdir(parents=True)
        shutil.copytree(ROOT / "include" / "expectations", folder / "include" / "expectations")
        copy = folder / "include" / "sites" / "demo.yaml"
        copy.write_text(site.replace(":8350/", f":{self.port}/"))

    def start(self, **variables: str) -> "subprocess.Popen[str]":
        kept = {name: text for name, text in os.environ.items() if "TALLYHO" not in name}
        return subprocess.Popen(
            [sys.executable, "scripts/demo.py"],
            cwd=self.folder,
            env={**kept, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def is_served(self) -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0


@pytest.fixture
def demo(tmp_path: Path) -> Demo:
    return Demo(tmp_path)


@pytest.mark.slow
def test_demo_ends_with_files_and_what_to_type_next_each_time(demo):
    for _ in range(2):
        running = demo.start()
        told, errors = running.communicate()
        assert running.returncode == 0, errors
        manifest = demo.folder / ".tallyho" / "manifests" / "demo.jsonl"
        first = json.loads(manifest.read_text().splitlines()[0])
        assert f"tallyho explain demo {first['url']}\n" in told
        assert "head -n 3 .tallyho/manifests/demo.jsonl\n" in told
        assert (demo.folder / ".tallyho" / "store" / first["file"]).is_file()
        verdicts = dict(re.findall(r"^(\w+) +[\d,]+ +([\d,]+)$", told, re.MULTILINE))
        assert int(verdicts["valid"]) > 100
        assert "unchecked" not in verdicts
        assert not demo.is_served()


def test_busy_port_is_told_in_one_sentence(demo):
    with socket.create_server(("127.0.0.1", demo.port)):
        running = demo.start()
        _, errors = running.communicate()
    assert running.returncode == 1
    assert f"port {demo.port}" in errors
    assert len(errors.splitlines()) == 1


@pytest.mark.slow
def test_failed_crawl_gives_its_exit_code_and_stops_the_server(demo):
    (demo.folder / "home").touch()
    running = demo.start(TALLYHO_HOME="home")
    told, _ = running.communicate()
    assert running.returncode == 6
    assert "What to type next" not in told
    assert not demo.is_served()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_ended_demo_stops_the_server(demo, number):
    running = demo.start()
    assert "is open at" in running.stdout.readline()
    assert demo.is_served()
    running.send_signal(number)
    running.communicate()
    assert running.returncode == 128 + number
    assert not demo.is_served()
