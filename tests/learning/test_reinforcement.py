"""Scores that flow back along a crawl graph made by hand."""

import pytest

from crawler.learning.reinforcement import Followed, reinforced

START, HUB, LIST, DEEP = 1, 2, 3, 4


def test_every_score_becomes_the_mean_of_the_links_below() -> None:
    graph = [
        Followed(START, HUB, 0.1),  # to the hub, whose own text says little
        Followed(START, 0, 0.0),  # dead
        Followed(HUB, LIST, 0.2),
        Followed(HUB, 0, 0.6),
        Followed(LIST, 0, 1.0),
        Followed(LIST, 0, 1.0),
        Followed(LIST, DEEP, 0.3),
        Followed(DEEP, 0, 0.5),
    ]
    # DEEP: 0.5; LIST: (1 + 1 + 0.5) / 3; HUB: (LIST + 0.6) / 2.
    deep = 0.5
    listed = (1 + 1 + deep) / 3
    hub = (listed + 0.6) / 2
    assert reinforced(graph) == pytest.approx([hub, 0, listed, 0.6, 1, 1, deep, 0.5])


def test_page_that_nothing_was_followed_on_keeps_its_score() -> None:
    assert reinforced([Followed(START, HUB, 0.4), Followed(START, LIST, 0.7)]) == [0.4, 0.7]


def test_no_links() -> None:
    assert reinforced([]) == []
