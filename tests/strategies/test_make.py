"""From the site's YAML to a strategy."""

import subprocess
import sys

import pytest

from crawler.config.strategy import SleepingBanditConfig, strategy_named
from crawler.errors import ConfigError, ExitCode
from crawler.lab.oracles.config import OmniscientConfig
from crawler.strategies.acebot import Acebot
from crawler.strategies.anthelion import Anthelion
from crawler.strategies.baselines import BreadthFirst, DepthFirst, RandomChoice
from crawler.strategies.focused import Focused
from crawler.strategies.interface import Placement
from crawler.strategies.make import make_strategy
from crawler.strategies.roach import Roach
from crawler.strategies.sleeping_bandit import SleepingBanditStrategy
from crawler.strategies.tallyho import Tallyho
from tests.strategies.saved_crawl import candidate


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("tallyho", Tallyho),
        ("sb", SleepingBanditStrategy),
        ("anthelion", Anthelion),
        ("acebot", Acebot),
        ("bfs", BreadthFirst),
        ("dfs", DepthFirst),
        ("random", RandomChoice),
        ("focused", Focused),
        ("roach", Roach),
    ],
)
def test_name_in_the_site_file_tells_the_strategy(name: str, kind: type) -> None:
    assert type(make_strategy(strategy_named(name), seed=1)) is kind


def test_strategy_of_the_lab_cannot_crawl_a_live_site() -> None:
    with pytest.raises(ConfigError, match="omniscient cannot crawl a live site") as raised:
        make_strategy(OmniscientConfig(), seed=1)
    assert raised.value.exit_code is ExitCode.CONFIG


def test_parameters_of_the_site_file_reach_the_sleeping_bandit() -> None:
    strategy = make_strategy(SleepingBanditConfig(b=3), seed=1)
    for _ in range(2):
        strategy.head_refused()
    assert strategy.place([candidate(1)]) == [Placement.ASK]
    strategy.head_refused()
    assert strategy.place([candidate(1)]) == [Placement.QUEUE]


@pytest.mark.parametrize("name", ["sb", "random", "acebot"])
def test_seed_reaches_the_strategy(name: str) -> None:
    orders = []
    for seed in (1, 1, 2):
        strategy = make_strategy(strategy_named(name), seed=seed)
        strategy.queue([candidate(number) for number in range(1, 21)])
        orders.append([strategy.next_link(t) for t in range(1, 21)])
    assert orders[0] == orders[1]
    assert orders[0] != orders[2]


def test_baselines_do_not_wait_for_the_learning_library() -> None:
    script = (
        "import sys\n"
        "from crawler.config.strategy import strategy_named\n"
        "from crawler.strategies.make import make_strategy\n"
        "for name in ('bfs', 'dfs', 'random', 'focused'):\n"
        "    make_strategy(strategy_named(name), seed=1)\n"
        "sys.exit('sklearn' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
