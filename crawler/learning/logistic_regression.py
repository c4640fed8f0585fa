"""Logistic regression by stochastic gradient descent, one example at a time."""

import math

import numpy as np
import numpy.typing as npt

Features = npt.NDArray[np.intp]
"""The features of one example; a feature that occurs twice counts twice."""

ALPHA = 1e-4
"""Weight of the L2 penalty."""

_INTERCEPT_DECAY = 0.01
"""The intercept learns slowly where features are sparse, or it would swing with every example."""


def _first_step() -> float:
    """Leon Bottou's choice: the first steps are about as long as the weights will be."""
    typical = math.sqrt(1.0 / math.sqrt(ALPHA))
    eta = typical / max(1.0, 1.0 / (1.0 + math.exp(-typical)))
    return 1.0 / (eta * ALPHA)


_FIRST_STEP = _first_step()


class LogisticRegression:
    """What scikit-learn's SGDClassifier(loss="log_loss") learns from sparse examples in order.

    A test compares the weights. For batches of ten examples scikit-learn spends ten times as long
    on checking its input as on learning from it, which is more than the parsing of a page takes
    (docs/decisions/0006).
    """

    def __init__(self, features: int) -> None:
        self.weights = np.zeros(features)
        self.intercept = 0.0
        self.steps = 0

    def learn(self, example: Features, positive: bool) -> None:
        """Take one step towards the label of an example."""
        score = float(self.weights[example].sum()) + self.intercept
        eta = 1.0 / (ALPHA * (_FIRST_STEP + self.steps))
        self.steps += 1
        update = eta * (float(positive) - _sigmoid(score))
        self.weights *= max(0.0, 1.0 - eta * ALPHA)
        np.add.at(self.weights, example, update)
        self.intercept += update * _INTERCEPT_DECAY


def _sigmoid(score: float) -> float:
    return 1.0 / (1.0 + math.exp(-score)) if score > -700 else 0.0
