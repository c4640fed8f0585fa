"""The host bandit of paper 001, which shares requests between sites."""

import pytest

from crawler.learning.host_bandit import Arm, Exploration, Score, share, success_rate

NO_CHANCE = Exploration(first=0.0)
RICH = Arm("rich", good=500, bad=500, best=0.2, max_requests=10_000)
POOR = Arm("poor", good=5, bad=995, best=0.9, max_requests=10_000)
SMALL = Arm("small", good=9, bad=1, best=0.5, max_requests=300)


def test_all_requests_are_shared_out() -> None:
    shared = share([RICH, POOR, SMALL], 5000, seed="a")
    assert sum(shared.values()) == 5000
    assert min(shared.values()) > 0


def test_without_chance_the_best_site_gets_all_it_can_use() -> None:
    shared = share([POOR, RICH, SMALL], 5000, exploration=NO_CHANCE)
    assert shared == {"poor": 0, "rich": 4700, "small": 300}


def test_no_site_gets_more_than_it_can_use() -> None:
    assert share([SMALL], 5000) == {"small": 300}
    assert share([Arm("rests", 0, 0, 1.0, 0)], 5000) == {"rests": 0}
    assert share([], 5000) == {}


def test_unknown_site_is_tried_before_those_that_gave_less_than_half() -> None:
    new = Arm("new", 0, 0, 1.0, 1000)
    assert success_rate(new) == 1.0
    assert share([new, POOR], 1000, exploration=NO_CHANCE)["new"] == 1000


@pytest.mark.parametrize(
    ("score", "winner"),
    [
        (Score.SUCCESS_RATE, "rich"),
        (Score.NEGATIVE_ABSOLUTE_BAD, "rich"),
        (Score.BEST_SCORE, "poor"),
        (Score.ABSOLUTE_GOOD_BEST_SCORE, "rich"),
        (Score.SUCCESS_RATE_BEST_SCORE, "rich"),
        (Score.THOMPSON_SAMPLING, "rich"),
        (Score.THOMPSON_SAMPLING_BEST_SCORE, "rich"),
    ],
)
def test_each_score_has_its_winner(score: Score, winner: str) -> None:
    shared = share([RICH, POOR], 5000, score=score, exploration=NO_CHANCE, seed="a")
    assert max(shared, key=lambda name: shared[name]) == winner


def test_random_share_decays_with_the_requests_that_were_made() -> None:
    exploration = Exploration(first=0.5, decay=10_000)
    assert exploration.at(0) == 0.5
    assert exploration.at(10_000) == 0.25
    assert Exploration(0.5, 10_000, requests_before=90_000).at(0) == pytest.approx(0.05)
    arms = [RICH, *(Arm(f"poor-{number}", 1, 999, 0.1, 10_000) for number in range(9))]
    young = share(arms, 10_000, seed="a")
    old = share(arms, 10_000, exploration=Exploration(requests_before=10**6), seed="a")
    assert young["rich"] < old["rich"] < 10_000


@pytest.mark.parametrize("score", list(Score))
def test_same_seed_shares_alike_whatever_the_order(score: Score) -> None:
    arms = [RICH, POOR, SMALL]
    first = share(arms, 3000, score=score, seed="0 2026-11-16")
    assert share(arms[::-1], 3000, score=score, seed="0 2026-11-16") == first
    assert share(arms, 3000, score=score, seed="0 2026-11-17") != first
