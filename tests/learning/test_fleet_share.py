"""Sharing a night's requests between sites: fairly first, the rest by the bandit."""

from collections.abc import Sequence

import pytest

from crawler.learning.fleet_share import (
    Arm,
    Fairness,
    Portion,
    Visit,
    decayed,
    evidence,
    share,
)
from crawler.learning.group_bandit import Exploration
from crawler.learning.group_score import Score

NO_CHANCE = Exploration(first=0.0)
RICH = Arm("rich", good=500, bad=500, best=0.2, max_requests=10_000)
POOR = Arm("poor", good=5, bad=995, best=0.9, max_requests=10_000)
SMALL = Arm("small", good=9, bad=1, best=0.5, max_requests=300)


def by_bandit(
    arms: Sequence[Arm],
    requests: int,
    score: Score = Score.SUCCESS_RATE,
    exploration: Exploration | None = None,
    before: float = 0,
    seed: str = "a",
) -> dict[str, int]:
    """Paper 001 alone."""
    portions = share(
        arms,
        requests,
        score=score,
        exploration=exploration,
        fairness=Fairness(floor=0.0, first=0),
        requests_before=before,
        seed=seed,
    )
    return {name: portion.requests for name, portion in portions.items()}


def test_all_requests_are_shared_out() -> None:
    shared = by_bandit([RICH, POOR, SMALL], 5000)
    assert sum(shared.values()) == 5000
    assert min(shared.values()) > 0


def test_without_chance_the_best_site_gets_all_it_can_use() -> None:
    shared = by_bandit([POOR, RICH, SMALL], 5000, exploration=NO_CHANCE)
    assert shared == {"poor": 0, "rich": 4700, "small": 300}


def test_no_site_gets_more_than_it_can_use() -> None:
    assert by_bandit([SMALL], 5000) == {"small": 300}
    rests = Arm("rests", 0, 0, 1.0, 0, need=50, is_new=True)
    assert share([rests], 5000) == {"rests": Portion()}
    assert share([], 5000) == {}
    everything = share([SMALL, RICH], 20_000)
    assert {name: p.requests for name, p in everything.items()} == {"small": 300, "rich": 10_000}


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
    shared = by_bandit([RICH, POOR], 5000, score, NO_CHANCE)
    assert max(shared, key=lambda name: shared[name]) == winner


def test_random_share_decays_with_the_requests_that_were_made() -> None:
    arms = [RICH, *(Arm(f"poor-{number}", 1, 999, 0.1, 10_000) for number in range(9))]
    young = by_bandit(arms, 10_000)
    old = by_bandit(arms, 10_000, before=10**6)
    assert young["rich"] < old["rich"] < 10_000


@pytest.mark.parametrize("score", list(Score))
def test_same_seed_shares_alike_whatever_the_order(score: Score) -> None:
    arms = [RICH, POOR, SMALL]
    first = share(arms, 3000, score=score, seed="0 2026-11-16")
    assert share(arms[::-1], 3000, score=score, seed="0 2026-11-16") == first
    assert share(arms, 3000, score=score, seed="0 2026-11-17") != first


@pytest.mark.parametrize("score", list(Score))
@pytest.mark.parametrize("requests", [1000, 20_000])
def test_floor_is_an_equal_part_of_a_share_of_the_requests(score: Score, requests: int) -> None:
    arms = [Arm(f"s{n:02}", n, 1000 - n, n / 50, 20_000) for n in range(50)]
    portions = share(arms, requests, score=score, exploration=NO_CHANCE, fairness=Fairness(0.2))
    floor = requests // 250
    assert {portion.floor for portion in portions.values()} == {floor}
    assert min(portion.requests for portion in portions.values()) >= floor
    assert sum(portion.requests for portion in portions.values()) == requests
    assert not any(portion.is_starved for portion in portions.values())


def test_fewer_requests_than_sites_go_to_sites_at_random() -> None:
    arms = [Arm(f"s{n:02}", n, 1000 - n, n / 50, 20_000) for n in range(50)]
    served = []
    for night in "ab":
        portions = share(arms, 20, seed=night)
        served.append({name for name, portion in portions.items() if portion.requests == 1})
        assert len(served[-1]) == 20
        assert sum(portion.is_starved for portion in portions.values()) == 30
    assert served[0] != served[1]


def test_needs_of_revisits_come_before_new_sites_and_scores() -> None:
    known = [Arm(f"known{n}", 0, 100, 0.1, 1000, need=400) for n in range(3)]
    new = Arm("new", 0, 0, 1.0, 20_000, is_new=True)
    rich = Arm("rich", 900, 100, 0.5, 20_000)
    enough = share([*known, new, rich], 3000, fairness=Fairness(0.1, 500), exploration=NO_CHANCE)
    assert [enough[arm.name].requests for arm in known] == [400, 400, 400]
    assert enough["new"].requests == 500
    assert enough["rich"].requests == 1300
    scarce = share([*known, new, rich], 1000, fairness=Fairness(0.1, 500), exploration=NO_CHANCE)
    # A floor of 20 for each of five, and the same share of what is missing for the three.
    assert [scarce[arm.name].requests for arm in known] == [320, 320, 320]
    assert (scarce["new"].requests, scarce["rich"].requests) == (20, 20)
    assert [scarce[arm.name].is_starved for arm in known] == [True, True, True]
    assert not scarce["rich"].is_starved


def test_new_sites_come_in_random_order_when_requests_are_scarce() -> None:
    arms = [Arm(f"new{n}", 0, 0, 1.0, 20_000, is_new=True) for n in range(10)]
    first = set()
    for night in range(10):
        portions = share(arms, 600, fairness=Fairness(0.1, 500), seed=str(night))
        first.add(max(portions, key=lambda name: portions[name].requests))
    assert len(first) > 3


def test_visit_counts_by_its_cost_whatever_its_size() -> None:
    small = evidence([Visit(0, 10, 5)], half_life=14)
    assert small == evidence([Visit(0, 1_000_000, 500_000)], half_life=14) == (50, 50)
    assert evidence([Visit(0, 0, 0)], half_life=14) == (0, 0)
    assert evidence([Visit(0, 5, 9)], half_life=14) == (100, 0)


def test_old_visits_count_less() -> None:
    assert decayed(8.0, 28, half_life=14) == 2.0
    assert decayed(8.0, -3, half_life=14) == 8.0
    good, bad = evidence([Visit(0, 100, 0), Visit(28, 100, 100)], half_life=14)
    assert (good, bad) == (25, 100)
