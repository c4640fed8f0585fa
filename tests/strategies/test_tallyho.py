"""The rules of `tallyho`: the most promising link first, dead ones last, hubs with their credit."""

from crawler.config.strategy import TallyhoConfig
from crawler.pages.html import Page
from crawler.pages.mime import UrlClass
from crawler.state.records import Changes
from crawler.strategies.interface import NO_ACTION, Candidate, Placement, ReadPage
from crawler.strategies.make import make_strategy
from crawler.strategies.tallyho import Tallyho

LIST = "html body ul.data li a"
MENU = "html body nav a"


def make(seed: int = 1, **parameters: float) -> Tallyho:
    strategy = make_strategy(TallyhoConfig(**parameters), seed)
    assert isinstance(strategy, Tallyho)
    return strategy


def link(number: int, url: str, tag_path: str = LIST, page_action: int = NO_ACTION) -> Candidate:
    return Candidate(number, f"https://stat.example/{url}", 1, tag_path, "", page_action)


def visit(strategy: Tallyho, reward: int) -> int:
    """Follow the next link; it is a page that gives so many targets."""
    selection = strategy.next_link(10)
    assert selection is not None
    strategy.learn(link(selection.link, "whatever", tag_path=""), UrlClass.HTML)
    strategy.reward(selection.action, reward)
    return selection.link


def test_name_that_looks_like_a_file_is_fetched_at_once_and_nobody_is_asked():
    placements = make().place([link(1, "births.csv"), link(2, "births"), link(3, "a.html")])
    assert placements == [Placement.FETCH, Placement.QUEUE, Placement.QUEUE]


def test_certainty_decides_what_is_fetched_at_once():
    assert make(certainty=0.95).place([link(1, "births.csv")]) == [Placement.QUEUE]


def test_links_like_those_that_gave_targets_go_first():
    strategy = make(exploration=0.0)
    words = "abcdefgh"
    strategy.queue([link(n, f"news/{words[n]}", MENU) for n in range(4)])
    strategy.queue([link(10 + n, f"tables/{words[n]}") for n in range(4)])
    for _ in range(8):
        selection = strategy.next_link(10)
        assert selection is not None
        rich = selection.link >= 10
        strategy.learn(link(selection.link, "x", ""), UrlClass.HTML)
        strategy.reward(selection.action, 5 if rich else 0)
    strategy.queue([link(20, "news/z", MENU), link(21, "tables/z"), link(22, "news/y", MENU)])
    assert visit(strategy, 0) == 21


def test_dead_links_teach_that_links_like_them_can_wait():
    strategy = make(exploration=0.0)
    words = "abcdefghij"
    strategy.queue([link(n, f"old/{words[n]}") for n in range(10)])
    while (selection := strategy.next_link(10)) is not None:
        strategy.learn(link(selection.link, "x", ""), UrlClass.NEITHER)
    strategy.queue([link(20, "old/z"), link(21, "new/z", MENU)])
    assert visit(strategy, 0) == 21


def test_of_links_that_look_alike_the_oldest_goes_first():
    strategy = make()
    for number in (300, 200, 400, 100):
        strategy.queue([link(number, f"tables/{number}")])
    assert [visit(strategy, 0) for _ in range(4)] == [100, 200, 300, 400]


def test_hub_earns_by_what_its_links_promise():
    """Two pages without targets of their own; one of them leads to promising links."""
    strategy, poor = make(exploration=0.0), make(exploration=0.0)
    for one in (strategy, poor):
        one.queue([link(1, "hub/a", MENU)])
        assert one.next_link(10) is not None
        one.learn(link(1, "x", ""), UrlClass.HTML)
    strategy.queue([link(n, f"tables/{n}.csv") for n in range(2, 8)])
    for one in (strategy, poor):
        one.reward(0, 0)
        one.queue([link(30, "hub/b", MENU), link(31, "elsewhere", "html body p a")])
    following = [link(n, f"tables/{n}.csv") for n in range(2, 8)]
    assert strategy.place(following) == [Placement.FETCH] * 6
    first = [visit(one, 0) for one in (poor, strategy)]
    assert first == [31, 2]


def read(strategy: Tallyho, number: int, url: str, action: int) -> None:
    page = Page(f"https://stat.example/{url}", f"https://stat.example/{url}", [], None)
    strategy.read(ReadPage(link(number, url, ""), action, page, lambda _: None))


def test_target_that_was_not_recognised_earns_for_its_page_later():
    """Two hubs list links without extension; those of one turn out to be files when followed."""
    strategy = make(exploration=0.0)
    strategy.queue([link(1, "hub/a", MENU), link(2, "list/a", "html body p a")])
    for _ in range(2):
        selection = strategy.next_link(10)
        assert selection is not None
        strategy.learn(link(selection.link, "x", ""), UrlClass.HTML)
        read(strategy, selection.link, "x", selection.action)
        strategy.reward(selection.action, 0)
    below = [Candidate(10 + n, f"https://stat.example/get/{n}", 2, LIST, page=1) for n in range(6)]
    strategy.queue(below)
    for _ in below:
        selection = strategy.next_link(10)
        assert selection is not None
        strategy.learn(below[selection.link - 10], UrlClass.TARGET)
        strategy.reward(selection.action, 1)
    strategy.queue([link(30, "list/b", "html body p a"), link(31, "hub/b", MENU)])
    assert visit(strategy, 0) == 31


def test_actions_keep_the_targets_they_gave_for_reports():
    strategy = make(exploration=0.0)
    strategy.queue([link(n, f"p/{n}", MENU) for n in range(1, 4)])
    for found in (7, 0, 2):
        visit(strategy, found)
    changes = Changes()
    strategy.save(changes)
    assert [(row.selections, row.reward) for row in changes.actions] == [(3, 9)]


def test_exploration_alone_goes_round_the_actions():
    strategy = make(exploration=1.0)
    for group in range(5):
        path = f"html body div.group{'abcde'[group]} a"
        strategy.queue([link(10 * group + n, f"p/{n}", path) for n in range(3)])
    first_five = {visit(strategy, 0) // 10 for _ in range(5)}
    assert first_five == {0, 1, 2, 3, 4}


def test_every_link_comes_once_and_then_there_are_none():
    strategy = make()
    strategy.queue([link(n, f"page/{n}", f"html body div.c{n % 4} a") for n in range(1, 301)])
    seen = []
    while (selection := strategy.next_link(10)) is not None:
        seen.append(selection.link)
        strategy.learn(link(selection.link, "x", ""), UrlClass.HTML)
        strategy.reward(selection.action, selection.link % 3)
    assert sorted(seen) == list(range(1, 301))


def test_tag_paths_beyond_the_most_actions_share_the_last():
    strategy = make(max_actions=3)
    names = ["one", "two", "three", "four", "five"]
    strategy.queue([link(n, "p", f"html div.{name} a") for n, name in enumerate(names)])
    actions = set()
    while (selection := strategy.next_link(10)) is not None:
        actions.add(selection.action)
    assert actions == {0, 1, 2}


def test_same_seed_decides_the_same():
    orders = []
    for _ in range(2):
        strategy = make(seed=5, exploration=0.5)
        strategy.queue([link(n, f"page/{n}", f"html div.c{n % 9} a") for n in range(100)])
        orders.append([visit(strategy, n % 2) for n in range(100)])
    assert orders[0] == orders[1]
