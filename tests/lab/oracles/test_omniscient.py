"""The omniscient crawler (paper 000, Section IV-C (iv)): targets one after the other."""

import pytest

from crawler.lab.entrant import read_entrant
from crawler.lab.measured_run import Run, measure, truth_of
from crawler.lab.oracles.config import LAB_STRATEGIES
from crawler.lab.oracles.omniscient import Omniscient
from crawler.pages.mime import UrlClass
from crawler.strategies.interface import Placement
from tests.strategies.saved_crawl import candidate


def oracle(url: str) -> UrlClass:
    return UrlClass.TARGET if url.endswith(".csv") else UrlClass.HTML


def test_it_takes_targets_and_follows_no_page():
    strategy = Omniscient(oracle)
    links = [candidate(1), candidate(2, url="https://stat.example/2.csv")]
    assert strategy.place(links) == [Placement.QUEUE, Placement.FETCH]
    strategy.queue(links)
    assert strategy.next_link(1) is None


def test_it_needs_one_request_per_target_besides_robots_and_the_start_page():
    truth = truth_of("demo:60:3")
    measured = measure(Run(truth, read_entrant("omniscient"), seed=0))
    assert measured.targets == truth.targets
    assert measured.requests == truth.targets + 2


@pytest.mark.slow
def test_no_other_strategy_needs_fewer_requests():
    truth = truth_of("demo:60:3")
    best = measure(Run(truth, read_entrant("omniscient"), seed=0)).requests_to_share
    assert best is not None
    names = [name for name in LAB_STRATEGIES if name != "omniscient"]
    assert len(names) >= 7
    for name in names:
        measured = measure(Run(truth, read_entrant(name), seed=0))
        assert measured.requests_to_share is not None
        assert measured.requests_to_share > best, name
