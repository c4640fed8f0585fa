"""The revisit strategy of a name."""

from crawler.config.revisit import RevisitStrategyName
from crawler.revisit.strategies.cov import Cover
from crawler.revisit.strategies.interface import Strategy
from crawler.revisit.strategies.od_win import CliqWin, OdWin
from crawler.revisit.strategies.reg import (
    LearningToRank,
    RatioBandit,
    Regression,
    RegressionInTurn,
)
from crawler.revisit.strategies.rr import RoundRobin
from crawler.revisit.strategies.tallyho import Tallyho

_MAKERS: dict[RevisitStrategyName, type[Strategy]] = {
    RevisitStrategyName.RR: RoundRobin,
    RevisitStrategyName.OD_WIN: OdWin,
    RevisitStrategyName.COV: Cover,
    RevisitStrategyName.CLIQ_WIN: CliqWin,
    RevisitStrategyName.REG: Regression,
    RevisitStrategyName.REG_RR: RegressionInTurn,
    RevisitStrategyName.BANDIT: RatioBandit,
    RevisitStrategyName.LTR: LearningToRank,
    RevisitStrategyName.TALLYHO: Tallyho,
}


def make_strategy(name: RevisitStrategyName) -> Strategy:
    """The strategy that a site file names."""
    return _MAKERS[name]()
