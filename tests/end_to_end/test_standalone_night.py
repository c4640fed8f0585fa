"""Airflow itself, live: a crawl is killed, a site appears, the catalog is in the menu.

One test, because one Airflow takes a minute to start: its steps tell what each of them shows.
Screenshots go to $TALLYHO_SCREENSHOTS, or else to the test's own folder.
"""

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, sync_playwright

from crawler.lab.server import running_site
from crawler.lab.sites.answer import HTML, Answer, answer
from crawler.lab.sites.demo import demo_site
from crawler.webapp.app import create_app
from tests.end_to_end.killed_crawl import requests_in, seen_by, served, without_repetitions
from tests.servers.airflow_standalone import NEVER, ROOT, SECONDS, Standalone, wait_for

pytestmark = pytest.mark.slow

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OFFICE = demo_site(50)
DAG = "acquire__office"
TABLES = ("site", "dataset", "resource", "version", "sighting", "verdict", "crawl_run")
OF_THEIR_OWN = {"fence", "night", "data_docs"}


def test_killed_night_new_site_and_catalog_in_the_menu(
    standalone: Standalone, tmp_path: Path
) -> None:
    log = tmp_path / "access.jsonl"
    with served(OFFICE, log) as base:
        standalone.add_site(
            "office",
            start_url=f"{base}/",
            schedule=NEVER,
            politeness={"delay": 0.05},
            retries=2,
        )
        undisturbed = _night_without_airflow(standalone, tmp_path / "reference")
        expected = requests_in(log)
        standalone.start()
        assert "running already" in standalone.script("up.py").stdout

        run_id = standalone.trigger(DAG)
        restart = _kill_the_crawl(standalone, log, len(expected) + len(expected) // 2)
        tasks = standalone.finished(DAG, run_id)

    assert tasks["crawl"]["try_number"] == 2
    made = requests_in(log)[len(expected) :]
    assert without_repetitions(made, [restart - len(expected)]) == expected
    assert _kept(standalone.home) == _kept(undisturbed)

    _new_site_file_becomes_a_dag_that_runs(standalone)
    _nothing_of_the_catalog_is_open_without_login(standalone)
    _links_lead_from_dag_run_to_catalog_and_back(standalone, run_id)
    if CHROMIUM is None:
        pytest.skip("no chromium on the PATH; on Debian: apt-get install chromium")
    _catalog_works_in_a_browser_inside_airflow(standalone, run_id, tmp_path)

    standalone.stop()
    assert "Nothing" in standalone.script("down.py").stdout
    for address in (standalone.address, standalone.demo.rstrip("/")):
        with socket.socket() as client:
            port = int(address.rpartition(":")[2])
            assert client.connect_ex(("127.0.0.1", port)) != 0


def _night_without_airflow(standalone: Standalone, home: Path) -> Path:
    """The same night, undisturbed, into another home."""
    subprocess.run(
        [sys.executable, "-m", "crawler", "nightly", "office"],
        env=standalone.environment | {"TALLYHO_HOME": str(home)},
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return home


def _kill_the_crawl(standalone: Standalone, log: Path, requests: int) -> int:
    """Kill the process that crawls when the server has seen so many; how many it has seen then."""
    wait_for(lambda: seen_by(log) >= requests, "the crawl to be in its middle")
    crawler = int((standalone.home / "state" / "office.lock").read_text())
    os.kill(crawler, signal.SIGKILL)
    wait_for(lambda: not _lives(crawler), "the crawl to be dead")
    return seen_by(log)


def _lives(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def _kept(home: Path) -> dict[str, Any]:
    """The files of a home, and the rows of its catalog without ids and times."""
    blobs = home / "store" / "blobs"
    kept: dict[str, Any] = {
        "files": sorted(path.name for path in blobs.rglob("*") if path.is_file())
    }
    catalog = sqlite3.connect(home / "catalog.db")
    try:
        for table in TABLES:
            columns = [
                name
                for _, name, kind, *_ in catalog.execute(f"PRAGMA table_info({table})")
                if not kind.startswith(("DATETIME", "TIMESTAMP"))
                and name != "id"
                and not name.endswith("_id")
                and name not in OF_THEIR_OWN
            ]
            rows = catalog.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
            assert rows, table
            kept[table] = Counter(rows)
    finally:
        catalog.close()
    return kept


class Hamlet:
    """A site of one page and one file."""

    def at(self, base: str) -> "Hamlet":
        return self

    def respond(self, path_and_query: str) -> Answer:
        if path_and_query == "/":
            return answer(b"<html><body><a href='/inhabitants.csv'>People</a></body></html>", HTML)
        if path_and_query == "/inhabitants.csv":
            return answer(b"year,inhabitants\n2025,41\n2026,43\n", "text/csv")
        return answer(b"none", "text/plain", status=404)


def _new_site_file_becomes_a_dag_that_runs(standalone: Standalone) -> None:
    with running_site(Hamlet()) as base:
        (standalone.sites / "hamlet.yaml").write_text(
            f"start_url: {base}/\nallow_private_hosts: true\n"
        )
        place = "/api/v2/dags/acquire__hamlet"
        wait_for(lambda: standalone.ask(place).status == 200, "the new site's DAG")
        # It is due at once, as its schedule is a daily one.
        runs = f"{place}/dagRuns"
        wait_for(lambda: standalone.ask(runs).json["dag_runs"], "its first run")
        first = standalone.ask(runs).json["dag_runs"][0]["dag_run_id"]
        standalone.finished("acquire__hamlet", first)
    found = standalone.ask("/tallyho/api/v2/search?site=hamlet").json
    assert [item["file_name"] for item in found["items"]] == ["inhabitants.csv"]


def _nothing_of_the_catalog_is_open_without_login(standalone: Standalone) -> None:
    paths = {
        str(getattr(route, "path", "")).replace("{path:path}", "x")
        for route in create_app(None).routes
    }
    assert {"/", "/files/{id}", "/datasets/{id}", "/static", "/feed.atom"} <= paths
    for path in (*paths, "/static/style.css", "/nowhere", "/api/v2/openapi.json"):
        filled = "/tallyho" + path.replace("{id}", "1").replace("{name}", "office")
        for method in ("GET", "HEAD", "POST"):
            refused = standalone.ask(quote(filled, safe="/{}"), login=False, method=method)
            assert refused.status == 401, (method, path)
            assert b"inhabitants" not in refused.body
    assert standalone.ask("/tallyho/health").json == {"status": "ok"}
    assert standalone.ask("/tallyho/").status == 200
    assert standalone.ask("/tallyho/static/style.css").status == 200


def _link_to_the_run(standalone: Standalone, run_id: str) -> str:
    links = standalone.ask(f"/api/v2/dags/{DAG}/dagRuns/{run_id}/taskInstances/crawl/links").json
    (address,) = links["extra_links"].values()
    return str(address)


def _links_lead_from_dag_run_to_catalog_and_back(standalone: Standalone, run_id: str) -> None:
    address = _link_to_the_run(standalone, run_id)
    (run,) = standalone.ask("/tallyho/api/v2/runs?site=office").json["items"]
    assert address == f"/plugin/tallyho/tallyho/runs/{run['id']}"
    assert run["night"] == run_id
    page = standalone.ask(f"/tallyho/runs/{run['id']}").body.decode()
    assert f'href="/dags/{DAG}/runs/{quote(run_id, safe="")}"' in page


def _catalog_works_in_a_browser_inside_airflow(
    standalone: Standalone, run_id: str, tmp_path: Path
) -> None:
    folder = Path(os.environ.get("TALLYHO_SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, chromium_sandbox=False, args=["--disable-gpu"]
        )
        page = browser.new_context(viewport={"width": 1300, "height": 900}).new_page()
        page.set_default_timeout(SECONDS * 1000)
        _log_in(page, standalone)
        page.get_by_role("link", name="Tallyho", exact=True).click()
        catalog = page.frame_locator("iframe[title=Tallyho]")
        catalog.get_by_label("What are you looking for?").fill("inhabitants")
        catalog.get_by_role("button", name="Search").click()
        catalog.get_by_role("heading", name=re.compile(r"^\d+ datasets?$")).wait_for()
        page.screenshot(path=folder / "airflow-search.png")
        ground = catalog.locator("header.top").evaluate(
            "header => getComputedStyle(header).backgroundColor"
        )
        assert ground != "rgba(0, 0, 0, 0)", "the style sheet is not there"

        catalog.get_by_role("link", name="Sites").click()
        catalog.get_by_role("link", name="office", exact=True).first.click()
        catalog.locator("a[href*='/tallyho/runs/']").first.click()
        catalog.get_by_role("heading", name="Run ").wait_for()
        page.screenshot(path=folder / "airflow-run.png")
        # It leaves the frame: the page of the DAG run is Airflow's own.
        catalog.get_by_role("link", name=run_id).click()
        page.wait_for_url(f"{standalone.address}/dags/{DAG}/runs/**")
        page.get_by_text("acquire__office").first.wait_for()
        page.screenshot(path=folder / "airflow-dag-run.png")
        # And back, by the link that the task and its log show.
        page.goto(f"{standalone.address}{_link_to_the_run(standalone, run_id)}")
        catalog.get_by_role("heading", name="Run ").wait_for()
        browser.close()


def _log_in(page: Page, standalone: Standalone) -> None:
    """From a page of the catalog to the login, and to Airflow's own pages."""
    user, password = standalone.password
    page.goto(f"{standalone.address}/tallyho/")
    page.get_by_role("link", name="Log in to Airflow").click()
    page.locator("input[name=username]").fill(user)
    page.locator("input[name=password]").fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", level=1).wait_for()
    page.goto(f"{standalone.address}/")
