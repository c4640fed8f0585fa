"""Whatever a server does, the crawl ends normally and brings every reachable file home."""

import json
import re
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from crawler.lab.server import running_site
from crawler.lab.sites.answer import HTML, answer
from crawler.state.stop import StopReason
from tests.end_to_end import hostile_office, traps
from tests.end_to_end.desk import Desk
from tests.end_to_end.hostile_office import HostileOffice
from tests.end_to_end.made_site import MadeSite, file, page, redirect
from tests.web.bare_server import BareServer, Exchange, Handler, Seen, not_found

pytestmark = pytest.mark.slow

MB = 1_000_000
_HIGH_WATER = re.compile(r"VmHWM:\s+(\d+) kB")
LIMITS = {
    "timeout": 0.8,
    "request_minutes": 0.03,
    "file_bytes": MB,
    "traps": {
        "calendar_run": traps.CALENDAR_RUN,
        "parameter_combinations": traps.COMBINATIONS,
        "url_length": traps.URL_LENGTH,
    },
}
SITE: dict[str, object] = {
    "politeness": {"delay": 0, "retries": 1, "backoff": 0.01},
    "limits": LIMITS,
    "early_stopping": False,
}


@dataclass(frozen=True)
class Case:
    strategy: str
    refuses_head: bool = False


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(Case("tallyho"), id="tallyho"),
        pytest.param(Case("sb"), id="sb"),
        pytest.param(Case("sb", refuses_head=True), id="sb-without-head"),
        pytest.param(Case("bfs"), id="bfs"),
    ],
)
def test_crawl_of_a_hostile_site_ends_normally_with_every_file(tmp_path: Path, case: Case) -> None:
    desk = Desk(tmp_path)
    with HostileOffice(refuses_head=case.refuses_head) as server:
        desk.describe(server.url("").rstrip("/"), strategy=case.strategy, **SITE)
        summary, peak = crawl_in_a_process(desk)

    assert summary["stop_reason"] == "frontier_empty"
    assert_every_file_once_with_its_bytes(desk)
    assert_each_incident_under_its_reason(desk, summary)
    assert_requests_are_bounded(server.requests, summary)
    assert 0 < peak < 700 * MB, "an answer of 1 GB went through memory"


def crawl_in_a_process(desk: Desk) -> tuple[dict[str, Any], int]:
    """The summary, and the most memory that the process had."""
    with desk.process("--json") as process, ThreadPoolExecutor(1) as watching:
        assert process.stdout is not None
        assert process.stderr is not None
        peak = watching.submit(most_memory, process.pid)
        printed, told = process.stdout.read(), process.stderr.read()
    assert process.returncode == 0, told
    return json.loads(printed), peak.result()


def most_memory(pid: int) -> int:
    """The high-water mark of a process, looked at until it ends.

    Not what the system tells at its end: that counts what the process was forked from as well.
    """
    most = 0
    with suppress(OSError):
        while found := _HIGH_WATER.search(Path(f"/proc/{pid}/status").read_text()):
            most = int(found[1]) * 1024
            time.sleep(0.02)
    return most


def path_of(url: str) -> str:
    return urlsplit(url).path


def assert_every_file_once_with_its_bytes(desk: Desk) -> None:
    truth = {path: sha256(body).hexdigest() for path, body in hostile_office.TARGETS.items()}
    entries = desk.manifest()
    kept = {path_of(entry["url"]): entry["sha256"] for entry in entries}
    assert kept == truth
    assert len(entries) == len(truth)
    blobs = [path for path in (desk.home / "store" / "blobs").rglob("*") if path.is_file()]
    assert sorted(path.name for path in blobs) == sorted(truth.values())
    assert all(sha256(path.read_bytes()).hexdigest() == path.name for path in blobs)


