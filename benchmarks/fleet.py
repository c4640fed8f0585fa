"""What a fair fleet finds and whom it starves, beside paper 001 alone.

`python -m benchmarks.fleet` simulates 500 sites over 60 nights for every score function: as the
paper has it (raw counts, no floor), and as the fleet shares (floor, revisits first, new sites
first, success per visit, decay by time). Every row sees the same sites and the same publications.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from copy import deepcopy

from benchmarks.simulated_fleet import Outcome, Sharing, SimulatedSite, made_sites, simulate
from crawler.learning.fleet_share import Fairness, decayed, evidence, share
from crawler.learning.group_bandit import Exploration
from crawler.learning.group_score import Score

HALF_LIFE = 14.0
MIN_YIELD = 0.95


def as_the_paper(score: Score, requests: int, seed: int) -> Sharing:
    """Raw counts of the last runs, and requests ever made: the bandit alone."""
    spent = 0

    def sharing(night: int, sites: Sequence[SimulatedSite]) -> Mapping[str, int]:
        nonlocal spent
        arms = []
        for site in sites:
            good = sum(new for _, _, new in site.visits)
            arms.append(site.arm(good, max(0, sum(cost for _, cost, _ in site.visits) - good)))
        portions = share(
            arms,
            requests,
            score=score,
            fairness=Fairness(floor=0.0, first=0),  # paper 001 alone
            requests_before=spent,
            seed=f"{seed} {night}",
        )
        given = {name: portion.requests for name, portion in portions.items()}
        spent += sum(given.values())
        return given

    return sharing


def as_the_fleet(score: Score, requests: int, seed: int, fairness: Fairness) -> Sharing:
    """What `crawler/pipeline/night/fleet.py` does."""
    spent: list[tuple[int, int]] = []

    def sharing(night: int, sites: Sequence[SimulatedSite]) -> Mapping[str, int]:
        arms = [site.arm(*evidence(site.history(night), HALF_LIFE)) for site in sites]
        portions = share(
            arms,
            requests,
            score=score,
            exploration=Exploration(),
            fairness=fairness,
            requests_before=sum(decayed(cost, night - then, HALF_LIFE) for then, cost in spent),
            seed=f"{seed} {night}",
        )
        given = {name: portion.requests for name, portion in portions.items()}
        spent.append((night, sum(given.values())))
        return given

    return sharing


def compare(
    sites: int, nights: int, requests: int, seed: int, fairness: Fairness
) -> dict[tuple[Score, str], Outcome]:
    """Every score, without and with fairness."""
    made = made_sites(sites, seed)
    floor = int(fairness.floor * requests / sites)
    outcomes = {}
    for score in Score:
        ways = {
            "paper": as_the_paper(score, requests, seed),
            "fleet": as_the_fleet(score, requests, seed, fairness),
        }
        for name, sharing in ways.items():
            outcomes[score, name] = simulate(deepcopy(made), nights, floor, sharing, seed)
    return outcomes


def _row(score: Score, name: str, outcome: Outcome, best: int) -> str:
    cells = [
        score.value,
        name,
        f"{outcome.new_files:,}",
        f"{outcome.new_files / best:.2f}",
        f"{outcome.requests:,}",
        f"{outcome.below_floor:,}",
        str(outcome.never_visited),
        str(outcome.starved),
        str(outcome.longest_wait),
    ]
    return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 when the fleet starves a site or finds too little."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.fleet")
    parser.add_argument("--sites", type=int, default=500)
    parser.add_argument("--nights", type=int, default=60)
    parser.add_argument("--requests", type=int, default=40_000, help="of one night")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--floor", type=float, default=Fairness().floor)
    chosen = parser.parse_args(arguments)
    outcomes = compare(
        chosen.sites, chosen.nights, chosen.requests, chosen.seed, Fairness(floor=chosen.floor)
    )
    best = max(found.new_files for (_, name), found in outcomes.items() if name == "paper")
    print(
        "| score | shared as | new files | of the paper's best | requests | nights of sites under "
        "the floor | never visited | without requests for a week | longest wait in nights |"
    )
    print(f"|{'---|' * 9}")
    for (score, name), found in outcomes.items():
        print(_row(score, name, found, best))
    ours = outcomes[Score.SUCCESS_RATE, "fleet"]
    fair = not any(found.below_floor for (_, name), found in outcomes.items() if name == "fleet")
    return 0 if fair and ours.new_files >= MIN_YIELD * best else 1


if __name__ == "__main__":
    sys.exit(main())
