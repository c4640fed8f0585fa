"""Learning to rank by coordinate ascent."""

import math

import numpy as np
import pytest

from crawler.revisit.features import Examples
from crawler.revisit.ltr import fit, mean_ndcg


def test_ndcg_by_hand() -> None:
    scores = np.array([3.0, 2.0, 1.0])
    relevance = np.array([0.0, 1.0, 2.0])
    gained = 1 / math.log2(3) + 2 / math.log2(4)
    ideal = 2 / math.log2(2) + 1 / math.log2(3)
    assert mean_ndcg(scores, relevance, np.zeros(3, np.int64)) == pytest.approx(gained / ideal)


def test_queries_are_ranked_apart_and_empty_ones_do_not_count() -> None:
    scores = np.array([1.0, 2.0, 9.0, 8.0, 1.0])
    relevance = np.array([0.0, 5.0, 0.0, 0.0, 0.0])
    assert mean_ndcg(scores, relevance, np.array([1, 1, 2, 2, 2])) == 1.0
    assert mean_ndcg(scores, np.zeros(5), np.array([1, 1, 2, 2, 2])) == 0.0


def test_feature_that_ranks_right_gets_the_weight() -> None:
    rng = np.random.default_rng(2)
    features = np.column_stack([rng.random((400, 4)), np.ones((400, 31))])
    yields = np.floor(10 * features[:, 1])
    weights = fit(Examples(features, yields, np.repeat(np.arange(20), 20)))
    scores = features @ np.array(weights[1:])
    assert np.corrcoef(scores, features[:, 1])[0, 1] > 0.95
    assert len(weights) == 36
    assert weights[5:] == (0.0,) * 31
