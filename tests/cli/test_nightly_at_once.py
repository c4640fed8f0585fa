"""`tallyho nightly --at-once`: many sites in one process, of which some misbehave."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from crawler.lab.server import SiteServer
from crawler.lab.sites.demo import demo_site

pytestmark = pytest.mark.slow  # twelve sites, and validation loads its library

GOOD = 10
ROOT = Path(__file__).parents[2]


@contextmanager
def served(host: str, seed: int, log: Path) -> Iterator[str]:
    """A small office on an address of its own: hosts are what politeness is about."""
    server = SiteServer(demo_site(pages=6, seed=seed), host, 0, log)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server.base
    finally:
        server.shutdown()
        thread.join()
        server.stop()


@contextmanager
def misbehaving(host: str, answer: bytes | None) -> Iterator[str]:
    """A server that answers bytes that are no HTTP, or accepts and never answers."""
    listener = socket.create_server((host, 0))
    held: list[socket.socket] = []

    def serve() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                held.append(connection)
                if answer is not None:
                    connection.recv(4096)
                    connection.sendall(answer)
                    connection.close()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://{host}:{listener.getsockname()[1]}"
    finally:
        listener.close()
        for connection in held:
            connection.close()


def command(desk: Any, home: Path, *arguments: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, **desk.environment, "TALLYHO_HOME": str(home)}
    return subprocess.Popen(
        [sys.executable, "-m", "crawler", "nightly", *arguments],
        env=environment,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def asked(log: Path) -> list[tuple[str, str]]:
    lines = map(json.loads, log.read_text().splitlines())
    return [(line["method"], line["path"]) for line in lines]


def kept(home: Path, site: str) -> list[tuple[Any, ...]]:
    catalog = sqlite3.connect(home / "catalog.db")
    try:
        return catalog.execute(
            "SELECT resource.url, version.sha256, verdict.verdict FROM resource"
            " JOIN site ON site.id = resource.site_id"
            " JOIN version ON version.resource_id = resource.id"
            " LEFT JOIN verdict ON verdict.version_id = version.id"
            " WHERE site.name = ? ORDER BY resource.url",
            (site,),
        ).fetchall()
    finally:
        catalog.close()


def test_every_site_is_crawled_as_if_alone_and_bad_ones_are_listed(desk: Any) -> None:
    logs = {f"s{n}": desk.folder / f"s{n}.jsonl" for n in range(GOOD)}
    polite = {"politeness": {"delay": 0.02, "retries": 0}, "limits": {"timeout": 1}}
    with ExitStack() as stack:
        for number, (name, log) in enumerate(logs.items()):
            base = stack.enter_context(served(f"127.0.3.{number + 1}", number, log))
            # One of them is enough to see that validation runs beside the crawls.
            desk.add_site(name, base, validation=not number, **polite)
        alone = desk.folder / "alone"
        told = command(desk, alone, "--json").communicate()
        assert json.loads(told[0])["failed"] == [], told[1]
        straight = {name: asked(log) for name, log in logs.items()}

        desk.add_site("hangs", stack.enter_context(misbehaving("127.0.3.101", None)), **polite)
        garbage = stack.enter_context(misbehaving("127.0.3.102", os.urandom(500)))
        desk.add_site("garbage", garbage, **polite)
        process = command(desk, desk.home, "--at-once", "12", "--json")
        told = process.communicate()
    result = json.loads(told[0])
    assert process.returncode == 7, told[1]
    assert sorted(result["failed"]) == ["garbage", "hangs"]
    assert len(result["items"]) == GOOD + 2
    for name, log in logs.items():
        # Same requests in the same order, and the same files with the same verdicts.
        assert asked(log)[len(straight[name]) :] == straight[name]
        assert kept(desk.home, name) == kept(alone, name) != []
    assert {verdict for _, _, verdict in kept(desk.home, "s0")} >= {"valid"}


def test_ctrl_c_saves_all_sites_also_one_whose_server_hangs(desk: Any) -> None:
    logs = {f"s{n}": desk.folder / f"s{n}.jsonl" for n in range(4)}
    polite = {"politeness": {"delay": 0.2, "retries": 0}}
    with ExitStack() as stack:
        for number, (name, log) in enumerate(logs.items()):
            base = stack.enter_context(served(f"127.0.3.{number + 1}", number, log))
            desk.add_site(name, base, validation=False, **polite)
        desk.add_site("hangs", stack.enter_context(misbehaving("127.0.3.101", None)), **polite)
        process = command(desk, desk.home, "--at-once", "5", "--json")
        while not all(len(asked(log)) >= 4 for log in logs.values()):
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        told = process.communicate()
        assert process.returncode == 130, told[1]
        assert re.search("stopping", told[1])
        ended = {item["site"]: item["crawl"] for item in json.loads(told[0])["items"]}
        # The others end with their counts; the one that hangs is left as a kill would leave it.
        assert ended.pop("hangs") is None
        assert {crawl["stop_reason"] for crawl in ended.values()} == {"interrupted"}
        before = {name: asked(log) for name, log in logs.items()}

        again = command(desk, desk.home, "--json", *logs)
        told = again.communicate()
        assert again.returncode == 0, told[1]
    for name, log in logs.items():
        seen = asked(log)
        assert len(seen) > len(before[name])
        # One request may have been in flight: it is repeated, and nothing else is.
        assert len(seen) - len(set(seen)) <= 1
