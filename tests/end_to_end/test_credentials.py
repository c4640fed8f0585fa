"""A site's credentials are seen by its own origin and by nobody else, wherever a server leads."""

from pathlib import Path

import pytest

from crawler.state.stop import StopReason
from tests.end_to_end.desk import Desk
from tests.end_to_end.hostile_office import moved
from tests.web.bare_server import BareServer, not_found

SECRET = "Bearer hunter2"


def crawled(desk: Desk, office: BareServer, **values: object) -> StopReason:
    desk.describe(
        office.url("").rstrip("/"),
        http={"headers": {"Authorization": SECRET}},
        politeness={"delay": 0, "retries": 0},
        strategy="bfs",
        **values,
    )
    return desk.acquire().stop_reason


@pytest.mark.parametrize("named", [False, True])
def test_robots_that_lead_to_another_port_take_no_credentials_there(
    tmp_path: Path, named: bool
) -> None:
    with BareServer() as office, BareServer() as other:
        office.on("/robots.txt", moved(other.url("/robots.txt")))
        office.on("/", lambda x: x.page("/more"))
        hosts = [f"127.0.0.1:{other.port}"] if named else []
        reason = crawled(Desk(tmp_path), office, scope={"hosts": hosts})
    assert {seen.headers.get("authorization") for seen in office.requests} == {SECRET}
    # A port that no site file names may be any service of that machine.
    assert other.paths() == (["/robots.txt"] if named else [])
    assert [seen.headers.get("authorization") for seen in other.requests] == [None] * named
    assert reason is (StopReason.FRONTIER_EMPTY if named else StopReason.UNREACHABLE)


def test_links_and_redirects_to_other_ports_take_no_credentials_there(tmp_path: Path) -> None:
    with BareServer() as office, BareServer() as named, BareServer() as other:
        office.on("/robots.txt", not_found)
        office.on("/", lambda x: x.page(other.url("/a"), named.url("/b"), "/moved", "/away"))
        office.on("/moved", moved(named.url("/c")))
        office.on("/away", moved(other.url("/d")))
        reason = crawled(Desk(tmp_path), office, scope={"hosts": [f"127.0.0.1:{named.port}"]})
    assert reason is StopReason.FRONTIER_EMPTY
    assert {seen.headers.get("authorization") for seen in office.requests} == {SECRET}
    assert sorted(named.paths()) == ["/b", "/c", "/robots.txt"]
    assert {seen.headers.get("authorization") for seen in named.requests} == {None}
    assert other.paths() == []
