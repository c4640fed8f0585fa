"""A night that is killed again and again asks and finds what an uninterrupted one does."""

import multiprocessing
import random
import shutil
import signal
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from crawler.config.revisit import RevisitConfig
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.crawl.revisit import revisit
from tests.end_to_end.killed_crawl import FORKSERVER, site_at, without_repetitions
from tests.pipeline.changing_server import ChangingServer, Manners, Served, listing, serving

SECTIONS = 20
KILLS = 50
CONFIG = RevisitConfig(name="tallyho", pages=1.0, files=1.0)


def first_paths() -> dict[str, Served]:
    paths = {"/": listing(*[f"/s{number}" for number in range(SECTIONS)], "/latest")}
    paths["/latest"] = Served(location="/may.csv", status=302)
    paths["/may.csv"] = Served(b"may\n1\n")
    for number in range(SECTIONS):
        files = [f"/s{number}/t{item}.csv" for item in range(3)]
        paths[f"/s{number}"] = listing(*files, "/")
        paths |= {name: Served(f"name\n{name}\n".encode()) for name in files}
    return paths


def change(paths: dict[str, Served]) -> None:
    for number in range(0, SECTIONS, 4):
        files = [f"/s{number}/t{item}.csv" for item in range(5)]
        paths[f"/s{number}"] = listing(*files, f"/s{number}/news", f"/s{number + 1}/t0.csv", "/")
        paths[f"/s{number}/t3.csv"] = Served(f"new\n{number}\n".encode())
        paths[f"/s{number}/t4.csv"] = Served(b"", "text/html", 404)
        paths[f"/s{number}/news"] = listing(f"/s{number}/n.csv", f"/s{number}/t0.csv")
        paths[f"/s{number}/n.csv"] = Served(f"news\n{number}\n".encode())
        paths[f"/s{number + 1}/t0.csv"] = Served(f"changed\n{number}\n".encode())
        del paths[f"/s{number + 1}/t1.csv"]
        paths[f"/s{number + 2}"] = Served(location="/", status=302)
        paths[f"/s{number + 2}/t2.csv"] = listing("/")
    paths["/latest"] = Served(location="/june.csv", status=302)
    paths["/june.csv"] = Served(b"june\n1\n")
    paths["/sitemap.xml"] = Served(
        b"<urlset><url><loc>/only-here</loc></url></urlset>", "application/xml"
    )
    paths["/only-here"] = listing("/hidden.csv")
    paths["/hidden.csv"] = Served(b"hidden\n1\n")


def night(site: SiteConfig, settings: Settings, at: float) -> None:
    """The body of a process; its clock stands still, so that times can be compared."""
    revisit(site, settings, config=CONFIG, wall_clock=lambda: at)


class Nights:
    """Starts, kills and finishes the night of one home."""

    def __init__(self, site: SiteConfig, home: Path, at: float, server: ChangingServer) -> None:
        self._arguments = (site, Settings(home=home), at)
        self._server = server

    def start(self) -> multiprocessing.process.BaseProcess:
        process = FORKSERVER.Process(target=night, args=self._arguments)
        process.start()
        return process

    def to_the_end(self) -> None:
        process = self.start()
        process.join()
        assert process.exitcode == 0

    def kill_again_and_again(self, kills: int, requests: int) -> list[int]:
        """Kill the night at random moments; how many requests were seen at each restart."""
        log, before = self._server.log, len(self._server.log)
        chance = random.Random(2027)
        starts = []
        for moment in sorted(chance.sample(range(1, requests - 1), kills)):
            process = self.start()
            while len(log) - before < moment and process.is_alive():
                time.sleep(0.001)
            time.sleep(chance.random() * 0.006)
            process.kill()
            process.join()
            assert process.exitcode == -signal.SIGKILL, "the night was over before it was killed"
            time.sleep(0.05)
            starts.append(len(log) - before)
        return starts


def asked(log: list[str]) -> list[tuple[str, str]]:
    return [(method, path) for method, _, path in (one.partition(" ") for one in log)]


CATALOG = {
    "resource": "SELECT * FROM resource",
    "version": "SELECT resource_id, number, sha256, size, etag, fetched_at FROM version",
    "sighting": "SELECT * FROM sighting",
    "run": "SELECT kind, started_at, ended_at, stop_reason, requests, pages, targets, new_versions"
    " FROM crawl_run",
}
STATE = {
    "action": "SELECT * FROM action",
    "weight": "SELECT * FROM weight",
    "link": "SELECT id, url, status, action, slot, reason FROM link",
    "visit": "SELECT * FROM visit",
    "page": "SELECT * FROM page_history",
    "file": "SELECT * FROM file_history",
    "validator": "SELECT * FROM validator",
    "planner": "SELECT * FROM planner",
}


def found(home: Path) -> dict[str, list[Any]]:
    rows: dict[str, list[Any]] = {}
    for path, queries in ((home / "catalog.db", CATALOG), (home / "state" / "demo.db", STATE)):
        with sqlite3.connect(path) as db:
            rows |= {name: sorted(db.execute(query), key=repr) for name, query in queries.items()}
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("manners", [Manners.ETAG, Manners.NOTHING])
def test_killed_night_makes_the_same_requests_and_the_same_catalog(
    manners: Manners, tmp_path: Path
) -> None:
    whole_home, home = tmp_path / "whole", tmp_path / "killed"
    with serving(ChangingServer(first_paths(), manners)) as server:
        site = site_at(server.base)
        acquire(site, Settings(home=whole_home))
        shutil.copytree(whole_home, home)
        change(server.paths)
        server.log.clear()
        tomorrow = time.time() + 86_400
        Nights(site, whole_home, tomorrow, server).to_the_end()
        whole = asked(server.log)
        assert len(whole) > KILLS + 20
        server.log.clear()
        nights = Nights(site, home, tomorrow, server)
        starts = nights.kill_again_and_again(KILLS, len(whole))
        nights.to_the_end()
        killed = asked(server.log)
    assert without_repetitions(killed, starts) == whole
    assert len(killed) <= len(whole) + KILLS
    expected, got = found(whole_home), found(home)
    for name, rows in expected.items():
        assert got[name] == rows, name
    assert {"changed", "unchanged", "gone"} <= {row[6] for row in expected["visit"]}
