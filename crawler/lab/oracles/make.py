"""From a strategy's parameters to a strategy that runs in the lab."""

from crawler.config.strategy import AcebotConfig, StrategyConfig
from crawler.errors import ConfigError
from crawler.lab.oracles import Oracle
from crawler.lab.oracles.config import DomOffConfig, OmniscientConfig, SbOracleConfig
from crawler.lab.oracles.dom_offline import DomOffline
from crawler.lab.oracles.omniscient import Omniscient
from crawler.lab.oracles.sb_oracle import SleepingBanditWithOracle
from crawler.pipeline.crawl.browser import browser_for
from crawler.strategies.interface import Strategy
from crawler.strategies.make import make_strategy


def make_lab_strategy(config: StrategyConfig, seed: int, oracle: Oracle) -> Strategy:
    """The strategy with these parameters; only those that need the oracle get it."""
    parameters = config.model_dump(exclude={"name"})
    match config:
        case OmniscientConfig():
            return Omniscient(oracle)
        case DomOffConfig():
            return DomOffline(oracle, **parameters)
        case SbOracleConfig():
            return SleepingBanditWithOracle(oracle, **parameters, seed=seed)
        case AcebotConfig() if config.patterns is not None:
            raise ConfigError("acebot: patterns are for crawls of live sites: see tallyho crawl")
    return make_strategy(config, seed, browser=browser_for(config))
