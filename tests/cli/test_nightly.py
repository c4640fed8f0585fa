"""`tallyho nightly`: the whole night from the command line."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from crawler.cli import app
from crawler.lab.server import running_site
from crawler.lab.sites.answer import Answer, answer
from tests.pipeline.night.alarm_receivers import HookServer, serving

pytestmark = pytest.mark.slow  # validation loads its library, and every night looks for files


class Forbids:
    """A site that lets nobody in."""

    def at(self, base: str) -> "Forbids":
        return self

    def respond(self, path_and_query: str) -> Answer:
        return answer(b"User-agent: *\nDisallow: /\n", "text/plain")


def test_night_plans_crawls_validates_and_publishes(desk: Any, office: Any) -> None:
    result = desk.run("nightly")
    assert result.exit_code == 0, result.stderr
    told = iter(result.stdout.splitlines())
    for line in (
        "demo: first: it was never crawled, so this is its first acquisition",
        "demo: budget: 20,000 requests, the default",
        f"demo: crawled: {office.targets} files in ",
        "demo: files: ",
        "demo: skipped: ",
        f"demo: validated: {office.targets} files: ",
        f"demo: published: {office.targets} new files, 0 changed",
        "demo: verdicts: ",
    ):
        assert next(told).startswith(line)
    asked = len(office.asked())

    again = desk.json("nightly", "demo")
    (night,) = again["items"]
    assert night["night"]["kind"] == "revisit"
    crawl = night["crawl"]
    assert (crawl["new"], crawl["changed"], crawl["gone"]) == ([], [], [])
    assert (night["published"]["new_files"], night["failures"]) == (0, [])
    assert 0 < len(office.asked()) - asked < asked / 5


def test_night_is_one_json_line_of_the_log_where_that_is_set(desk: Any, office: Any) -> None:
    result = CliRunner().invoke(
        app,
        ["nightly", "--requests", "15"],
        env=desk.environment | {"TALLYHO_LOG_FORMAT": "json", "TALLYHO_LOG_LEVEL": "info"},
    )
    lines = [json.loads(line) for line in result.stderr.splitlines()]
    (night,) = [line for line in lines if line["message"] == "the night of demo is over"]
    assert (night["level"], night["site"]) == ("INFO", "demo")
    assert night["crawl"]["requests"] == 15
    assert night["crawl"]["stop_reason"] == "budget_requests"
    assert not [line for line in lines if line["logger"].startswith(("great_exp", "alembic"))]


def test_night_goes_on_where_the_last_one_stopped(desk: Any, office: Any) -> None:
    first = desk.json("nightly", "--requests", "15")["items"][0]
    second = desk.json("nightly", "--requests", "15")["items"][0]
    assert [first["night"]["kind"], second["night"]["kind"]] == ["first", "revisit"]
    assert first["crawl"]["requests"] == second["crawl"]["requests"] == 15
    assert len(office.asked()) + len(office.asked("HEAD")) == 30


def test_bad_site_stops_no_other_and_somebody_is_told(
    desk: Any, office: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = HookServer(204)
    monkeypatch.setenv("TALLYHO_ALARM_WEBHOOK", hook.url)
    monkeypatch.setenv("TALLYHO_ALARM_PRIVATE", "true")
    with running_site(Forbids()) as base, serving(hook):
        desk.add_site("closed", base)
        (desk.folder / "sites" / "broken.yaml").write_text("start_url: 7\n")
        result = desk.run("nightly", "--requests", "10")
    assert result.exit_code == 7
    assert "closed: failed: crawl: robots.txt forbids the start page" in result.stdout
    assert "demo: crawled: " in result.stdout
    assert "broken.yaml:1: start_url:" in result.stderr
    assert "1 site failed: closed" in result.stderr
    assert [(told["kind"], told["site"]) for told in hook.received] == [("night_failed", "closed")]


def test_failures_are_told_to_scripts(desk: Any) -> None:
    with running_site(Forbids()) as base:
        desk.add_site("closed", base)
        result = desk.run("nightly", "--json")
        told = desk.json("nightly")
    assert result.exit_code == 7
    assert told["failed"] == ["closed"]
    (failure,) = told["items"][0]["failures"]
    assert (failure["step"], failure["reason"]) == ("crawl", "robots.txt forbids the start page")


def test_disabled_site_is_crawled_only_by_name(desk: Any) -> None:
    with running_site(Forbids()) as base:
        desk.add_site("off", base, enabled=False)
        assert desk.json("nightly")["items"] == []
        assert [item["site"] for item in desk.json("nightly", "off")["items"]] == ["off"]


def test_unknown_name_is_an_error_before_anything_begins(desk: Any, office: Any) -> None:
    result = desk.run("nightly", "demo", "nobody")
    assert result.exit_code == 3
    assert "nobody" in result.stderr
    assert office.log.read_text() == ""
