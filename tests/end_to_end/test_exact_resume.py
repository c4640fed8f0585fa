"""A crawl that is killed again and again decides what an uninterrupted one decides."""

import json
import multiprocessing
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.lab.demo import DemoSite
from crawler.pipeline.acquire import acquire

# Children are forked from a process that has everything imported: fifty starts in seconds.
FORKSERVER = multiprocessing.get_context("forkserver")
FORKSERVER.set_forkserver_preload(
    ["crawler.pipeline.acquire", "crawler.strategies.sleeping_bandit"]
)


Asked = tuple[str, str]
"""Method and path."""


@dataclass(frozen=True)
class Case:
    pages: int
    unique_ids: bool
    kills: int
    least_actions: int


@contextmanager
def served(demo: DemoSite, log: Path) -> Iterator[str]:
    port = _free_port()
    command = [sys.executable, "-m", "crawler", "lab", "serve", "demo", "--port", str(port)]
    command += ["--pages", str(demo.pages), "--access-log", str(log)]
    if demo.unique_ids:
        command.append("--unique-ids")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            assert "Serving" in server.stdout.readline()
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def site_at(base: str) -> SiteConfig:
    return SiteConfig.model_validate(
        {
            "name": "demo",
            "start_url": f"{base}/",
            "allow_private_hosts": True,
            "politeness": {"delay": 0.0},
            "early_stopping": False,
            "seed": 7,
        }
    )


def requests_in(log: Path) -> list[Asked]:
    entries = map(json.loads, log.read_text().splitlines())
    return [(entry["method"], entry["path"]) for entry in entries]


def seen_by(log: Path) -> int:
    return log.read_bytes().count(b"\n") if log.exists() else 0


def run_uninterrupted(site: SiteConfig, home: Path, log: Path) -> list[Asked]:
    crawl_to_the_end(site, home)
    return requests_in(log)


def run_with_kills(
    site: SiteConfig, home: Path, log: Path, kills: int, requests: int
) -> tuple[list[Asked], list[int]]:
    """The requests that the server saw, and how many of them it had seen at each restart."""
    before = seen_by(log)
    chance = random.Random(2026)
    starts = []
    for moment in sorted(chance.sample(range(1, requests - 1), kills)):
        process = FORKSERVER.Process(target=acquire, args=(site, Settings(home=home)))
        process.start()
        while seen_by(log) - before < moment and process.is_alive():
            time.sleep(0.001)
        time.sleep(chance.random() * 0.006)  # anywhere in a step: fetching, storing, committing
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL, "the crawl was over before it was killed"
        time.sleep(0.1)  # a request that was in flight reaches the log of the living server
        starts.append(seen_by(log) - before)
    crawl_to_the_end(site, home)
    return requests_in(log)[before:], starts


def crawl_to_the_end(site: SiteConfig, home: Path) -> None:
    process = FORKSERVER.Process(target=acquire, args=(site, Settings(home=home)))
    process.start()
    process.join()
    assert process.exitcode == 0


def without_repetitions(requests: list[Asked], starts: list[int]) -> list[Asked]:
    """Take off the one request per restart that may have been in flight when the kill came."""
    repeated = {start for start in starts if requests[start] == requests[start - 1]}
    return [request for index, request in enumerate(requests) if index not in repeated]


def manifest_of(home: Path) -> list[dict[str, object]]:
    lines = (home / "manifests" / "demo.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(Case(600, False, kills=50, least_actions=20), id="demo-site-50-kills"),
        pytest.param(Case(2500, True, kills=25, least_actions=1200), id="thousands-of-actions"),
    ],
)
def test_killed_crawl_makes_the_same_requests_and_keeps_every_target_once(
    case: Case, tmp_path: Path
) -> None:
    demo = DemoSite(case.pages, unique_ids=case.unique_ids)
    log, whole_home, home = tmp_path / "access.jsonl", tmp_path / "whole", tmp_path / "killed"
    # One server for both: its port is part of every URL, and the classifier learns from URLs.
    with served(demo, log) as base:
        whole = run_uninterrupted(site_at(base), whole_home, log)
        killed, starts = run_with_kills(site_at(base), home, log, case.kills, len(whole))

    assert without_repetitions(killed, starts) == whole
    assert len(killed) <= len(whole) + case.kills
    assert_every_target_once(demo, home)
    assert_same_learning(whole_home, home, case.least_actions)


def assert_every_target_once(demo: DemoSite, home: Path) -> None:
    truth = {path: sha256(demo.respond(path).body).hexdigest() for path in demo.target_paths()}
    manifest = manifest_of(home)
    kept = {str(entry["url"]).split("/", 3)[3]: entry["sha256"] for entry in manifest}
    assert len(manifest) == len(kept)
    assert {f"/{path}": digest for path, digest in kept.items()} == truth
    blobs = {path.name: path for path in (home / "store" / "blobs").rglob("*") if path.is_file()}
    assert set(blobs) == set(truth.values())
    for name, path in blobs.items():
        assert sha256(path.read_bytes()).hexdigest() == name


def assert_same_learning(whole_home: Path, home: Path, least_actions: int) -> None:
    tables = []
    for folder in (whole_home, home):
        with sqlite3.connect(folder / "state" / "demo.db") as db:
            tables.append(
                [
                    db.execute("SELECT * FROM action ORDER BY id").fetchall(),
                    db.execute("SELECT coefficients, intercept, steps FROM model").fetchall(),
                    db.execute("SELECT id, status, action, slot, reason FROM link").fetchall(),
                ]
            )
    assert len(tables[0][0]) >= least_actions
    assert tables[0] == tables[1]
