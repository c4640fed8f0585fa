"""`tallyho fleet`: who may make how many requests tonight."""

from typing import Any

import pytest


@pytest.fixture
def sites(desk: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    desk.add_site("one", "http://127.0.0.1:1")
    desk.add_site("two", "http://127.0.0.1:2")
    desk.add_site("own", "http://127.0.0.1:3", budget={"requests": 77})
    desk.add_site("off", "http://127.0.0.1:4", enabled=False)
    monkeypatch.setenv("TALLYHO_FLEET_REQUESTS", "1000")
    return desk


def requests(told: Any) -> dict[str, tuple[int, str]]:
    return {item["site"]: (item["requests"], item["budget_from"]) for item in told["items"]}


def test_shares_are_told_with_their_reason(sites: Any) -> None:
    assert requests(sites.json("fleet"))["one"] == (20_000, "default")
    told = requests(sites.json("fleet", "share"))
    assert told["own"] == (77, "site")
    assert told["one"][0] + told["two"][0] == 1000
    assert requests(sites.json("fleet")) == told
    table = sites.run("fleet").stdout
    assert "it was never crawled" in table
    assert "off" not in table.split()


def test_person_goes_before_the_fleet(sites: Any) -> None:
    assert sites.run("fleet", "set", "one", "55").stdout == "one: 55 requests a night\n"
    told = requests(sites.json("fleet", "share"))
    assert (told["one"], told["two"]) == ((55, "hand"), (1000, "fleet"))
    assert "is gone" in sites.run("fleet", "forget", "one").stdout
    assert "had no allotment" in sites.run("fleet", "forget", "one").stdout


def test_site_file_goes_before_a_person(sites: Any) -> None:
    result = sites.run("fleet", "set", "own", "5")
    assert result.exit_code == 3
    assert "budget.requests: 77" in result.stderr
    assert sites.run("fleet", "set", "nobody", "5").exit_code == 3
