"""From a strategy's parameters to the strategy."""

from crawler.config.strategy import (
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


def make_strategy(config: StrategyConfig, seed: int) -> Strategy:
    """The strategy that a site file names; ConfigError for one that cannot crawl a live site."""
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
        case SleepingBanditConfig():
            from crawler.strategies.sleeping_bandit import SleepingBanditStrategy

            return SleepingBanditStrategy(**parameters, seed=seed)
    raise ConfigError(f"strategy {config.name} cannot crawl a live site: see tallyho lab compare")
