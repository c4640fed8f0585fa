"""/metrics: what Prometheus reads, from SQLite and from PostgreSQL."""

import threading
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families

from crawler.catalog.db.database import open_database
from crawler.catalog.facade import Catalog
from crawler.catalog.write.lease import acquire_lease
from crawler.errors import StorageError
from crawler.metrics.served import SERVED
from crawler.storage.local_folder import LocalFolder
from crawler.webapp import metrics_page
from crawler.webapp.app import create_app
from crawler.webapp.metrics_page import MetricsPage
from tests.webapp.stock import LATER_RUN, RUNNING, fill

Samples = dict[tuple[str, ...], float]


def samples(client: TestClient) -> Samples:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


@pytest.fixture
def sites_dir(tmp_path: Path) -> Path:
    folder = tmp_path / "sites"
    folder.mkdir()
    (folder / "demo.yaml").write_text("start_url: https://stats.example/\nschedule: 30 2 * * *\n")
    (folder / "off.yaml").write_text("start_url: https://stats.example.org/\nenabled: false\n")
    return folder


def check_figures(catalog: Catalog, sites_dir: Path) -> None:
    """The page says what the records of the catalog say."""
    found = samples(TestClient(create_app(catalog, sites_dir=sites_dir)))
    site, run = catalog.site("demo"), catalog.run(RUNNING)
    runs = catalog.runs("demo").items
    assert found["tallyho_catalog_up",] == 1
    assert found["tallyho_site_requests_total", "demo"] == sum(one.requests for one in runs) > 0
    versions = sum(one.new_versions for one in runs)
    assert found["tallyho_site_versions_total", "demo"] == versions > 0
    for verdict, files in site.verdicts.items():
        assert found["tallyho_site_files", "demo", verdict] == files
    assert found["tallyho_site_gone", "demo"] == site.gone
    assert found["tallyho_site_size_bytes", "demo"] == site.bytes > 0
    assert found["tallyho_site_last_run_timestamp_seconds", "demo"] == run.started_at.timestamp()
    ended = next(one for one in runs if one.ended_at)
    assert ended.id != RUNNING
    assert found["tallyho_site_last_run_requests", "demo"] == ended.requests
    assert found["tallyho_site_last_run_versions", "demo"] == ended.new_versions
    tomorrow = datetime.now(UTC).timestamp() + 86_400
    assert 0 < found["tallyho_site_next_run_timestamp_seconds", "demo"] <= tomorrow
    day = (
        found["tallyho_site_next_run_timestamp_seconds", "demo"]
        - found["tallyho_site_due_timestamp_seconds", "demo"]
    )
    assert day == 86_400
    assert found["tallyho_site_budget", "demo"] == 20_000
    assert found["tallyho_site_file", "demo", "enabled"] == 1
    assert found["tallyho_site_file", "off", "disabled"] == 1
    assert found["tallyho_site_state", "off", "never crawled"] == 1
    states = {key[2] for key, value in found.items() if key[:2] == ("tallyho_site_state", "demo")}
    held = [key for key in found if key[:2] == ("tallyho_site_state", "demo") and found[key]]
    assert len(held) == 1 < len(states)
    assert ("tallyho_site_requests_total", "off") not in found
    # The files of the stock were last seen months ago.
    assert found["tallyho_site_revisit_coverage_ratio", "demo"] == 0
    assert {key[0] for key in found} <= {name for one in SERVED for name in one.series}


def test_page_says_what_the_catalog_says(catalog, sites_dir):
    check_figures(catalog, sites_dir)


def test_page_works_on_postgresql(postgres_catalog_url, tmp_path, sites_dir):
    database = open_database(postgres_catalog_url)
    store = LocalFolder(tmp_path / "store")
    fill(database, store)
    catalog = Catalog(database, store)
    check_figures(catalog, sites_dir)
    database.close()


def test_lease_snapshot_and_every_metric_are_there_once_there_is_something(tmp_path, sites_dir):
    database = open_database(f"sqlite:///{tmp_path / 'catalog.db'}")
    database.ready()
    store = LocalFolder(tmp_path / "store")
    fill(database, store)
    lease = acquire_lease(database, "demo", "machine")
    store.put_object("state/demo/newest", b"{}")
    store.put_object("state/demo/0000000001/000000000042.db.gz", b"")
    before = datetime.now(UTC).timestamp()
    found = samples(TestClient(create_app(Catalog(database, store), sites_dir=sites_dir)))
    assert found["tallyho_site_state", "demo", "running"] == 1
    assert 0 < found["tallyho_site_lease_remaining_seconds", "demo"] <= lease.seconds
    assert abs(found["tallyho_site_snapshot_timestamp_seconds", "demo"] - before) < 60
    named = {name for one in SERVED for name in one.series}
    assert named - {key[0] for key in found} == {"tallyho_site_published_timestamp_seconds"}
    database.close()


def test_catalog_that_is_away_is_a_figure_and_no_error(tmp_path):
    class Away:
        @property
        def database(self):
            raise StorageError("nobody answers")

    found = samples(TestClient(create_app(Away())))
    assert found["tallyho_catalog_up",] == 0
    assert not [key for key in found if key[0].startswith("tallyho_site_")]


def test_work_is_bounded_however_often_the_page_is_asked():
    now, asked = [100.0], []

    def read() -> list[object]:
        asked.append(now[0])
        now[0] += 2.0  # a large catalog: then the pause is longer
        return []

    page = MetricsPage(read, clock=lambda: now[0])
    for _ in range(1000):
        page.text()
        now[0] += 1.0
    gaps = [after - before for before, after in pairwise(asked)]
    assert min(gaps) >= metrics_page.SHARE_OF_TIME * 2.0
    assert asked[0] == 100.0


def test_who_asks_while_another_reads_gets_the_same_page():
    reading, go_on = threading.Event(), threading.Event()

    def read() -> list[object]:
        assert not reading.is_set(), "read twice"
        reading.set()
        go_on.wait(30)
        return []

    page = MetricsPage(read)
    texts: list[bytes] = []
    threads = [threading.Thread(target=lambda: texts.append(page.text())) for _ in range(5)]
    for thread in threads:
        thread.start()
    reading.wait(30)
    go_on.set()
    for thread in threads:
        thread.join()
    assert len(set(texts)) == 1
    assert len(texts) == 5


def test_api_shows_sites_as_status_does(catalog, sites_dir):
    client = TestClient(create_app(catalog, sites_dir=sites_dir))
    listed = {site["name"]: site for site in client.get("/api/v2/sites").json()["items"]}
    assert {"demo", "off"} <= set(listed)
    demo, off = listed["demo"], listed["off"]
    assert (demo["site_file"], demo["schedule"], demo["budget"]) == ("enabled", "30 2 * * *", 20000)
    assert [one["run_id"] for one in demo["yields"]][:2] == [RUNNING, LATER_RUN]
    assert demo["files"] == catalog.site("demo").files
    assert (off["site_file"], off["state"], off["files"]) == ("disabled", "never crawled", 0)
    for name, site in listed.items():
        assert client.get(f"/api/v2/sites/{name}").json() == site
    assert client.get("/api/v2/sites/nobody").status_code == 404
