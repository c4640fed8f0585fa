"""A crawl that is killed again and again decides what an uninterrupted one decides."""

import json
import sqlite3
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from crawler.config.settings import Settings
from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.site import SyntheticSite
from tests.end_to_end.killed_crawl import (
    Crawler,
    requests_in,
    served,
    site_at,
    without_repetitions,
)


@dataclass(frozen=True)
class Case:
    strategy: str
    pages: int
    unique_ids: bool
    kills: int
    least_actions: int


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            Case("tallyho", 600, False, kills=50, least_actions=20), id="tallyho-50-kills"
        ),
        pytest.param(Case("acebot", 600, False, kills=30, least_actions=4), id="acebot-30-kills"),
        pytest.param(Case("roach", 300, False, kills=15, least_actions=0), id="roach-15-kills"),
        pytest.param(Case("sb", 600, False, kills=50, least_actions=20), id="sb-50-kills"),
        pytest.param(
            Case("anthelion", 600, False, kills=50, least_actions=20), id="anthelion-50-kills"
        ),
        pytest.param(
            Case("sb", 4000, True, kills=25, least_actions=1700), id="thousands-of-actions"
        ),
    ],
)
def test_killed_crawl_makes_the_same_requests_and_keeps_every_target_once(
    case: Case, tmp_path: Path
) -> None:
    demo = demo_site(case.pages, unique_ids=case.unique_ids)
    log, whole_home, home = tmp_path / "access.jsonl", tmp_path / "whole", tmp_path / "killed"
    # One server for both: its port is part of every URL, and the classifier learns from URLs.
    with served(demo, log) as base:
        site = site_at(base, strategy=case.strategy)
        Crawler(site, Settings(home=whole_home), log).to_the_end()
        whole = requests_in(log)
        crawler = Crawler(site, Settings(home=home), log)
        starts = crawler.kill_again_and_again(case.kills, len(whole))
        crawler.to_the_end()
        killed = requests_in(log)[len(whole) :]

    assert without_repetitions(killed, starts) == whole
    assert len(killed) <= len(whole) + case.kills
    assert_every_target_once(demo, home)
    assert_same_learning(whole_home, home, case.least_actions)


def assert_every_target_once(demo: SyntheticSite, home: Path) -> None:
    truth = {path: sha256(demo.respond(path).body).hexdigest() for path in demo.target_paths()}
    lines = (home / "manifests" / "demo.jsonl").read_text().splitlines()
    manifest = [json.loads(line) for line in lines]
    kept = {"/" + entry["url"].split("/", 3)[3]: entry["sha256"] for entry in manifest}
    assert len(manifest) == len(kept)
    assert kept == truth
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
                    db.execute("SELECT * FROM weight ORDER BY id").fetchall(),
                    db.execute("SELECT * FROM memory ORDER BY name").fetchall(),
                    db.execute("SELECT id, status, action, slot, reason FROM link").fetchall(),
                ]
            )
    assert len(tables[0][0]) >= least_actions
    assert tables[0] == tables[1]
