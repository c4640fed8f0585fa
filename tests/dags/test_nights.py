"""Whole nights through Airflow, against the demo site on loopback."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crawler.lab.server import running_site
from crawler.lab.sites.answer import Answer, answer
from crawler.lab.sites.demo import demo_site
from tests.end_to_end.killed_crawl import requests_in
from tests.pipeline.night.alarm_receivers import HookServer, serving

pytestmark = pytest.mark.slow  # Airflow starts in a process of its own

OFFICE = demo_site(20)
DAG = "acquire__demo"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "access.jsonl"


@pytest.fixture
def office(desk: Any, log: Path) -> Iterator[str]:
    with running_site(OFFICE, log) as base:
        desk.add_site("demo", f"{base}/")
        yield base


def rows(desk: Any, query: str) -> list[tuple[Any, ...]]:
    catalog = sqlite3.connect(desk.home / "catalog.db")
    try:
        return catalog.execute(query).fetchall()
    finally:
        catalog.close()


def test_night_leaves_files_rows_verdicts_and_an_event(desk: Any, office: str, log: Path) -> None:
    night = desk.ask("run", dag_id=DAG)
    assert night["state"] == "success"
    assert set(night["tasks"].values()) == {"success"}
    targets = len(list(OFFICE.target_paths()))
    files = [path for path in (desk.home / "store" / "blobs").rglob("*") if path.is_file()]
    blobs = rows(desk, "SELECT count(DISTINCT sha256) FROM version")[0][0]
    assert len(files) == blobs > 0
    assert rows(desk, "SELECT count(*) FROM version") == [(targets,)]
    assert rows(desk, "SELECT count(*) FROM verdict") == [(targets,)]
    (event,) = night["events"]
    told = event["extra"]
    assert event["asset"] == "tallyho_demo"
    assert (told["new_files"], told["changed_files"]) == (targets, 0)
    assert len(told["new_ids"]) == told["new_datasets"] > 0
    assert sum(told["verdicts"].values()) == targets
    assert "unchecked" not in told["verdicts"]
    assert night["progress"]["requests"] == len(requests_in(log))
    assert night["progress"]["state"].endswith("demo.db")

    said = desk.airflow.log()
    run_id = rows(desk, "SELECT id FROM crawl_run")[0][0]
    for line in (
        f"plans the night of demo ({office}/)",
        "first: it was never crawled, so this is its first acquisition",
        "budget: 20,000 requests, the default",
        f"acquires {office}/ for the first time, since it was never crawled",
        f"crawled: {targets} files in {night['progress']['requests']} requests; every link was",
        f"{targets} files wait for a verdict",
        f"validated: {targets} files: ",
        f"published: {targets} new files, 0 changed",
        f"the run's page: /plugin/tallyho/tallyho/runs/{run_id}",
    ):
        assert line in said, line
    assert "Skipping registering function" not in said

    again = desk.ask("run", dag_id=DAG)
    assert (again["state"], again["events"]) == ("success", [])
    assert "published: 0 new files, 0 changed" in desk.airflow.log()
    assert (again["tasks"]["crawl"], again["tasks"]["publish"]) == ("success", "skipped")
    revisit = len(requests_in(log)) - night["progress"]["requests"]
    assert 0 < revisit < night["progress"]["requests"] / 2
    assert rows(desk, "SELECT kind, new_versions FROM crawl_run ORDER BY started_at") == [
        ("acquire", targets),
        ("revisit", 0),
    ]
    assert rows(desk, "SELECT count(*) FROM version") == [(targets,)]


def test_crawl_in_slices_frees_its_worker_and_is_one_run(desk: Any, office: str, log: Path) -> None:
    desk.environment["TALLYHO_SLICE_MINUTES"] = "0.0000001"
    night = desk.ask("run", dag_id=DAG, conf={"budget": 5, "strategy": "bfs"})
    assert (night["state"], night["tasks"]["crawl"]) == ("success", "success")
    assert night["reschedules"] == 4
    assert night["tries"]["crawl"] == 1
    assert len(requests_in(log)) == 5
    (run,) = rows(desk, "SELECT requests, stop_reason, strategy FROM crawl_run")
    assert run == (5, "budget_requests", "bfs")


def test_night_that_goes_on_validates_and_publishes_what_it_has(
    desk: Any, office: str, log: Path
) -> None:
    told = []
    for _ in range(2):
        night = desk.ask("run", dag_id=DAG, conf={"budget": 40})
        assert night["state"] == "success"
        told += [event["extra"]["new_files"] for event in night["events"]]
    assert len(requests_in(log)) == 80
    (versions,) = rows(desk, "SELECT count(*) FROM version")
    assert sum(told) == versions[0] > 0
    assert rows(desk, "SELECT count(*) FROM verdict") == [versions]


def test_somebody_can_want_it_afresh(desk: Any, office: str, log: Path) -> None:
    desk.ask("run", dag_id=DAG)
    first = requests_in(log)
    again = desk.ask("run", dag_id=DAG, conf={"fresh": True})
    assert (again["tasks"]["crawl"], again["events"]) == ("success", [])
    # It begins with what the site taught before, so the order is another one.
    assert sorted(requests_in(log)[len(first) :]) == sorted(first)


class Closed:
    """A site whose robots.txt lets nobody in, or does not answer."""

    def __init__(self, robots: Answer) -> None:
        self._robots = robots

    def at(self, base: str) -> "Closed":
        return self

    def respond(self, path_and_query: str) -> Answer:
        return self._robots


def test_site_that_forbids_fails_at_once_and_somebody_is_told(desk: Any) -> None:
    no = answer(b"User-agent: *\nDisallow: /\n", "text/plain")
    hook = HookServer(204)
    desk.environment.update(TALLYHO_ALARM_WEBHOOK=hook.url, TALLYHO_ALARM_PRIVATE="true")
    with running_site(Closed(no)) as base, serving(hook):
        # With three more tries Airflow would wait for minutes, and this test with it.
        desk.add_site("demo", f"{base}/", retries=3)
        night = desk.ask("run", dag_id=DAG)
    assert (night["state"], night["events"]) == ("failed", [])
    assert (night["tasks"]["crawl"], night["tries"]["crawl"]) == ("failed", 1)
    assert night["tasks"]["close"] == "upstream_failed"
    (alarm,) = hook.received
    assert (alarm["kind"], alarm["site"]) == ("night_failed", "demo")
    assert "robots.txt forbids the start page" in alarm["sentence"]
    assert alarm["text"].startswith("demo: the night failed: crawl: robots.txt forbids")
    assert alarm["run_id"] == night["run_id"]
    assert "secret-token" not in desk.airflow.log()


def test_site_that_is_away_is_told_when_all_tries_are_spent(desk: Any) -> None:
    hook = HookServer(204)
    desk.environment.update(TALLYHO_ALARM_WEBHOOK=hook.url, TALLYHO_ALARM_PRIVATE="true")
    with running_site(Closed(answer(b"", "text/plain", status=503))) as base, serving(hook):
        desk.add_site("demo", f"{base}/")
        night = desk.ask("run", dag_id=DAG)
    assert (night["state"], night["tasks"]["crawl"]) == ("failed", "failed")
    assert [alarm["kind"] for alarm in hook.received] == ["night_failed"]


def test_files_of_a_crawl_that_fails_later_are_published(desk: Any, office: str) -> None:
    desk.ask("run", dag_id=DAG, conf={"budget": 40})
    store = desk.home / "state"
    (store / "demo.db").write_bytes(b"no crawl state any more")
    versions = rows(desk, "SELECT count(*) FROM version")
    with sqlite3.connect(desk.home / "catalog.db") as catalog:
        catalog.execute("DELETE FROM publication")
        catalog.execute("DELETE FROM verdict")
    catalog.close()
    night = desk.ask("run", dag_id=DAG)
    assert (night["state"], night["tasks"]["crawl"]) == ("failed", "failed")
    assert [(event["extra"]["new_files"],) for event in night["events"]] == versions
    assert rows(desk, "SELECT count(*) FROM verdict") == versions


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("SiteForbids", "AirflowFailException"),
        ("SiteUnavailable", "AirflowException"),
        ("SiteBusy", "AirflowRescheduleException"),
        ("StorageError", "AirflowException"),
        ("StorageRefused", "AirflowFailException"),
        ("StateUnreadable", "AirflowFailException"),
        ("ConfigError", "AirflowFailException"),
    ],
)
def test_errors_are_tried_again_by_their_kind(desk: Any, error: str, kind: str) -> None:
    told = desk.ask("raised", error=error)
    assert told["kind"] == kind
    if kind != "AirflowRescheduleException":
        assert told["text"] == "demo: the sentence"


def test_fleet_shares_the_night_out_and_the_plan_obeys(desk: Any, office: str, log: Path) -> None:
    desk.environment["TALLYHO_FLEET_REQUESTS"] = "12"
    assert desk.ask("run", dag_id="tallyho__fleet")["state"] == "success"
    desk.ask("run", dag_id=DAG)
    assert len(requests_in(log)) == 12


def test_upkeep_runs(desk: Any, office: str) -> None:
    desk.ask("run", dag_id=DAG, conf={"budget": 40})
    done = desk.ask("run", dag_id="tallyho__upkeep")
    assert done["state"] == "success"
    assert rows(desk, "SELECT name, position FROM bookmark") == [("verified blobs", "")]
