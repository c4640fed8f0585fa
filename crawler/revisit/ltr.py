"""Learning to rank by coordinate ascent (paper 003, 5.3: LTR; Metzler and Croft 2007).

Every night is one query, its visits are the documents, log(1 + new targets) is their relevance. The
weights are changed one at a time, as long as the mean NDCG of the nights rises.
"""

import numpy as np

from crawler.revisit.features import SCALED, Examples
from crawler.revisit.page_columns import Floats, Ints

TOP = 10
"""NDCG counts the first documents of a ranking."""
PASSES = 5
_STEPS = tuple(sign * 0.05 * 2.0**power for power in range(8) for sign in (1.0, -1.0))


def mean_ndcg(scores: Floats, relevance: Floats, query: Ints) -> float:
    """The mean NDCG@TOP over the queries that have anything relevant."""
    ideal = _gains(relevance, relevance, query)
    has_any = ideal > 0
    if not has_any.any():
        return 0.0
    return float((_gains(scores, relevance, query)[has_any] / ideal[has_any]).mean())


def _gains(scores: Floats, relevance: Floats, query: Ints) -> Floats:
    """Discounted gain of each query, ranked by score; ties are ranked worst first."""
    order = np.lexsort((relevance, -scores, query))
    ranked = query[order]
    starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
    sizes = np.diff(np.concatenate([starts, [len(ranked)]]))
    rank = np.arange(len(ranked)) - np.repeat(starts, sizes)
    gain = np.where(rank < TOP, relevance[order] / np.log2(rank + 2.0), 0.0)
    gains: Floats = np.add.reduceat(gain, starts)
    return gains


def fit(past: Examples) -> tuple[float, ...]:
    """Zero intercept and the weights of the features; those of a night's date stay zero.

    Day and hour are the same for all pages of a night, so they cannot change its ranking.
    """
    numbers = past.features[:, :SCALED]
    spread = numbers.std(axis=0)
    scaled = numbers / np.where(spread > 0, spread, 1.0)
    weights = _ascend(scaled, np.log1p(past.yields), past.night)
    weights = np.where(spread > 0, weights / np.where(spread > 0, spread, 1.0), 0.0)
    rest = past.features.shape[1] - SCALED
    return (0.0, *map(float, weights), *([0.0] * rest))


def _ascend(scaled: Floats, relevance: Floats, query: Ints) -> Floats:
    weights = np.zeros(scaled.shape[1])
    weights[-1] = 1.0  # avg * age, the paper's own "reinforcement of greedy strategy"
    best = mean_ndcg(scaled @ weights, relevance, query)
    for _ in range(PASSES):
        before = best
        for at in range(len(weights)):
            kept = weights[at]
            tried = [(kept + step, _with(weights, at, kept + step)) for step in _STEPS]
            for value, changed in tried:
                score = mean_ndcg(scaled @ changed, relevance, query)
                if score > best + 1e-9:
                    best, weights[at] = score, value
        if best <= before:
            break
    return weights


def _with(weights: Floats, at: int, value: float) -> Floats:
    changed = weights.copy()
    changed[at] = value
    return changed
