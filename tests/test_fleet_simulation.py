"""The simulated fleet: the bandit of paper 001 alone starves sites, the fleet starves none."""

import random
from copy import deepcopy

import pytest

from benchmarks.fleet import as_the_fleet, as_the_paper, main
from benchmarks.simulated_fleet import SimulatedSite, made_sites, simulate
from crawler.learning.fleet_share import Fairness
from crawler.learning.group_score import Score


def test_fleet_starves_no_site_and_finds_nearly_as_much():
    sites, requests, fairness = made_sites(80, seed=5), 6000, Fairness()
    floor = int(fairness.floor * requests / len(sites))
    score = Score.SUCCESS_RATE
    paper = simulate(deepcopy(sites), 30, floor, as_the_paper(score, requests, 1), 1)
    fleet = simulate(deepcopy(sites), 30, floor, as_the_fleet(score, requests, 1, fairness), 1)
    assert paper.below_floor > 500
    assert (fleet.below_floor, fleet.starved, fleet.longest_wait) == (0, 0, 0)
    assert fleet.new_files > 0.9 * paper.new_files


def test_site_gives_its_files_once():
    site = SimulatedSite("s", 1000, 0.5, 3.0, 50, 0)
    found = [site.visit(night, 250) for night in range(4)]
    assert found == sorted(found, reverse=True)
    assert (sum(found), site.complete) == (500, True)
    assert site.visit(4, 50) == 0
    site.publish(random.Random(1))
    waiting = site.waiting
    assert site.visit(5, 50) == waiting > 0
    assert site.waiting == 0


def test_command_prints_a_row_for_every_score(capsys: pytest.CaptureFixture[str]):
    main(["--sites", "10", "--nights", "3", "--requests", "300"])
    printed = capsys.readouterr().out
    assert all(f"| {score} | fleet |" in printed for score in Score)
    assert all(f"| {score} | paper |" in printed for score in Score)
