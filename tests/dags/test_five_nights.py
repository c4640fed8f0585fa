"""Five nights of the demo site through Airflow, while the site changes from night to night."""

import sqlite3
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from crawler.lab.moving_site import MovingSite, night_in_file
from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.graph import SiteGraph
from crawler.lab.sites.habits import HABITS
from crawler.lab.sites.site import SyntheticSite
from tests.end_to_end.killed_crawl import requests_in
from tests.lab.sites.night_truth import truth_of

pytestmark = pytest.mark.slow  # Airflow starts in a process of its own

SITE = demo_site(600, habits=HABITS["honest"], first_day=date(2026, 3, 1))
NIGHTS = range(31, 36)
"""Of the site's calendar: three files are new, ten change and one goes in these."""
FILES = "100%"
"""Known files are asked for every night, with a 304 for most: their budget is their own."""


def rows(desk: Any, query: str) -> list[tuple[Any, ...]]:
    catalog = sqlite3.connect(desk.home / "catalog.db")
    try:
        return catalog.execute(query).fetchall()
    finally:
        catalog.close()


def seconds_until(night: int) -> float:
    """From now to a night of the site's calendar; it lies in the past."""
    moment = datetime(2026, 3, 1, 3, tzinfo=UTC) + timedelta(days=night)
    return (moment - datetime.now(UTC)).total_seconds()


def pages_among(paths: list[str], site: SyntheticSite) -> int:
    """Requests that are not for files that the site has or had."""
    files = set(site.target_paths()) | set(SITE.on(NIGHTS[0]).target_paths())
    return sum(path not in files for path in paths)


def test_each_night_is_cheap_and_the_fifth_knows_everything(desk: Any, tmp_path: Path) -> None:
    log, night_file = tmp_path / "access.jsonl", tmp_path / "night"
    costs = []
    with running_site(MovingSite(SITE, night_in_file(night_file)), log) as base:
        # To the end: links that early stopping leaves in the first night would be followed in the
        # second, and count as its cost.
        desk.add_site("demo", f"{base}/", revisit={"files": FILES}, early_stopping=False)
        seen = 0
        for night in NIGHTS:
            night_file.write_text(str(night))
            desk.environment["REHEARSED_SECONDS"] = str(seconds_until(night))
            done = desk.ask("run", dag_id="acquire__demo")
            assert done["state"] == "success"
            requested = requests_in(log)
            paths = [urlsplit(path).path for _, path in requested[seen:]]
            seen = len(requested)
            costs.append(pages_among(paths, SITE.on(night)))
    assert max(costs[1:]) < 0.05 * costs[0], costs

    last = SITE.on(NIGHTS[-1])
    truth = {path: sha256(last.respond(path).body).hexdigest() for path in last.target_paths()}
    present = rows(
        desk,
        "SELECT resource.url, version.sha256 FROM resource"
        " JOIN version ON version.id = latest_version_id WHERE gone_since IS NULL",
    )
    latest = {urlsplit(url).path: digest for url, digest in present}
    graph = SiteGraph(SITE)
    just_gone = {urlsplit(url).path for url in truth_of(graph, NIGHTS[-1]).gone}
    assert {path: latest.get(path) for path in truth} == truth
    # One night is not enough to call a file gone: its server may be under repair.
    assert latest.keys() - truth.keys() <= just_gone
