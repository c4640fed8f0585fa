"""Rows of a step: several in a statement, and all of them stored."""

from contextlib import closing
from dataclasses import replace

import pytest

from crawler.state.crawl_state import IN_MEMORY, CrawlState
from crawler.state.records import Changes, LinkRow, LinkStatus, LinkUpdate

LINK = LinkRow(3, -(2**63), "https://stat.example/é", 1, 2, 2**63 - 1, "Births", "next")


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 44, 101])
def test_any_number_of_rows_is_stored_in_their_order(count: int) -> None:
    links = [LinkRow(number, -number, f"https://stat.example/{number}") for number in range(count)]
    with closing(CrawlState(IN_MEMORY)) as state:
        state.commit(Changes(links=links))
        assert state.links(0, count) == links
        ends = [LinkUpdate(link.id, LinkStatus.SKIPPED, reason=str(link.id)) for link in links]
        state.commit(Changes(updates=ends))
        stored = state.links(0, count)
        assert [link.reason for link in stored] == [str(link.id) for link in links]
        assert {link.status for link in stored} == {LinkStatus.SKIPPED}


def test_the_last_of_several_updates_of_a_link_counts() -> None:
    queued = LinkUpdate(3, LinkStatus.FRONTIER, action=4, slot=9)
    settled = LinkUpdate(3, LinkStatus.PAGE, action=4)
    with closing(CrawlState(IN_MEMORY)) as state:
        state.commit(Changes(links=[LINK], updates=[queued, settled]))
        assert state.link(3) == replace(LINK, status=LinkStatus.PAGE, action=4)
