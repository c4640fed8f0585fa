"""SB-ORACLE (paper 000, Section IV-E): the sleeping bandit that knows every URL's class."""

from crawler.lab.oracles.config import SbOracleConfig
from crawler.lab.oracles.make import make_lab_strategy
from crawler.lab.oracles.sb_oracle import SleepingBanditWithOracle
from crawler.pages.mime import UrlClass
from crawler.strategies.interface import Candidate, Placement


def oracle(url: str) -> UrlClass:
    """The truth is in the last letters of these URLs, where no classifier would look for it."""
    ending = url.rpartition("/")[2][:1]
    return {"h": UrlClass.HTML, "t": UrlClass.TARGET}.get(ending, UrlClass.NEITHER)


def make(seed: int = 1) -> SleepingBanditWithOracle:
    strategy = make_lab_strategy(SbOracleConfig(), seed, oracle)
    assert isinstance(strategy, SleepingBanditWithOracle)
    return strategy


def link(number: int, kind: str, path: str = "html body ul li a") -> Candidate:
    return Candidate(number, f"https://stat.example/{kind}{number}", 1, path)


def test_classes_are_known_from_the_first_link_on_without_a_question():
    placed = make().place([link(1, "h"), link(2, "t"), link(3, "n")])
    assert placed == [Placement.QUEUE, Placement.FETCH, Placement.QUEUE]


def test_what_it_learns_of_urls_changes_no_placement():
    strategy = make()
    before = strategy.opinion
    for number in range(40):
        strategy.learn(Candidate(0, f"https://stat.example/t{number}", 1, "html a"), UrlClass.HTML)
        strategy.head_refused()
    assert strategy.place([link(1, "t")]) == [Placement.FETCH]
    assert strategy.opinion == before


def test_links_that_are_neither_are_never_followed():
    strategy = make()
    strategy.queue([link(1, "n"), link(2, "h"), link(3, "n"), link(4, "h")])
    followed = [strategy.next_link(t) for t in range(1, 4)]
    assert {selection.link for selection in followed if selection} == {2, 4}
    assert followed[-1] is None


def test_actions_are_chosen_by_their_rewards_as_sb_does():
    strategy = make()
    rich, poor = "html body ul.data li a", "html body footer#f p span a"
    strategy.queue([link(n, "h", rich) for n in range(1, 40)])
    strategy.queue([link(n, "h", poor) for n in range(40, 80)])
    followed = []
    for t in range(1, 31):
        selection = strategy.next_link(t)
        assert selection is not None
        strategy.reward(selection.action, 20 if selection.link < 40 else 0)
        followed.append(selection.link)
    assert sum(number < 40 for number in followed) > 25
    assert any(number >= 40 for number in followed)


def test_seed_decides_the_link_within_an_action():
    orders = []
    for seed in (1, 1, 2):
        strategy = make(seed)
        strategy.queue([link(n, "h") for n in range(1, 21)])
        orders.append([strategy.next_link(t) for t in range(1, 21)])
    assert orders[0] == orders[1]
    assert orders[0] != orders[2]
