"""Strategies as they are written on the command line."""

import pytest

from crawler.config.strategy import ActionIndex, SleepingBanditConfig
from crawler.errors import ConfigError
from crawler.lab.entrant import read_entrant, read_entrants
from crawler.lab.oracles.config import DomOffConfig


def test_a_name_alone_is_the_strategy_with_its_defaults():
    entrant = read_entrant(" dom-off ")
    assert entrant.label == "dom-off"
    assert entrant.config == DomOffConfig()


def test_parameters_follow_the_name():
    entrant = read_entrant("sb:alpha=0.5:b=3:index=hnsw")
    assert entrant.label == "sb:alpha=0.5:b=3:index=hnsw"
    assert entrant.config == SleepingBanditConfig(alpha=0.5, b=3, index=ActionIndex.HNSW)


def test_several_have_commas_between_them():
    assert [entrant.label for entrant in read_entrants("sb, bfs,,sb:b=3")] == [
        "sb",
        "bfs",
        "sb:b=3",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sbb", "there is no strategy 'sbb'; there are: tallyho, sb, anthelion, acebot, focused"),
        ("sb:alpha", "sb:alpha: parameters are written as sb:alpha=0.5"),
        ("sb:alpha=[", r"'\[' is no value of a site file"),
        ("sb:alpha=-1", "sb:alpha=-1: alpha: "),
        ("bfs:alpha=1", "alpha: is a parameter of tallyho and sb; bfs takes none"),
        ("sb:beta=1", "sb:beta=1: beta: sb has no such parameter; it takes n, theta"),
        ("sb,bfs,sb", "sb: named twice"),
        (" , ", "no strategy is named"),
    ],
)
def test_what_cannot_be_read_is_a_sentence(text, told):
    with pytest.raises(ConfigError, match=told):
        read_entrants(text)
