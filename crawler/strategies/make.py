"""From the site's YAML to a strategy."""

from crawler.config.strategy import StrategyConfig, StrategyName
from crawler.strategies.interface import Strategy


def make_strategy(config: StrategyConfig, seed: int) -> Strategy:
    """The strategy that a site file names, with its parameters."""
    match config.name:
        case StrategyName.SB:
            # The learning room takes a moment to import, and the baselines do not need it.
            from crawler.strategies.sleeping_bandit import SleepingBanditStrategy

            return SleepingBanditStrategy(**config.model_dump(exclude={"name"}), seed=seed)
        case StrategyName.BFS:
            from crawler.strategies.breadth_first import BreadthFirst

            return BreadthFirst()
        case StrategyName.DFS:
            from crawler.strategies.depth_first import DepthFirst

            return DepthFirst()
        case StrategyName.RANDOM:
            from crawler.strategies.random_choice import RandomChoice

            return RandomChoice(seed)
