"""Linear regression over the features, and when it is trained."""

from dataclasses import replace

import numpy as np
import pytest

from crawler.revisit.features import Examples
from crawler.revisit.page_columns import PageColumns
from crawler.revisit.planner_state import PlannerState
from crawler.revisit.regression import (
    BOOTSTRAP_NIGHTS,
    RETRAIN_EVERY,
    fit,
    is_too_early,
    needs_training,
    predict,
    trained,
)
from tests.revisit.histories import day, page


def test_law_behind_the_examples_is_found() -> None:
    rng = np.random.default_rng(1)
    features = rng.random((200, 4))
    yields = 3.0 + features @ np.array([2.0, 0.0, -1.0, 0.5])
    weights = fit(Examples(features, yields, np.zeros(200, np.int64)))
    assert weights == pytest.approx((3.0, 2.0, 0.0, -1.0, 0.5))


def test_prediction_follows_past_yield() -> None:
    busy = [page([(at, 5) for at in range(1, 20)], page_id=number) for number in range(3)]
    quiet = [page([(at, 0) for at in range(1, 20)], page_id=number) for number in range(3, 6)]
    columns = PageColumns.of([*busy, *quiet], day(20))
    state = trained(PlannerState(nights=BOOTSTRAP_NIGHTS), columns, window=10, fit=fit)
    expected = predict(state, columns, window=10)
    assert expected == pytest.approx([5, 5, 5, 0, 0, 0], abs=0.2)


def test_weights_are_learned_again_after_some_nights() -> None:
    state = PlannerState(nights=BOOTSTRAP_NIGHTS)
    assert needs_training(state)
    columns = PageColumns.of([page([(1, 1), (2, 0)])], day(3))
    state = trained(state, columns, window=10, fit=fit)
    assert not needs_training(replace(state, nights=state.nights + RETRAIN_EVERY - 1))
    assert needs_training(replace(state, nights=state.nights + RETRAIN_EVERY))


def test_nothing_is_learned_from_nothing() -> None:
    state = PlannerState(nights=BOOTSTRAP_NIGHTS)
    columns = PageColumns.of([page(listed=73)], day(3))
    assert trained(state, columns, window=10, fit=fit) == state
    assert predict(state, columns, window=10).tolist() == [0.2]
    assert is_too_early(replace(state, nights=BOOTSTRAP_NIGHTS - 1))
    assert not is_too_early(state)
