"""From the site's YAML to a strategy."""

import subprocess
import sys

import pytest

from crawler.config.strategy import StrategyConfig
from crawler.errors import ConfigError, ExitCode
from crawler.pages.mime import UrlClass
from crawler.strategies.breadth_first import BreadthFirst
from crawler.strategies.depth_first import DepthFirst
from crawler.strategies.dom_offline import DomOffline
from crawler.strategies.focused import Focused
from crawler.strategies.interface import Placement
from crawler.strategies.make import make_strategy, require_live
from crawler.strategies.omniscient import Omniscient
from crawler.strategies.random_choice import RandomChoice
from crawler.strategies.sb_oracle import SleepingBanditWithOracle
from crawler.strategies.sleeping_bandit import SleepingBanditStrategy
from crawler.strategies.tallyho import Tallyho
from tests.strategies.saved_crawl import candidate


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("tallyho", Tallyho),
        ("sb", SleepingBanditStrategy),
        ("bfs", BreadthFirst),
        ("dfs", DepthFirst),
        ("random", RandomChoice),
        ("focused", Focused),
    ],
)
def test_name_in_the_site_file_tells_the_strategy(name: str, kind: type) -> None:
    assert type(make_strategy(StrategyConfig(name=name), seed=1)) is kind
    require_live(StrategyConfig(name=name))


def page_everywhere(url: str) -> UrlClass:
    return UrlClass.HTML


ALL_KNOWING = [
    ("sb-oracle", SleepingBanditWithOracle),
    ("omniscient", Omniscient),
    ("dom-off", DomOffline),
]


@pytest.mark.parametrize(("name", "kind"), ALL_KNOWING)
def test_strategy_that_needs_an_oracle_gets_the_labs(name: str, kind: type) -> None:
    assert type(make_strategy(StrategyConfig(name=name), 1, page_everywhere)) is kind


@pytest.mark.parametrize("name", [name for name, _ in ALL_KNOWING])
def test_strategy_that_needs_an_oracle_is_a_wrong_configuration_without_one(name: str) -> None:
    with pytest.raises(ConfigError, match=f"strategy {name} has to be told what every URL is"):
        make_strategy(StrategyConfig(name=name), seed=1)
    with pytest.raises(ConfigError) as raised:
        require_live(StrategyConfig(name=name))
    assert raised.value.exit_code is ExitCode.CONFIG


def test_strategy_that_needs_no_oracle_does_not_mind_one() -> None:
    assert type(make_strategy(StrategyConfig(name="bfs"), 1, page_everywhere)) is BreadthFirst


def test_our_own_strategy_is_the_default() -> None:
    assert isinstance(make_strategy(StrategyConfig(), seed=1), Tallyho)


def test_parameters_of_the_site_file_reach_the_sleeping_bandit() -> None:
    strategy = make_strategy(StrategyConfig(name="sb", b=3), seed=1)
    for _ in range(2):
        strategy.head_refused()
    assert strategy.place([candidate(1)]) == [Placement.ASK]
    strategy.head_refused()
    assert strategy.place([candidate(1)]) == [Placement.QUEUE]


@pytest.mark.parametrize("name", ["sb", "random"])
def test_seed_reaches_the_strategy(name: str) -> None:
    orders = []
    for seed in (1, 1, 2):
        strategy = make_strategy(StrategyConfig(name=name), seed=seed)
        strategy.queue([candidate(number) for number in range(1, 21)])
        orders.append([strategy.next_link(t) for t in range(1, 21)])
    assert orders[0] == orders[1]
    assert orders[0] != orders[2]


def test_baselines_do_not_wait_for_the_learning_library() -> None:
    script = (
        "import sys\n"
        "from crawler.config.strategy import StrategyConfig\n"
        "from crawler.strategies.make import make_strategy\n"
        "for name in ('bfs', 'dfs', 'random', 'focused'):\n"
        "    make_strategy(StrategyConfig(name=name), seed=1)\n"
        "sys.exit('sklearn' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
