"""The bandit of paper 001: its seven scores, its decay, and Algorithm 1."""

from collections import Counter

import numpy as np
import pytest

from crawler.learning.group_bandit import Exploration, GroupBandit, scores, success_rate
from crawler.learning.group_score import Score

GOOD = np.array([3.0, 0.0, 10.0])
BAD = np.array([1.0, 0.0, 39.0])
BEST = np.array([0.5, 0.25, 0.9])
NO_CHANCE = Exploration(first=0.0)


def scored(score: Score) -> list[float]:
    return scores(score, GOOD, BAD, BEST, np.random.default_rng(1)).tolist()


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (Score.NEGATIVE_ABSOLUTE_BAD, [-1, 0, -39]),
        (Score.BEST_SCORE, [0.5, 0.25, 0.9]),
        (Score.SUCCESS_RATE, [4 / 2, 1 / 1, 11 / 40]),
        (Score.ABSOLUTE_GOOD_BEST_SCORE, [1.5, 0, 9]),
        (Score.SUCCESS_RATE_BEST_SCORE, [4 / 2 * 0.5, 0.25, 11 / 40 * 0.9]),
    ],
)
def test_scores_that_draw_nothing(score, expected):
    assert scored(score) == pytest.approx(expected)


def test_thompson_sampling_draws_from_a_beta_distribution_of_good_and_bad():
    draws = np.random.default_rng(1)
    many = np.stack(
        [scores(Score.THOMPSON_SAMPLING, GOOD, BAD, BEST, draws) for _ in range(20_000)]
    )
    alpha, beta = GOOD + 1, BAD + 1
    mean = alpha / (alpha + beta)
    deviation = np.sqrt(mean * (1 - mean) / (alpha + beta + 1))
    assert many.mean(axis=0) == pytest.approx(mean, abs=0.01)
    assert many.std(axis=0) == pytest.approx(deviation, abs=0.01)


def test_thompson_sampling_times_best_is_the_same_draw_times_the_best():
    alone = np.array(scored(Score.THOMPSON_SAMPLING))
    assert scored(Score.THOMPSON_SAMPLING_BEST_SCORE) == pytest.approx(alone * BEST)


def test_unknown_group_has_a_success_rate_of_one():
    assert success_rate(0, 0) == 1.0


def test_random_share_decays_linearly():
    exploration = Exploration(first=0.5, decay=10_000)
    assert exploration.at(0) == 0.5
    assert exploration.at(10_000) == 0.25
    assert exploration.at(90_000) == pytest.approx(0.05)


def test_random_share_without_decay_stays():
    assert Exploration(first=0.2, decay=None).at(10**6) == 0.2


def bandit_of(score: Score, exploration: Exploration) -> GroupBandit:
    bandit = GroupBandit(score, exploration)
    for group in range(3):
        bandit.record(group, GOOD[group], BAD[group])
        bandit.wake(group, BEST[group])
    return bandit


def test_algorithm_1_without_chance_takes_the_best_group_that_has_members():
    bandit, draws = bandit_of(Score.SUCCESS_RATE, NO_CHANCE), np.random.default_rng(1)
    assert {bandit.choose(t, draws) for t in range(50)} == {0}
    bandit.sleep(0)
    assert {bandit.choose(t, draws) for t in range(50)} == {1}
    bandit.record(1, bad=9)
    assert {bandit.choose(t, draws) for t in range(50)} == {2}
    bandit.sleep(1)
    bandit.sleep(2)
    assert bandit.choose(50, draws) is None


def test_algorithm_1_takes_a_random_group_with_probability_lambda_t():
    bandit, draws = bandit_of(Score.SUCCESS_RATE, Exploration(0.6, 100)), np.random.default_rng(1)
    rounds = 30_000
    first = Counter(bandit.choose(0, draws) for _ in range(rounds))
    assert first[1] / rounds == pytest.approx(0.6 / 3, abs=0.01)
    assert first[0] / rounds == pytest.approx(0.4 + 0.6 / 3, abs=0.01)
    later = Counter(bandit.choose(200, draws) for _ in range(rounds))
    assert later[1] / rounds == pytest.approx(0.2 / 3, abs=0.01)


def test_equal_groups_are_chosen_alike():
    bandit, draws = GroupBandit(Score.SUCCESS_RATE, NO_CHANCE), np.random.default_rng(1)
    for group in range(4):
        bandit.wake(group, 0.5)
    chosen = Counter(bandit.choose(0, draws) for _ in range(8000))
    assert all(chosen[group] == pytest.approx(2000, rel=0.1) for group in range(4))


def test_more_groups_than_were_reserved_at_first():
    bandit, draws = GroupBandit(Score.BEST_SCORE, NO_CHANCE), np.random.default_rng(1)
    for group in range(1000):
        bandit.wake(group, group / 1000)
    assert len(bandit) == 1000
    assert bandit.choose(0, draws) == 999
