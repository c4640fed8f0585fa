"""One crawl over a measured site."""

import pytest

from crawler.lab.entrant import read_entrant
from crawler.lab.measured_run import Run, SiteTruth, measure, site_for, truth_of
from crawler.lab.oracles.config import LAB_STRATEGIES

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def truth() -> SiteTruth:
    return truth_of("demo:60:3")


def run(truth: SiteTruth, strategy: str, seed: int = 0):
    return measure(Run(truth, read_entrant(strategy), seed))


def test_truth_is_what_a_whole_crawl_finds(truth):
    measured = run(truth, "bfs")
    assert measured.targets == truth.targets
    last = measured.curve[-1]
    assert (last.requests, last.targets) == (measured.requests, truth.targets)
    assert last.target_bytes == truth.volumes.target
    # Besides the pages robots.txt was read.
    assert truth.volumes.other <= last.other_bytes <= truth.volumes.other * 1.05


def test_no_budget_ends_a_crawl_in_the_lab():
    """A made site of a million pages has more bytes than a run may receive by default."""
    budget = site_for("https://stat.example/", seed=0).budget
    assert budget.bytes is None
    assert budget.requests >= 10**9


@pytest.mark.parametrize("name", LAB_STRATEGIES)
def test_every_strategy_finds_every_target(truth, name):
    measured = run(truth, name)
    assert measured.targets == truth.targets
    assert measured.requests_to_share is not None
    assert measured.requests_to_share <= measured.requests
    assert measured.other_bytes_to_share is not None
    assert measured.cpu_seconds > 0
    assert measured.peak_bytes > 10_000_000


def test_share_is_reached_where_the_curve_says(truth):
    measured = run(truth, "bfs")
    before = [p.targets for p in measured.curve if p.requests < measured.requests_to_share]
    after = [p.targets for p in measured.curve if p.requests >= measured.requests_to_share]
    assert max(before) < 0.9 * truth.targets <= min(after)


def test_a_run_that_ends_with_the_last_target_tells_the_same_with_fewer_requests(truth):
    whole = run(truth, "tallyho")
    part = measure(Run(truth, read_entrant("tallyho"), 0, to_the_end=False))
    assert part.requests < whole.requests
    assert part.targets == truth.targets
    assert part.curve[-1].targets == truth.targets
    for figure in ("requests_to_share", "other_bytes_to_share", "milestones", "area"):
        assert getattr(part, figure) == getattr(whole, figure), figure


def test_same_seed_gives_the_same_run_and_another_one_does_not(truth):
    curves = [run(truth, "random", seed).curve for seed in (1, 1, 2)]
    assert curves[0] == curves[1]
    assert curves[0] != curves[2]


def test_oracle_saves_the_heads_and_the_dead_links(truth):
    plain, oracle = run(truth, "sb"), run(truth, "sb-oracle")
    assert plain.heads > 0
    assert oracle.heads == 0
    assert oracle.requests < plain.requests


def test_groups_come_with_their_rewards_the_best_first(truth):
    groups = run(truth, "sb").groups
    means = [group.mean for group in groups]
    assert 2 < len(means) <= 10
    assert means == sorted(means, reverse=True)
    assert means[0] > 1
    # Beside places in pages there are the site's sitemap and its entries.
    assert sum(group.path.startswith("html") for group in groups) > 1
    assert all(group.path and group.selections for group in groups)
    assert run(truth, "bfs").groups == ()


def test_sample_of_a_small_site_is_at_most_a_fifth_of_it(truth):
    fifth = truth.available // 5
    assert run(truth, f"dom-off:sample={fifth}").curve == run(truth, "dom-off").curve
    # The sitemap names every page, so that a smaller sample shows in the groups alone.
    assert run(truth, f"dom-off:sample={fifth // 4}").groups != run(truth, "dom-off").groups


def test_parameters_reach_the_run(truth):
    assert run(truth, "sb:b=3").heads < run(truth, "sb").heads
