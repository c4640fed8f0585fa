"""`tallyho status`: where the sites stand."""

import json
from typing import Any

from crawler.cli.status import next_facts
from crawler.errors import ExitCode
from crawler.pipeline.report.next_night import NextNight
from crawler.state.lock import site_lock


def test_sites_that_were_never_crawled_are_listed(desk: Any) -> None:
    desk.add_site("beta", "http://127.0.0.1:9")
    desk.add_site("alpha", "http://127.0.0.1:9")

    result = desk.run("status")

    assert result.exit_code == 0
    rows = [line.split("  ")[0] for line in result.stdout.splitlines()]
    assert rows == ["site", "alpha", "beta"]
    assert result.stdout.count("never crawled") == 2
    assert not desk.home.exists()


def test_a_finished_site_has_its_totals(finished: Any) -> None:
    line = finished.run("status").stdout.splitlines()[1]
    found = finished.json("status")["items"][0]

    assert "complete" in line
    assert "every link was followed (20" in line
    assert (found["site"], found["state"], found["frontier"]) == ("demo", "complete", 0)
    assert found["targets"] == sum(found["formats"].values()) > 0
    assert found["actions"] > 0
    assert found["stop_reason"] == "frontier_empty"


def test_one_site_is_told_in_detail(finished: Any) -> None:
    result = finished.run("status", "demo")

    assert result.exit_code == 0
    for label in ("targets ", "skipped ", "best actions", "files ", "manifest ", "URLs "):
        assert f"\n{label}" in result.stdout
    assert "off_site: it belongs to another website" in result.stdout
    assert finished.json("status", "demo")["top_actions"][0]["waiting"] == 0


def test_a_stopped_site_says_why_and_what_waits(desk: Any, office: Any) -> None:
    desk.run("crawl", "demo", "--requests", "20", "--strategy", "bfs")

    found = desk.json("status", "demo")

    assert (found["state"], found["stop_reason"]) == ("stopped", "budget_requests")
    assert found["frontier"] > 0
    assert "20" in desk.run("status").stdout.splitlines()[1].split()


def test_a_running_site_is_told_by_its_lock(desk: Any, office: Any) -> None:
    desk.run("crawl", "demo", "--requests", "5", "--strategy", "bfs")

    with site_lock(desk.home / "state" / "demo.lock", "demo"):
        assert desk.json("status", "demo")["state"] == "running"
    assert desk.json("status", "demo")["state"] == "stopped"


def test_a_site_without_its_file_is_still_known(desk: Any, office: Any) -> None:
    desk.run("crawl", "demo", "--requests", "5", "--strategy", "bfs")
    (desk.folder / "sites" / "demo.yaml").rename(desk.folder / "sites" / "demo.gone")

    assert [item["site"] for item in desk.json("status")["items"]] == ["demo"]
    assert desk.run("status", "demo").exit_code == 0


def test_a_previous_crawl_that_was_set_aside_is_no_site(desk: Any, office: Any) -> None:
    for _ in range(2):
        desk.run("crawl", "demo", "--requests", "5", "--strategy", "bfs", "--fresh")

    assert desk.json("status")["total"] == 1


def test_an_unreadable_state_hides_no_other(desk: Any) -> None:
    desk.add_site("alpha", "http://127.0.0.1:9")
    (desk.home / "state").mkdir(parents=True)
    (desk.home / "state" / "broken.db").write_text("this is no database, " * 100)

    result = desk.run("status", "--json")

    assert result.exit_code == ExitCode.FAILURES
    states = {item["site"]: item["state"] for item in json.loads(result.stdout)["items"]}
    assert states == {"alpha": "never crawled", "broken": "unreadable"}
    assert "broken: crawl state" in result.stderr
    assert desk.run("status", "broken").exit_code == ExitCode.STORAGE


def test_an_unknown_site_exits_3(desk: Any) -> None:
    desk.add_site("alpha", "http://127.0.0.1:9")

    assert desk.run("status", "alpa").exit_code == ExitCode.CONFIG


def test_invalid_site_file_is_listed_with_its_problem(desk: Any) -> None:
    desk.add_site("wrong", "https://stats.example.org", politeness={}, seed="no")
    (item,) = desk.json("status")["items"]
    assert (item["site"], item["site_file"]) == ("wrong", "invalid")
    assert "seed: must be a whole number" in item["problem"]


def test_the_next_night_is_told_in_the_right_number() -> None:
    planned = NextNight(counts={"page": 1, "address": 2, "file": 3}, reasons={}, first=())

    assert dict(next_facts(planned)) == {"next night": "would look at 1 page, 2 addresses, 3 files"}
