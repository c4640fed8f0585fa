"""How well predicted scores rank links: the modified Kendall's tau of paper 004, Section 3.2."""

from collections.abc import Sequence

import numpy as np

MAX_LINKS = 1_000
"""Links that are compared pair by pair; of more, the last ones."""
_UNKNOWN = 0.5


def modified_tau(predicted: Sequence[float], true: Sequence[float]) -> float:
    """1 for the right order, 0 for the reverse, about 0.5 for any: pairs weigh what they differ by.

    Every pair that stands in the wrong order counts with the distance of its true scores; the sum
    is set in relation to what all pairs would count. A pair that is predicted alike counts half.
    """
    guess = np.asarray(predicted[-MAX_LINKS:], dtype=np.float64)
    truth = np.asarray(true[-MAX_LINKS:], dtype=np.float64)
    above, below = np.triu_indices(len(truth), k=1)
    distance = truth[above] - truth[below]
    whole = float(np.abs(distance).sum())
    if whole == 0:
        return _UNKNOWN
    order = np.sign(guess[above] - guess[below]) * np.sign(distance)
    wrong = np.abs(distance) * (1 - order) / 2
    return 1 - float(wrong.sum()) / whole
