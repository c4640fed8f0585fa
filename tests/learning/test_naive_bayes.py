"""Naive Bayes beside the one of river, and its saving."""

import math
import random

import numpy as np
import pytest
from river.naive_bayes import MultinomialNB

from crawler.learning.naive_bayes import NaiveBayes, Rows

FEATURES = 300


def stream(seed: int, length: int) -> list[tuple[list[int], bool]]:
    """Examples whose first features tell their class, mostly."""
    rng = random.Random(seed)
    examples = []
    for _ in range(length):
        relevant = rng.random() < 0.3
        start = 0 if relevant == (rng.random() < 0.9) else 100
        telling = rng.sample(range(start, start + 40), 3)
        examples.append((sorted({*telling, *rng.sample(range(200, FEATURES), 3)}), relevant))
    return examples


def row(features: list[int]) -> Rows:
    return np.array([*features, *[FEATURES] * (12 - len(features))], dtype=np.uint16)


@pytest.mark.parametrize("seed", range(3))
def test_answers_are_those_of_river(seed):
    ours, theirs = NaiveBayes(FEATURES), MultinomialNB()
    for features, relevant in stream(seed, 400):
        x = dict.fromkeys(features, 1)
        if len(theirs.class_counts) == 2:
            odds = ours.log_odds(row(features)[None])[0]
            expected = theirs.joint_log_likelihood(x)
            assert odds == pytest.approx(expected[True] - expected[False], abs=1e-9)
        else:
            assert ours.log_odds(row(features)[None])[0] == 0.0
        ours.learn(row(features), relevant=relevant)
        theirs.learn_one(x, relevant)


def test_it_learns():
    model, right = NaiveBayes(FEATURES), 0
    examples = stream(5, 1000)
    for features, relevant in examples:
        right += (model.log_odds(row(features)[None])[0] > 0) == relevant
        model.learn(row(features), relevant=relevant)
    assert right > 800


def test_saved_model_answers_and_learns_as_the_one_that_lived():
    living, saved = NaiveBayes(FEATURES), {}
    resumed = NaiveBayes(FEATURES)
    for number, (features, relevant) in enumerate(stream(7, 300)):
        living.learn(row(features), relevant=relevant)
        changed = dict(living.take_changed())
        assert len(changed) <= 7
        saved |= changed
        if number % 50 == 49:
            resumed = NaiveBayes(FEATURES)
            for name, value in saved.items():
                resumed.load(name, value)
            resumed.loaded()
            rows = np.stack([row(features) for features, _ in stream(8, 20)])
            assert resumed.log_odds(rows).tolist() == living.log_odds(rows).tolist()
    assert dict(living.take_changed()) == {}
    assert resumed.examples == living.examples


def test_confidence_of_one_link_does_not_depend_on_the_others_asked_for():
    model = NaiveBayes(FEATURES)
    for features, relevant in stream(1, 100):
        model.learn(row(features), relevant=relevant)
    rows = np.stack([row(features) for features, _ in stream(2, 33)])
    assert model.log_odds(rows).tolist() == [model.log_odds(one[None])[0] for one in rows]
    assert not math.isnan(model.log_odds(rows).sum())
