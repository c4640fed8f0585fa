"""From the site's YAML to a strategy."""

from crawler.config.strategy import StrategyConfig, StrategyName
from crawler.errors import ConfigError
from crawler.strategies.interface import Strategy
from crawler.strategies.oracle import Oracle


def make_strategy(config: StrategyConfig, seed: int, oracle: Oracle | None = None) -> Strategy:
    """The strategy that a site file names, with its parameters.

    Only the lab has an oracle; a strategy that needs one is a ConfigError without it.
    """
    if oracle is None:
        require_live(config)
    elif config.name.needs_oracle:
        return _all_knowing(config, seed, oracle)
    parameters = config.model_dump(exclude={"name"})
    match config.name:
        case StrategyName.BFS:
            from crawler.strategies.breadth_first import BreadthFirst

            return BreadthFirst()
        case StrategyName.DFS:
            from crawler.strategies.depth_first import DepthFirst

            return DepthFirst()
        case StrategyName.RANDOM:
            from crawler.strategies.random_choice import RandomChoice

            return RandomChoice(seed)
        case StrategyName.TALLYHO:
            from crawler.strategies.tallyho import Tallyho

            return Tallyho(**parameters, seed=seed)
        case StrategyName.FOCUSED:
            from crawler.strategies.focused import Focused

            return Focused(**parameters)
        case _:
            # The learning room takes a moment to import, and the baselines do not need it.
            from crawler.strategies.sleeping_bandit import SleepingBanditStrategy

            return SleepingBanditStrategy(**parameters, seed=seed)


def require_live(config: StrategyConfig) -> None:
    """A ConfigError for a strategy that can only run in the lab."""
    if config.name.needs_oracle:
        raise ConfigError(
            f"strategy {config.name} has to be told what every URL is before it is asked for, "
            "which only the lab can do: see tallyho lab compare"
        )


def _all_knowing(config: StrategyConfig, seed: int, oracle: Oracle) -> Strategy:
    parameters = config.model_dump(exclude={"name"})
    match config.name:
        case StrategyName.OMNISCIENT:
            from crawler.strategies.omniscient import Omniscient

            return Omniscient(oracle)
        case StrategyName.DOM_OFF:
            from crawler.strategies.dom_offline import DomOffline

            return DomOffline(oracle, **parameters)
        case _:
            from crawler.strategies.sb_oracle import SleepingBanditWithOracle

            return SleepingBanditWithOracle(oracle, **parameters, seed=seed)
