"""The browser that a strategy asks for, if it asks for one."""

from crawler.config.roach import RoachConfig, RoachStyles
from crawler.config.strategy import StrategyConfig
from crawler.web.chromium import Chromium


def browser_for(strategy: StrategyConfig) -> Chromium | None:
    """Chromium where the site file says `styles: computed`; ConfigError if there is none."""
    asks = isinstance(strategy, RoachConfig) and strategy.styles is RoachStyles.COMPUTED
    return Chromium() if asks else None
