"""REG, REG-RR, BANDIT, LTR: predicted pages, and a share that explores (paper 003, 4 and 5.3)."""

from dataclasses import replace

from crawler.revisit import ltr, regression
from crawler.revisit.night_plan import PageReason
from crawler.revisit.overlap import select_apart
from crawler.revisit.planner_state import PlannerState
from crawler.revisit.ratio_bandit import choose_ratio, settle
from crawler.revisit.strategies.interface import Choice, Night, Selection, fill_up
from crawler.revisit.strategies.od_win import OdWin, ranked_by
from crawler.revisit.strategies.rr import in_turn

FIXED_RATIO = 0.9
"""REG-RR: share of predicted pages, the one that the paper found best."""


class Regression:
    """REG: the pages with the highest prediction, one of those whose links overlap."""

    fit = staticmethod(regression.fit)
    """How the weights of the features are learned."""

    def choose(self, night: Night) -> Selection:
        """OD-WIN in the first nights, then by prediction, and a share of the pages in turn."""
        if regression.is_too_early(night.state):
            return OdWin().choose(night)
        state = regression.trained(night.state, night.pages, night.config.window, self.fit)
        state, ratio = self._shared(replace(night, state=state))
        return Selection(_mixed(replace(night, state=state), ratio), state)

    def _shared(self, night: Night) -> tuple[PlannerState, float]:
        """The share of predicted pages, and the state that remembers it."""
        return night.state, 1.0


class RegressionInTurn(Regression):
    """REG-RR: nine pages in ten by prediction, the others in turn."""

    def _shared(self, night: Night) -> tuple[PlannerState, float]:
        return night.state, FIXED_RATIO


class RatioBandit(Regression):
    """BANDIT: the share of predicted pages is chosen by UCB1."""

    def _shared(self, night: Night) -> tuple[PlannerState, float]:
        state = choose_ratio(settle(night.state, night.pages), night.config.ratios)
        return state, state.last_ratio if state.last_ratio is not None else 1.0


class LearningToRank(Regression):
    """LTR: as REG, with weights learned by coordinate ascent."""

    fit = staticmethod(ltr.fit)


def _mixed(night: Night, ratio: float) -> list[Choice]:
    """A share of the night by prediction without overlap, the rest in turn."""
    pages, config = night.pages, night.config
    expected = regression.predict(night.state, pages, config.window)
    predicted = round(ratio * night.budget)
    ranked = ranked_by(expected, pages).tolist()
    rows = select_apart(ranked, pages.outlinks, predicted, config.overlap)
    choices = [Choice(row, PageReason.PREDICTED, float(expected[row])) for row in rows]
    fill_up(choices, night, in_turn(night).tolist(), PageReason.EXPLORING, pages.age)
    return choices
