"""What a night in Airflow sends: lineage by the provider of OpenLineage, and its metrics."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site
from tests.dags.conftest import Airflow, NightDesk
from tests.metrics.otlp_receiver import Collector, collecting
from tests.pipeline.night.alarm_receivers import HookServer, serving

pytestmark = pytest.mark.slow  # Airflow starts in a process of its own

OFFICE = demo_site(20)


@pytest.fixture
def server() -> Iterator[HookServer]:
    server = HookServer(201)
    with serving(server):
        yield server


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as collector:
        yield collector


@pytest.fixture
def lineage_desk(
    tmp_path: Path, server: HookServer, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> Iterator[NightDesk]:
    """An Airflow of its own: the provider reads its settings when plugins are loaded."""
    for name, value in collector.environment.items():
        monkeypatch.setenv(name, value)
    transport = {"type": "http", "url": server.url, "endpoint": "lineage"}
    monkeypatch.setenv("AIRFLOW__OPENLINEAGE__TRANSPORT", json.dumps(transport))
    monkeypatch.setenv("AIRFLOW__OPENLINEAGE__NAMESPACE", "nights")
    (tmp_path / "sites").mkdir()
    (tmp_path / "airflow").mkdir()
    airflow = Airflow(tmp_path / "airflow")
    yield NightDesk(airflow, tmp_path)
    airflow.close()


def ended(server: HookServer, task: str) -> list[dict[str, Any]]:
    return [
        event
        for event in server.received
        if event["eventType"] == "COMPLETE" and event["job"]["name"] == f"acquire__demo.{task}"
    ]


def test_night_tells_where_files_come_from_and_what_they_are(
    lineage_desk: NightDesk, server: HookServer, collector: Collector
) -> None:
    with running_site(OFFICE) as base:
        lineage_desk.add_site("demo", f"{base}/")
        night = lineage_desk.ask("run", dag_id="acquire__demo")
    assert night["state"] == "success"
    targets = len(list(OFFICE.target_paths()))
    store = (lineage_desk.home / "store").as_uri()

    (crawl,) = ended(server, "crawl")
    (website,) = crawl["inputs"]
    assert (website["namespace"], website["name"]) == (base, "/")
    (files,) = crawl["outputs"]
    assert (files["namespace"], files["name"]) == (store, "demo")
    assert files["outputFacets"]["outputStatistics"]["fileCount"] == targets
    version = files["facets"]["version"]["datasetVersion"]
    columns = {field["name"]: field["type"] for field in files["facets"]["schema"]["fields"]}
    assert columns["sha256"] == "str"

    judged = [one for event in ended(server, "validate") for one in event["inputs"]]
    assert len(judged) == targets
    for one in judged:
        checks = one["inputFacets"]["dataQualityAssertions"]["assertions"]
        assert checks
        assert {check["success"] for check in checks} <= {True, False}
        assert one["inputFacets"]["dataQualityMetrics"]["bytes"] > 0

    (published,) = ended(server, "publish")
    whole, *each = published["outputs"]
    (event,) = night["events"]
    assert whole["facets"]["version"]["datasetVersion"] == version == event["extra"]["run_id"]
    assert whole["outputFacets"]["outputStatistics"]["fileCount"] == targets
    ids = event["extra"]["new_ids"]
    assert [one["name"] for one in each] == [f"demo/files/{number}" for number in ids]
    tables = [one for one in each if one["facets"]["schema"]["fields"]]
    assert tables
    for one in tables:
        facets = one["facets"]
        assert facets["version"]["datasetVersion"] == "1"
        assert facets["dataSource"]["uri"].startswith(base)
        names = [field["name"] for field in facets["schema"]["fields"]]
        assert sorted(facets["dataQualityMetrics"]["columnMetrics"]) == sorted(names)
        assert facets["dataQualityMetrics"]["rowCount"] > 0

    requests = night["progress"]["requests"]
    assert collector.sums("tallyho.crawl.requests", "site") == {("demo",): requests}
    verdicts = {("demo", name): number for name, number in event["extra"]["verdicts"].items()}
    assert collector.sums("tallyho.validate.verdicts", "site", "verdict") == verdicts
    announced = {("demo", "new"): targets}
    assert collector.sums("tallyho.publish.files", "site", "change") == announced


def test_operators_need_no_lineage(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "sys.modules['openlineage'] = None  # as where it is not installed\n"
        "import crawler.nights.acquire_dag\n"
        "print('crawler.nights.lineage' in sys.modules)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "AIRFLOW_HOME": str(tmp_path)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert run.stdout.split()[-1] == "False"
