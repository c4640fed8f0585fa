"""The lab gives its oracle to the strategies that need one, and to no other."""

import pytest

from crawler.lab.oracles.config import LAB_STRATEGIES
from crawler.lab.oracles.dom_offline import DomOffline
from crawler.lab.oracles.make import make_lab_strategy
from crawler.lab.oracles.omniscient import Omniscient
from crawler.lab.oracles.sb_oracle import SleepingBanditWithOracle
from crawler.pages.mime import UrlClass
from crawler.strategies.baselines import BreadthFirst


def page_everywhere(url: str) -> UrlClass:
    return UrlClass.HTML


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("sb-oracle", SleepingBanditWithOracle),
        ("omniscient", Omniscient),
        ("dom-off", DomOffline),
        ("bfs", BreadthFirst),
    ],
)
def test_name_says_which_strategy_is_made(name: str, kind: type) -> None:
    assert type(make_lab_strategy(LAB_STRATEGIES[name](), 1, page_everywhere)) is kind
