"""The focused crawler (paper 000, Section IV-C): a priority queue by a trained classifier."""

from crawler.config.strategy import FocusedConfig
from crawler.pages.mime import UrlClass
from crawler.strategies.focused import Focused
from crawler.strategies.interface import NO_ACTION, Candidate, Placement
from crawler.strategies.make import make_strategy


def link(number: int, url: str = "", anchor: str = "", depth: int = 1) -> Candidate:
    return Candidate(number, url or f"https://stat.example/{number}", depth, "html a", anchor)


def data(number: int) -> Candidate:
    return link(number, f"https://stat.example/{number}.csv")


def page(number: int) -> Candidate:
    return link(number, f"https://stat.example/{number}.html")


def follow(strategy: Focused, url_class: UrlClass | None = UrlClass.HTML) -> int:
    """Follow one link; None for an answer that tells no class, as a dead link's."""
    selection = strategy.next_link(1)
    assert selection is not None
    assert selection.action == NO_ACTION
    if url_class is not None:
        strategy.learn(Candidate(0, "https://stat.example/wherever-it-led", 1, "html a"), url_class)
    return selection.link


def trained(period: int = 6) -> Focused:
    """Has seen as many .csv targets as .html pages; nothing is left in its queue."""
    strategy = Focused(period=period)
    strategy.queue([data(n) if n % 2 else page(n) for n in range(1, period + 1)])
    for number in range(1, period + 1):
        assert follow(strategy, UrlClass.TARGET if number % 2 else UrlClass.HTML) == number
    return strategy


def test_oldest_link_goes_first_before_the_first_training():
    strategy = Focused(period=100)
    strategy.queue([page(1), data(2), page(3)])
    assert [follow(strategy) for _ in range(3)] == [1, 2, 3]
    assert strategy.next_link(1) is None


def test_likely_targets_go_first_once_it_is_trained():
    strategy = trained()
    strategy.queue([page(10), page(11), data(12), page(13), data(14)])
    first = {follow(strategy, UrlClass.TARGET), follow(strategy, UrlClass.TARGET)}
    assert first == {12, 14}
    assert strategy.next_link(1) is not None


def test_links_that_were_waiting_are_scored_anew_after_a_training():
    strategy = Focused(period=4)
    strategy.queue([data(1), page(2), data(3), page(4), page(5), page(6), data(7)])
    for kind in (UrlClass.TARGET, UrlClass.HTML, UrlClass.TARGET, UrlClass.HTML):
        follow(strategy, kind)
    assert follow(strategy) == 7


def test_training_waits_for_a_whole_period():
    strategy = Focused(period=5)
    strategy.queue([data(1), page(2), data(3), page(4), page(5), page(6), data(7)])
    for kind in (UrlClass.TARGET, UrlClass.HTML, UrlClass.TARGET, UrlClass.HTML):
        follow(strategy, kind)
    assert follow(strategy) == 5
    assert follow(strategy) == 7


def test_anchor_tells_targets_where_urls_do_not():
    strategy = Focused(period=6)
    strategy.queue([link(n, anchor="Download" if n % 2 else "Read more") for n in range(1, 7)])
    for number in range(1, 7):
        follow(strategy, UrlClass.TARGET if number % 2 else UrlClass.HTML)
    strategy.queue([link(21, anchor="Read more"), link(22, anchor="Download")])
    assert follow(strategy) == 22


def test_depth_tells_targets_where_nothing_else_does():
    strategy = Focused(period=40)
    same = "https://stat.example/x"
    strategy.queue([link(n, same, depth=5 if n % 2 else 2) for n in range(1, 41)])
    for number in range(1, 41):
        follow(strategy, UrlClass.TARGET if number % 2 else UrlClass.HTML)
    strategy.queue([link(50, same, depth=2), link(51, same, depth=5)])
    assert follow(strategy) == 51


def test_dead_links_teach_nothing():
    strategy = Focused(period=2)
    strategy.queue([data(1), page(2), page(3), data(4)])
    for told in (None, UrlClass.NEITHER, UrlClass.NEITHER):
        follow(strategy, told)
    assert strategy.progress() == {"followed": None, "batch": []}
    follow(strategy, UrlClass.TARGET)
    assert strategy.progress()["batch"] == [[4, True]]


def test_second_chance_of_a_link_that_gave_no_answer_teaches_nothing():
    strategy = Focused(period=2)
    strategy.queue([data(1)])
    follow(strategy, None)
    assert strategy.next_link(1) is None
    strategy.learn(data(9), UrlClass.TARGET)
    assert strategy.progress() == {"followed": None, "batch": []}


def test_start_page_teaches_nothing():
    strategy = Focused(period=2)
    strategy.learn(Candidate(0, "https://stat.example/", 1, "html a"), UrlClass.HTML)
    assert strategy.progress()["batch"] == []


def test_everything_is_queued_and_nothing_is_asked_or_fetched_at_once():
    strategy = trained()
    opinion = strategy.opinion
    assert strategy.place([data(20), page(21)]) == [Placement.QUEUE] * 2
    strategy.head_refused()
    assert strategy.adopt(page(22)) == NO_ACTION
    assert strategy.opinion == opinion


def test_period_of_the_site_file_reaches_the_strategy():
    config = FocusedConfig(period=1)
    strategy = make_strategy(config, seed=0)
    assert isinstance(strategy, Focused)
    strategy.queue([data(1), page(2)])
    follow(strategy, UrlClass.TARGET)
    follow(strategy, UrlClass.HTML)
    assert strategy.progress()["batch"] == []
    strategy.queue([page(3), data(4)])
    assert follow(strategy) == 4
