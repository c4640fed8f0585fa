"""Linear regression from features to new targets (paper 003, 4.2), retrained on schedule."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from crawler.revisit.features import Examples, examples, features_tonight
from crawler.revisit.page_columns import Floats, PageColumns
from crawler.revisit.planner_state import PlannerState

BOOTSTRAP_NIGHTS = 10
"""Nights of OD-WIN before there is enough to learn from; the paper takes 10 cycles."""
TRAINING_DAYS = 28.0
"""Examples older than this are forgotten; the paper takes a week of hours."""
RETRAIN_EVERY = 3
"""Nights between two trainings; the paper takes 3 cycles."""


Fit = Callable[[Examples], tuple[float, ...]]
"""From examples to the intercept and the weights of the features."""


def is_too_early(state: PlannerState) -> bool:
    """Whether OD-WIN chooses, as there is too little history."""
    return state.nights < BOOTSTRAP_NIGHTS


def needs_training(state: PlannerState) -> bool:
    """Whether the weights are to be learned again tonight."""
    trained = state.trained_night
    return trained is None or not state.weights or state.nights - trained >= RETRAIN_EVERY


def trained(state: PlannerState, pages: PageColumns, window: int, fit: Fit) -> PlannerState:
    """The state with weights that are not too old."""
    if not needs_training(state):
        return state
    past = examples(pages, window, TRAINING_DAYS)
    if not len(past.yields):
        return state
    return replace(state, weights=fit(past), trained_night=state.nights)


def fit(past: Examples) -> tuple[float, ...]:
    """Intercept and weights of the least squares."""
    from sklearn.linear_model import LinearRegression

    model = LinearRegression().fit(past.features, past.yields)
    return (float(model.intercept_), *map(float, model.coef_))


def predict(state: PlannerState, pages: PageColumns, window: int) -> Floats:
    """New targets expected on each page tonight."""
    features = features_tonight(pages, window)
    if len(state.weights) != features.shape[1] + 1:
        return features[:, 0]
    expected: Floats = state.weights[0] + features @ np.array(state.weights[1:])
    return expected
