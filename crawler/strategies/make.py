"""From a strategy's parameters to the strategy."""

from typing import TYPE_CHECKING

from crawler.config.roach import RoachConfig
from crawler.config.strategy import (
    AcebotConfig,
    AnthelionConfig,
    BreadthFirstConfig,
    DepthFirstConfig,
    FocusedConfig,
    RandomConfig,
    SleepingBanditConfig,
    StrategyConfig,
    TallyhoConfig,
)
from crawler.errors import ConfigError
from crawler.strategies.baselines import BreadthFirst, DepthFirst, RandomChoice
from crawler.strategies.interface import Strategy

if TYPE_CHECKING:
    from crawler.pages.styles.rendered import StyleBrowser
    from crawler.strategies.pattern_set import PatternSet


def make_strategy(
    config: StrategyConfig,
    seed: int,
    patterns: "PatternSet | None" = None,
    browser: "StyleBrowser | None" = None,
) -> Strategy:
    """The strategy that a site file names; ConfigError for one that cannot crawl a live site.

    `patterns` are those that `acebot` follows without a sample, where there are some; `browser` is
    for a strategy that asks what pages look like.
    """
    parameters = config.model_dump(exclude={"name"})
    # The learning room takes a moment to import, and the other baselines do not need it.
    match config:
        case BreadthFirstConfig():
            return BreadthFirst()
        case DepthFirstConfig():
            return DepthFirst()
        case RandomConfig():
            return RandomChoice(seed)
        case FocusedConfig():
            from crawler.strategies.focused import Focused

            return Focused(**parameters)
        case TallyhoConfig():
            from crawler.strategies.tallyho import Tallyho

            return Tallyho(**parameters, seed=seed)
        case AnthelionConfig():
            from crawler.strategies.anthelion import Anthelion

            return Anthelion(**parameters, seed=seed)
        case SleepingBanditConfig():
            from crawler.strategies.sleeping_bandit import SleepingBanditStrategy

            return SleepingBanditStrategy(**parameters, seed=seed)
        case AcebotConfig():
            from crawler.strategies.acebot import Acebot

            return Acebot(**{**parameters, "patterns": patterns}, seed=seed)
        case RoachConfig():
            from crawler.strategies.roach import Roach

            return Roach(**parameters, browser=browser)
    raise ConfigError(f"strategy {config.name} cannot crawl a live site: see tallyho lab compare")
