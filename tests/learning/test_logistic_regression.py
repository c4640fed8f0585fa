"""The step of logistic regression, beside the library that everybody trusts."""

import random

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.linear_model import SGDClassifier

from crawler.learning.logistic_regression import LogisticRegression

FEATURES = 50


def examples(count: int, seed: int) -> list[tuple[np.ndarray, bool]]:
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        positive = chance.random() < 0.4
        favoured = range(25) if positive else range(20, FEATURES)
        chosen = [chance.choice(favoured) for _ in range(chance.randint(0, 30))]
        made.append((np.array(chosen, dtype=np.intp), positive))
    return made


def counted(batch: list[tuple[np.ndarray, bool]]) -> csr_matrix:
    rows = [np.bincount(features, minlength=FEATURES).astype(float) for features, _ in batch]
    return csr_matrix(np.stack(rows))


@pytest.mark.parametrize("seed", range(5))
def test_weights_are_those_of_scikit_learn(seed: int) -> None:
    ours = LogisticRegression(FEATURES)
    theirs = SGDClassifier(loss="log_loss", shuffle=False)
    made = examples(200, seed)
    for start in range(0, len(made), 10):
        batch = made[start : start + 10]
        for features, positive in batch:
            ours.learn(features, positive)
        theirs.partial_fit(counted(batch), [positive for _, positive in batch], classes=[0, 1])

        np.testing.assert_allclose(ours.weights, theirs.coef_[0], rtol=1e-9, atol=1e-9)
        assert ours.intercept == pytest.approx(theirs.intercept_[0], rel=1e-9)


def test_extreme_scores_neither_overflow_nor_teach() -> None:
    model = LogisticRegression(FEATURES)
    model.weights[:] = -1e6
    model.learn(np.array([1, 2, 3], dtype=np.intp), positive=False)
    assert np.isfinite(model.weights).all()
    assert model.intercept == 0.0
