"""A night of the real command sends its metrics to a real receiver of OTLP."""

import json
import os
import subprocess
import sys
from collections import Counter

import pytest

from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site
from crawler.metrics.working import WORKING
from tests.metrics.otlp_receiver import collecting

pytestmark = pytest.mark.slow  # validation loads its library

OFFICE = demo_site(20)


@pytest.fixture
def nightly(tmp_path):
    def run(environment: dict[str, str], *options: str) -> subprocess.CompletedProcess[str]:
        own = {"TALLYHO_HOME": tmp_path / "home", "TALLYHO_SITES_DIR": tmp_path / "sites"}
        return subprocess.run(
            [sys.executable, "-m", "crawler", "nightly", "--json", *options],
            env={**os.environ, **{name: str(path) for name, path in own.items()}, **environment},
            capture_output=True,
            text=True,
            timeout=300,
        )

    (tmp_path / "sites").mkdir()
    with running_site(OFFICE) as base:
        for name in ("demo", "other"):
            (tmp_path / "sites" / f"{name}.yaml").write_text(
                f"start_url: {base}/\nallow_private_hosts: true\n"
                "politeness: {delay: 0, retries: 0}\n"
            )
        yield run


def test_night_sends_what_it_reports(nightly):
    with collecting() as collector:
        ran = nightly(collector.environment, "--at-once", "2")
        assert ran.returncode == 0, ran.stderr
    nights = {night["site"]: night for night in json.loads(ran.stdout)["items"]}
    requests = {(name,): night["crawl"]["requests"] for name, night in nights.items()}
    assert collector.sums("tallyho.crawl.requests", "site") == requests
    judged = Counter()
    for name, night in nights.items():
        for verdict, number in night["validation"]["verdicts"].items():
            judged[name, verdict] += number
    assert collector.sums("tallyho.validate.verdicts", "site", "verdict") == judged
    new = {(name, "new"): night["published"]["new_files"] for name, night in nights.items()}
    assert collector.sums("tallyho.publish.files", "site", "change") == new
    assert collector.services() == {"tallyho"}
    assert collector.names() <= {one.name for one in WORKING}


def test_night_ends_well_without_its_collector(nightly):
    away = {
        "OTEL_METRICS_EXPORTER": "otlp",
        "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9",
        "OTEL_EXPORTER_OTLP_TIMEOUT": "1",
    }
    ran = nightly(away, "demo", "--requests", "10")
    assert ran.returncode == 0, ran.stderr
    (night,) = json.loads(ran.stdout)["items"]
    assert night["crawl"]["requests"] == 10
