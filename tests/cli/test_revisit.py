"""`tallyho revisit`, and what `tallyho status` says of the next night."""

from typing import Any

import pytest

from crawler.errors import ExitCode

pytestmark = pytest.mark.slow


def test_known_site_is_revisited_with_few_requests(desk: Any, office: Any) -> None:
    desk.run("crawl", "demo")
    summary = desk.json("revisit", "demo", "--pages", "2")

    assert summary["stop_reason"] == "frontier_empty"
    assert (summary["new"], summary["changed"], summary["gone"]) == ([], [], [])
    assert 0 < summary["visited"] <= 3
    assert summary["checked_files"] >= 1
    assert summary["requests"] < summary["in_all"]["requests"] / 2


def test_people_read_what_a_night_looked_at(desk: Any, office: Any) -> None:
    desk.run("crawl", "demo")
    result = desk.run("revisit", "demo")

    assert result.exit_code == 0
    for line in ("visited", "unchanged", "new ", "changed", "gone"):
        assert f"\n{line}" in result.stdout


def test_site_that_was_never_crawled_cannot_be_revisited(desk: Any, office: Any) -> None:
    result = desk.run("revisit", "demo")

    assert result.exit_code == ExitCode.CONFIG
    assert "crawl it first" in result.stderr


def test_status_shows_what_the_next_night_looks_at_and_why(finished: Any) -> None:
    shown = finished.json("status", "demo")["next_night"]
    text = finished.run("status", "demo").stdout

    assert shown["counts"]["page"] >= 1
    assert sum(shown["reasons"].values()) == sum(shown["counts"].values())
    assert shown["first"][0]["reason"] in shown["reasons"]
    assert "next night" in text
