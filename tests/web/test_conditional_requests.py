"""Conditional requests: a server's own words come back to it, and 304 is a whole answer."""

import pytest

from crawler.storage.local_folder import LocalFolder
from crawler.web.fetcher import Fetcher
from crawler.web.messages import Conditions, Decision, Method, Request
from tests.web.bare_server import Exchange
from tests.web.decisions import keep, unasked
from tests.web.misbehaving_server import MisbehavingServer

DATE = "Mon, 01 Jun 2026 10:00:00 GMT"


@pytest.mark.parametrize(
    ("conditions", "sent"),
    [
        (Conditions('W/"a"', DATE), ('W/"a"', DATE)),
        (Conditions('"a"'), ('"a"', None)),
        (Conditions(last_modified=DATE), (None, DATE)),
        (Conditions(), (None, None)),
        (Conditions('"a\r\nX-Evil: 1"', "yesterd\u00e4y"), (None, None)),
    ],
)
def test_validators_are_sent_as_they_came_or_not_at_all(
    server: MisbehavingServer,
    fetcher: Fetcher,
    folder: LocalFolder,
    conditions: Conditions,
    sent: tuple[str | None, str | None],
) -> None:
    request = Request(server.url("/data/plain.csv"), conditions=conditions)
    assert fetcher.fetch(request, keep, folder.spool).decision is Decision.KEEP
    headers = server.requests[0].headers
    assert (headers.get("if-none-match"), headers.get("if-modified-since")) == sent
    assert "x-evil" not in headers


def test_304_is_a_whole_answer_whose_body_nobody_decides_about(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    def unchanged(exchange: Exchange) -> None:
        exchange.head("304 Not Modified", etag='"b"')
        exchange.keep_alive = True

    server.on("/a.csv", unchanged)
    request = Request(server.url("/a.csv"), conditions=Conditions('"a"'))
    for _ in range(2):
        reply = fetcher.fetch(request, unasked, folder.spool)
        assert reply.failure is None
        assert reply.head is not None
        assert (reply.head.status, reply.head.headers["etag"]) == (304, '"b"')
    assert {seen.connection for seen in server.requests} == {server.requests[0].connection}


def test_head_may_be_conditional(
    server: MisbehavingServer, fetcher: Fetcher, folder: LocalFolder
) -> None:
    request = Request(server.url("/data/plain.csv"), Method.HEAD, conditions=Conditions('"a"'))
    fetcher.fetch(request, unasked, folder.spool)
    assert server.requests[0].headers["if-none-match"] == '"a"'
