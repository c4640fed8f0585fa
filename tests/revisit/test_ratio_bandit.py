"""UCB1 over the share of predicted pages."""

from dataclasses import replace

import numpy as np
import pytest

from crawler.revisit.page_columns import PageColumns
from crawler.revisit.planner_state import PlannerState, RatioArm
from crawler.revisit.ratio_bandit import choose_ratio, settle
from tests.revisit.histories import day, page

RATIOS = (0.6, 0.7, 0.8, 0.9, 1.0)


def test_every_ratio_is_tried_once_first() -> None:
    state, tried = PlannerState(), []
    for _ in RATIOS:
        state = choose_ratio(state, RATIOS)
        tried.append(state.last_ratio)
        state = _rewarded(state, 1.0)
    assert sorted(tried) == sorted(RATIOS)


def test_ucb1_by_hand() -> None:
    # Means 10 and 8, best 10: 1 + sqrt(2 ln 10 / 8) = 1.759, 0.8 + sqrt(2 ln 10 / 2) = 2.317.
    arms = (RatioArm(0.6, 8, 80.0), RatioArm(0.9, 2, 16.0))
    assert choose_ratio(PlannerState(arms=arms), (0.6, 0.9)).last_ratio == 0.9
    # 1.759 against 0.1 + 1.517 = 1.617.
    arms = (RatioArm(0.6, 8, 80.0), RatioArm(0.9, 2, 2.0))
    assert choose_ratio(PlannerState(arms=arms), (0.6, 0.9)).last_ratio == 0.6


def test_best_ratio_is_chosen_most_often() -> None:
    rng = np.random.default_rng(3)
    state = PlannerState()
    for _ in range(300):
        state = choose_ratio(state, RATIOS)
        state = _rewarded(state, rng.poisson(20 if state.last_ratio == 0.8 else 8))
    counts = {arm.ratio: arm.count for arm in state.arms}
    assert max(counts, key=counts.__getitem__) == 0.8
    assert min(counts.values()) > 1


def test_reward_is_what_was_found_since_the_last_plan() -> None:
    state = choose_ratio(PlannerState(last_night=day(5)), RATIOS)
    pages = [page([(4, 100), (5.1, 3)]), page([(5.2, 2)]), page([(5.3, 9)], first=5.3)]
    settled = settle(state, PageColumns.of(pages, day(6)))
    assert sum(arm.reward for arm in settled.arms) == pytest.approx(14)
    assert settled.last_ratio is None
    assert settle(settled, PageColumns.of(pages, day(6))) == settled


def _rewarded(state: PlannerState, reward: float) -> PlannerState:
    arms = tuple(
        replace(arm, count=arm.count + 1, reward=arm.reward + reward)
        if arm.ratio == state.last_ratio
        else arm
        for arm in state.arms
    )
    return replace(state, arms=arms)
