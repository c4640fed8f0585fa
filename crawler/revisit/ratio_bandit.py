"""UCB1 over the share of a night that goes to predicted pages (paper 003, Algorithm 3)."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from crawler.revisit.page_columns import PageColumns
from crawler.revisit.planner_state import PlannerState, RatioArm
from crawler.revisit.visit_log import Outcome


def yield_since(pages: PageColumns, since: float) -> int:
    """New targets of all revisits since a time."""
    counted = (pages.log["at"] >= since) & (pages.log["outcome"] != Outcome.NEW)
    return int(pages.log["targets"][counted & (pages.log["at"] <= pages.now)].sum())


def settle(state: PlannerState, pages: PageColumns) -> PlannerState:
    """The state once last night's new targets were counted for the share it was planned with."""
    if state.last_ratio is None or state.last_night is None:
        return state
    reward = yield_since(pages, state.last_night)
    arms = tuple(
        replace(arm, count=arm.count + 1, reward=arm.reward + reward)
        if arm.ratio == state.last_ratio
        else arm
        for arm in state.arms
    )
    return replace(state, arms=arms, last_ratio=None)


def choose_ratio(state: PlannerState, ratios: Sequence[float]) -> PlannerState:
    """The state with the share of tonight: each share once, then the highest UCB1 score.

    Rewards are divided by the best mean, as UCB1 is made for rewards between 0 and 1.
    """
    known = {arm.ratio: arm for arm in state.arms}
    arms = tuple(known.get(ratio, RatioArm(ratio)) for ratio in ratios)
    return replace(state, arms=arms, last_ratio=max(arms, key=_scores(arms).__getitem__).ratio)


def _scores(arms: Sequence[RatioArm]) -> dict[RatioArm, float]:
    total = sum(arm.count for arm in arms)
    best = max((arm.reward / arm.count for arm in arms if arm.count), default=0.0) or 1.0
    # Never tried comes first, the larger share of predicted pages before the smaller.
    return {
        arm: arm.reward / arm.count / best + math.sqrt(2 * math.log(total) / arm.count)
        if arm.count
        else math.inf
        for arm in sorted(arms, key=lambda arm: np.float64(-arm.ratio))
    }
