"""The DAGs of lanes, and of the sites that have one."""

from pathlib import Path
from typing import Any

import pytest

from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site
from tests.end_to_end.killed_crawl import requests_in

pytestmark = pytest.mark.slow  # Airflow starts in a process of its own


def test_lanes_of_enabled_sites_are_dags_that_their_plans_start(desk: Any) -> None:
    desk.add_site("one", "http://127.0.0.1:1/", lane="small")
    desk.add_site("two", "http://127.0.0.1:2/", lane="small")
    desk.add_site("off", "http://127.0.0.1:3/", lane="idle", enabled=False)
    desk.add_site("alone", "http://127.0.0.1:4/")
    found = desk.ask("bag")
    assert found["errors"] == {}
    assert [name for name in found["dags"] if "lane" in name] == ["tallyho__lane__small"]
    for site, outlets in (("one", ["tallyho_lane_small"]), ("alone", [])):
        tasks = desk.ask("structure", dag_id=f"acquire__{site}")["tasks"]
        assert tasks["plan"]["outlets"] == outlets
        assert tasks["crawl"]["after"] == ["plan"]
    assert desk.ask("serialized", dag_id="tallyho__lane__small")["same"]
    assert desk.ask("serialized", dag_id="acquire__one")["same"]


def test_site_without_its_lane_waits_for_a_while_and_crawls_by_itself(
    desk: Any, tmp_path: Path
) -> None:
    desk.environment["TALLYHO_LANE_PATIENCE_MINUTES"] = "0.02"
    log = tmp_path / "access.jsonl"
    with running_site(demo_site(3), log) as base:
        desk.add_site("one", f"{base}/", lane="small", validation=False)
        night = desk.ask("run", dag_id="acquire__one")
    assert (night["state"], night["tasks"]["crawl"]) == ("success", "success")
    assert night["progress"]["requests"] == len(requests_in(log)) > 3