def assert_each_incident_under_its_reason(desk: Desk, summary: dict[str, Any]) -> None:
    rows = desk.query("SELECT url, reason FROM link WHERE reason != ''")
    assert Counter(reason for _, reason in rows) == summary["skipped"]
    reasons = {path_of(url): reason for url, reason in rows}
    incidents = {path: reasons.get(path) for path in hostile_office.SKIPPED}
    assert incidents == hostile_office.SKIPPED
    others = Counter(reason for url, reason in rows if path_of(url) not in hostile_office.SKIPPED)
    assert others.keys() == {"off_site", "media", *traps.REASONS}


def assert_requests_are_bounded(seen: list[Seen], summary: dict[str, Any]) -> None:
    assert summary["requests"] == len(seen)
    asked = Counter(each.path for each in seen if each.method == "GET")
    for path in hostile_office.TARGETS:
        if path not in hostile_office.BURSTS:
            found = [each for each in asked if each.partition("?")[0] == path]
            assert [asked[each] for each in found] == [1], path
    for start, most in traps.MAX_REQUESTS.items():
        assert sum(count for path, count in asked.items() if path.startswith(start)) <= most
    # A retry for each chance of the incidents, at most a HEAD for every URL.
    assert len(seen) < 500


def test_pages_that_always_fail_do_not_make_the_site_unreachable(tmp_path: Path) -> None:
    """Twenty dead ends of a site that is up: at the end of the crawl nothing else is left."""
    names = [f"/{number}" for number in range(20)]
    files = {f"{name}.csv": file(name) for name in names}
    failing = dict.fromkeys(names, answer(b"<p>oops</p>", HTML, status=500))
    links = [link for name in names for link in (name, f"{name}.csv")]
    desk = Desk(tmp_path)
    with running_site(MadeSite({"/": page(*links), **files, **failing})) as base:
        desk.describe(base, politeness={"delay": 0, "retries": 0}, strategy="bfs")
        summary = desk.acquire()

    assert summary.stop_reason is StopReason.FRONTIER_EMPTY
    assert summary.targets == len(files)
    assert summary.skipped == {"server_error": len(failing)}


def test_endless_numbered_pages_are_ended_by_early_stopping(tmp_path: Path) -> None:
    """No rule knows this trap: pages of ever higher numbers, and a file on the first."""

    def endless(x: Exchange) -> None:
        number = int(x.seen.path.rpartition("/")[2] or 0)
        x.page(f"/page/{number + 1}", *(["/data.csv"] if number == 0 else []))

    class Endless(BareServer):
        def find(self, path: str) -> Handler | None:
            return hostile_office.good if path == "/data.csv" else endless

    desk = Desk(tmp_path)
    with Endless() as server:
        server.on("/robots.txt", not_found)
        early = {"half_life": 10, "floor": 0.05, "patience": 20}
        desk.describe(server.url("").rstrip("/"), politeness={"delay": 0}, early_stopping=early)
        summary = desk.acquire()

    assert summary.stop_reason is StopReason.YIELD_EXHAUSTED
    assert summary.targets == 1
    assert len(server.requests) < 200


@pytest.mark.parametrize(
    ("robots", "reason"), [(True, "robots_unavailable"), (False, "private_address")]
)
def test_metadata_address_is_never_connected_to_even_inside_the_scope(
    tmp_path: Path, robots: bool, reason: str
) -> None:
    """The rule against connections off this machine would fail the test."""
    secrets = "http://169.254.169.254/latest/meta-data/"
    answers = {"/": page(f"{secrets}direct", "/moved"), "/moved": redirect(f"{secrets}moved")}
    desk = Desk(tmp_path)
    with running_site(MadeSite(answers)) as base:
        politeness = {"delay": 0, "retries": 0, "robots": robots}
        scope = {"hosts": ["169.254.169.254"]}
        desk.describe(base, politeness=politeness, scope=scope, strategy="bfs")
        summary = desk.acquire()

    assert summary.complete
    assert summary.skipped == {reason: 2}
