"""The sleeping bandit: the AUER score of Section III-C (paper 000)."""

from math import log, sqrt

import pytest

from crawler.learning.bandit import EPSILON, Arm, SleepingBandit


def awake(*arms: tuple[int, float], alpha: float = 2 * sqrt(2)) -> SleepingBandit:
    """A bandit with these selections and sums of rewards, all awake."""
    bandit = SleepingBandit(alpha)
    for action, (selections, reward) in enumerate(arms):
        bandit.load(action, Arm(selections, reward))
        bandit.set_awake(action, True)
    return bandit


def test_score_is_mean_reward_plus_exploration() -> None:
    scores = awake((4, 10.0), (1, 0.0), (25, 5.0)).scores(100)
    assert scores.tolist() == pytest.approx(
        [
            2.5 + 2 * sqrt(2) * sqrt(log(100) / (4 + EPSILON)),
            0.0 + 2 * sqrt(2) * sqrt(log(100) / (1 + EPSILON)),
            0.2 + 2 * sqrt(2) * sqrt(log(100) / (25 + EPSILON)),
        ]
    )
    # The same, in figures: log 100 = 4.60517, 2·sqrt(2) = 2.82843.
    assert scores.tolist() == pytest.approx([5.53485, 6.06971, 1.41394], abs=1e-4)


def test_alpha_weighs_exploration() -> None:
    assert awake((4, 10.0), (1, 0.0), alpha=0.0).scores(100).tolist() == [2.5, 0.0]
    assert awake((4, 10.0), (1, 0.0), alpha=0.0).choose(100) == 0
    assert awake((4, 10.0), (1, 0.0)).choose(100) == 1


def test_default_alpha_is_the_one_of_the_paper() -> None:
    assert SleepingBandit().alpha == pytest.approx(2.8284271)


def test_nothing_to_choose_without_actions() -> None:
    assert SleepingBandit().choose(10) is None


def test_exploration_is_nothing_at_the_first_step() -> None:
    assert awake((0, 0.0), (2, 3.0)).scores(1).tolist() == [0.0, 1.5]
    assert awake((0, 0.0), (2, 3.0)).scores(0).tolist() == [0.0, 1.5]


def test_never_selected_action_comes_first() -> None:
    bandit = awake((50, 5000.0), (0, 0.0), (3, 90.0))
    assert bandit.choose(2) == 1
    bandit.select(1)
    assert bandit.choose(3) == 0


def test_tie_goes_to_the_lowest_number() -> None:
    bandit = awake((3, 1.0), (2, 4.0), (2, 4.0), (2, 4.0))
    assert bandit.choose(50) == 1
    bandit.set_awake(1, False)
    assert bandit.choose(50) == 2


def test_only_awake_actions_are_chosen() -> None:
    bandit = awake((1, 100.0), (1, 10.0), (1, 1.0))
    bandit.set_awake(0, False)
    assert bandit.choose(20) == 1
    bandit.set_awake(1, False)
    assert bandit.choose(20) == 2
    bandit.set_awake(2, False)
    assert bandit.choose(20) is None


def test_awake_action_without_any_score_wins_over_sleeping_ones() -> None:
    bandit = awake((1, 100.0), (7, 0.0), alpha=0.0)
    bandit.set_awake(0, False)
    assert bandit.choose(20) == 1


def test_action_that_wakes_up_has_kept_what_it_knew() -> None:
    bandit = awake((4, 40.0), (4, 4.0))
    bandit.set_awake(0, False)
    assert bandit.choose(20) == 1
    bandit.set_awake(0, True)
    assert bandit.choose(20) == 0
    assert bandit.arm(0) == Arm(4, 40.0)


def test_selection_counts_when_it_is_made_so_that_dead_links_fade() -> None:
    bandit = awake((1, 6.0), (1, 2.0))
    chosen = []
    for t in range(3, 15):
        action = bandit.choose(t)
        assert action is not None
        bandit.select(action)  # no reward ever comes: all links are dead
        chosen.append(action)
    assert chosen[0] == 0
    assert 1 in chosen
    dead = bandit.arm(0).selections
    assert bandit.scores(14)[0] < 6.0
    assert bandit.arm(0) == Arm(dead, 6.0)
    assert dead == 1 + chosen.count(0)


def test_mean_reward_is_the_running_mean_of_algorithm_4() -> None:
    bandit = SleepingBandit(alpha=0.0)
    mean = 0.0
    for count, reward in enumerate([3, 0, 7, 1, 0], start=1):
        bandit.select(0)
        bandit.reward(0, reward)
        mean += (reward - mean) / count
        assert bandit.scores(9)[0] == pytest.approx(mean)
    assert bandit.arm(0) == Arm(5, 11.0)


def test_reward_changes_its_action_alone() -> None:
    bandit = awake((2, 1.0), (2, 1.0))
    bandit.reward(1, 4)
    assert [bandit.arm(0), bandit.arm(1)] == [Arm(2, 1.0), Arm(2, 5.0)]


def test_new_action_sleeps_until_it_is_woken() -> None:
    bandit = SleepingBandit()
    bandit.select(0)
    assert bandit.choose(5) is None
    bandit.set_awake(0, True)
    assert bandit.choose(5) == 0


def test_unknown_action_has_an_empty_arm() -> None:
    assert SleepingBandit().arm(7) == Arm(0, 0.0)


def test_hundreds_of_actions() -> None:
    bandit = SleepingBandit()
    for action in range(300):
        bandit.set_awake(action, True)
        bandit.select(action)
        bandit.reward(action, action)
    assert len(bandit) == 300
    assert bandit.choose(1000) == 299
    assert [bandit.arm(action) for action in range(300)] == [Arm(1, a) for a in range(300)]
    for action in range(40, 300):
        bandit.set_awake(action, False)
    assert bandit.choose(1000) == 39


def test_far_action_may_come_first() -> None:
    bandit = SleepingBandit()
    bandit.set_awake(1000, True)
    assert len(bandit) == 1001
    assert bandit.choose(5) == 1000


def test_reloaded_bandit_scores_and_chooses_as_the_living_one() -> None:
    living, reloaded = SleepingBandit(), SleepingBandit()
    for step in range(400):
        action = (step * step) % 90
        living.select(action)
        living.reward(action, step % 7)
        living.set_awake(action, step % 3 > 0)
    for action in range(len(living)):
        reloaded.load(action, living.arm(action))
    assert reloaded.choose(400) is None
    for action in range(len(living)):
        for bandit in (living, reloaded):
            bandit.set_awake(action, action % 4 == 1)
    assert reloaded.scores(400).tolist() == living.scores(400).tolist()
    assert reloaded.choose(400) == living.choose(400)
    assert living.choose(400) is not None


def test_mean_of_rewarded_leaves_out_selections_that_came_to_nothing() -> None:
    """Algorithm 4 returns from a dead link before it updates the mean."""
    literal, counting = SleepingBandit(mean_of_rewarded=True), SleepingBandit()
    for bandit in (literal, counting):
        for reward in (4, None, 0, None):
            bandit.select(0)
            if reward is not None:
                bandit.reward(0, reward)
    assert (literal.scores(1)[0], counting.scores(1)[0]) == (2.0, 1.0)
    loaded = SleepingBandit(mean_of_rewarded=True)
    loaded.load(0, literal.arm(0), literal.rewarded(0))
    assert loaded.scores(1)[0] == 2.0
    before = SleepingBandit(mean_of_rewarded=True)
    before.load(0, literal.arm(0))
    assert before.scores(1)[0] == 1.0, "an earlier version counted every selection"
