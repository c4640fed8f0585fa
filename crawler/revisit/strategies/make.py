"""The revisit strategy of a name."""

from crawler.config.revisit import RevisitStrategyName
from crawler.revisit.strategies.interface import Strategy
from crawler.revisit.strategies.od_win import OdWin
from crawler.revisit.strategies.rr import RoundRobin


def make_strategy(name: RevisitStrategyName) -> Strategy:
    """The strategy that a site file names."""
    return _MAKERS[name]()


_MAKERS: dict[RevisitStrategyName, type[Strategy]] = {
    RevisitStrategyName.RR: RoundRobin,
    RevisitStrategyName.OD_WIN: OdWin,
}
