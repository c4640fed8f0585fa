"""The guesses of a strategy beside the truth: Table VI."""

import pytest

from crawler.lab.confusion import GuessWatch
from crawler.lab.entrant import read_entrant
from crawler.lab.measured_run import Run, measure, truth_of
from crawler.pages.mime import UrlClass
from crawler.strategies.baselines import BreadthFirst
from crawler.strategies.interface import Candidate, Placement

HTML, TARGET, NEITHER = UrlClass.HTML, UrlClass.TARGET, UrlClass.NEITHER


class Guessing(BreadthFirst):
    """Says what it is told to say."""

    answers: tuple[Placement, ...] = ()

    def place(self, links):
        return list(self.answers[: len(links)])


def link(url: str) -> Candidate:
    return Candidate(int(url.strip("hnt/")), url, 1, "html a")


def oracle(url: str) -> UrlClass:
    return {"h": HTML, "t": TARGET}.get(url[0], NEITHER)


def test_every_guess_is_counted_by_true_and_predicted_class():
    strategy = Guessing()
    watched = GuessWatch(strategy, oracle)
    strategy.answers = (Placement.QUEUE, Placement.FETCH, Placement.FETCH, Placement.QUEUE)
    strategy.place([link("h1"), link("h2"), link("t3"), link("n4")])
    found = watched.confusion()
    assert found is not None
    assert found.counts == {
        (HTML, HTML): 1,
        (HTML, TARGET): 1,
        (TARGET, TARGET): 1,
        (NEITHER, HTML): 1,
    }
    assert found.percent(HTML, TARGET) == 25
    assert found.percent(TARGET, HTML) == 0


def test_the_last_guess_about_a_link_counts():
    strategy = Guessing()
    watched = GuessWatch(strategy, oracle)
    for answer in (Placement.QUEUE, Placement.FETCH):
        strategy.answers = (answer,)
        strategy.place([link("t1")])
    found = watched.confusion()
    assert found is not None
    assert found.counts == {(TARGET, TARGET): 1}


def test_what_is_asked_for_is_no_guess():
    strategy = Guessing()
    watched = GuessWatch(strategy, oracle)
    strategy.answers = (Placement.QUEUE, Placement.ASK)
    strategy.place([link("t1"), link("t2")])
    strategy.answers = (Placement.ASK,)
    strategy.place([link("t1")])
    found = watched.confusion()
    assert found is not None
    assert found.total == 0
    assert found.percent(HTML, HTML) == 0


def test_links_with_far_apart_numbers_are_all_counted():
    strategy = Guessing()
    watched = GuessWatch(strategy, oracle)
    strategy.answers = (Placement.FETCH,)
    for url in ("t1", "t70000", "h30000", "t70000"):
        strategy.place([link(url)])
    found = watched.confusion()
    assert found is not None
    assert found.counts == {(TARGET, TARGET): 2, (HTML, TARGET): 1}


def test_strategy_that_takes_all_links_alike_has_no_matrix():
    strategy = BreadthFirst()
    watched = GuessWatch(strategy, oracle)
    strategy.place([link("h1"), link("t2")])
    assert watched.confusion() is None


@pytest.mark.parametrize("name", ["bfs", "focused", "dom-off", "sb-oracle", "omniscient"])
def test_only_strategies_that_guess_have_a_matrix_after_a_run(name):
    truth = truth_of("demo:30:2")
    assert measure(Run(truth, read_entrant(name), 0)).confusion is None


def test_sb_is_watched_without_being_disturbed_and_guesses_mostly_right():
    found = measure(Run(truth_of("demo:100:2"), read_entrant("sb"), 3)).confusion
    assert found is not None
    assert found.total > 100
    right = found.percent(HTML, HTML) + found.percent(TARGET, TARGET)
    assert right > 50
