"""`anthelion`: what is relevant, who hears of it, and what is chosen (paper 001)."""

from typing import Any

import pytest

from crawler.config.strategy import AnthelionConfig
from crawler.engine.crawl import Crawl
from crawler.lab.replay import answer_request
from crawler.lab.sites.demo import demo_site
from crawler.pages.html import PageReader
from crawler.pages.mime import UrlClass
from crawler.state.crawl_state import IN_MEMORY, CrawlState
from crawler.state.records import Changes
from crawler.strategies.anthelion import Anthelion
from crawler.strategies.confident_frontier import MAX_PARENTS
from crawler.strategies.directory_groups import DirectoryGroups, directory_of
from crawler.strategies.interface import NO_ACTION, Candidate, Placement, ReadPage
from crawler.strategies.make import make_strategy
from tests.engine.crawl_run import AGENT, FIRST_OF_JUNE, crawl_all, site_config
from tests.engine.scripted_site import ScriptedSite, file, page

HOME = "https://stat.example"
START = Candidate(1, f"{HOME}/", 0, tag_path="")


def make(**parameters: Any) -> Anthelion:
    config = AnthelionConfig(**({"exploration": 0.0} | parameters))
    strategy = make_strategy(config, seed=1)
    assert isinstance(strategy, Anthelion)
    return strategy


def link(number: int, path: str, tags: str = "html body ul li a", shown_on: int = 1) -> Candidate:
    return Candidate(number, f"{HOME}{path}", 1, tags, page=shown_on)


def read(strategy: Anthelion, page: Candidate, action: int, links: dict[str, int]) -> None:
    """The page has links to these paths, whose URLs have these ids."""
    html = "".join(f'<a href="{path}">x</a>' for path in links).encode()
    content = PageReader().read(html, page.url, "text/html")
    by_print = dict(zip([each.fingerprint for each in content.links], links.values(), strict=True))
    strategy.read(ReadPage(page, action, content, by_print.get))


def start(strategy: Anthelion, *links: Candidate) -> None:
    strategy.learn(START, UrlClass.HTML)
    read(strategy, START, NO_ACTION, {each.url.removeprefix(HOME): each.id for each in links})
    strategy.queue(links)


def follow(strategy: Anthelion, url_class: UrlClass) -> int:
    """Follow the next link, which turns out to be this."""
    selection = strategy.next_link(1)
    assert selection is not None
    strategy.learn(START, url_class)
    if url_class is UrlClass.TARGET:
        strategy.reward(selection.action, 1)
    return selection.link


def arms(strategy: Anthelion) -> list[tuple[float, float]]:
    """Good and bad of every group."""
    bandit = strategy._bandit
    return [(bandit.good(group), bandit.bad(group)) for group in range(len(bandit))]


def test_every_link_waits_for_the_bandit():
    strategy = make()
    assert strategy.place([link(2, "/a.csv"), link(3, "/b")]) == [Placement.QUEUE] * 2


def test_every_link_comes_once():
    strategy = make()
    start(strategy, *(link(number, f"/folder{number % 3}/p{number}") for number in range(2, 40)))
    followed = [follow(strategy, UrlClass.NEITHER) for _ in range(38)]
    assert sorted(followed) == list(range(2, 40))
    assert strategy.next_link(1) is None


def test_seed_decides_between_groups_that_are_alike():
    orders = []
    for seed in (1, 1, 2):
        strategy = make_strategy(AnthelionConfig(groups="directories"), seed)
        strategy.queue([link(number, f"/folder{number}/p") for number in range(2, 30)])
        orders.append([strategy.next_link(t) for t in range(20)])
    assert orders[0] == orders[1]
    assert orders[0] != orders[2]


def test_best_link_of_the_group_comes_first():
    strategy = make(score="best_score")
    start(strategy, link(2, "/files/table.csv"), link(3, "/news/item.html"))
    first = {2: UrlClass.TARGET, 3: UrlClass.HTML}
    for _ in range(2):
        selection = strategy.next_link(1)
        assert selection is not None
        strategy.learn(START, first[selection.link])
    more = [link(10, "/news/other.html", shown_on=0), link(11, "/files/more.csv", shown_on=0)]
    strategy.queue(more)
    assert [follow(strategy, UrlClass.NEITHER) for _ in range(2)] == [11, 10]


def test_group_that_gave_targets_comes_first_whatever_the_classifier_thinks():
    strategy = make(groups="directories")
    start(strategy, *(link(number, f"/good/x{number}.html") for number in range(2, 8)))
    assert follow(strategy, UrlClass.TARGET) in range(2, 8)
    strategy.queue([link(20, "/other/y.html", shown_on=0)])
    assert arms(strategy) == [(1.0, 0.0), (0.0, 0.0)]
    assert {follow(strategy, UrlClass.TARGET) for _ in range(5)} == set(range(2, 8)) - {2}
    assert follow(strategy, UrlClass.HTML) == 20


def test_dead_links_and_pages_are_bad_until_a_page_shows_a_target():
    strategy = make(groups="directories")
    start(strategy, link(2, "/p/index.html"))
    selection = strategy.next_link(1)
    assert selection is not None
    its_page = link(2, "/p/index.html")
    strategy.learn(its_page, UrlClass.HTML)
    read(strategy, its_page, selection.action, {"/q/a": 3, "/q/b": 4})
    strategy.queue([link(3, "/q/a", shown_on=2), link(4, "/q/b", shown_on=2)])
    strategy.reward(selection.action, 0)
    assert arms(strategy) == [(0.0, 1.0), (0.0, 0.0)]
    assert follow(strategy, UrlClass.TARGET) == 3
    # The target is good, and so is the page that showed it; its other link has a relevant parent.
    assert arms(strategy) == [(1.0, 0.0), (1.0, 0.0)]
    assert strategy._frontier.links[4].relevant == 1
    follow(strategy, UrlClass.TARGET)
    assert arms(strategy) == [(1.0, 0.0), (2.0, 0.0)]


def test_links_that_waited_already_hear_of_a_relevant_parent_too():
    strategy = make(groups="directories")
    start(strategy, link(2, "/first/page"), link(3, "/other/page"))
    selection = strategy.next_link(1)
    assert selection is not None
    waits = 5 - selection.link
    its_page = link(selection.link, "/first/page")
    strategy.learn(its_page, UrlClass.HTML)
    read(strategy, its_page, selection.action, {"/other/page": waits, "/new/t.csv": 9})
    strategy.queue([link(9, "/new/t.csv", shown_on=selection.link)])
    assert strategy._frontier.links[waits].parents == 2
    strategy._bandit.record(strategy._frontier.links[waits].group, bad=5)
    assert follow(strategy, UrlClass.TARGET) == 9
    assert strategy._frontier.links[waits].relevant == 1


def test_what_every_page_links_to_is_counted_up_to_a_bound():
    strategy = make()
    start(strategy, link(2, "/a"), link(3, "/b"))
    for number in range(100, 140):
        read(strategy, link(number, f"/p{number}"), NO_ACTION, {"/a": 2, "/b": 3})
    assert strategy._frontier.links[2].parents == MAX_PARENTS


def test_page_without_new_links_is_not_remembered():
    strategy = make()
    start(strategy, link(2, "/a"), link(3, "/b"))
    changes = Changes()
    strategy.save(changes)
    assert [name for name, value in changes.memory.items() if value] == ["page 1"]
    for _ in range(2):
        follow(strategy, UrlClass.HTML)
        read(strategy, link(5, "/x"), 0, {})
    strategy.next_link(1)
    changes = Changes()
    strategy.save(changes)
    pages = {name: value for name, value in changes.memory.items() if name.startswith("page")}
    assert pages == {"page 1": b"", "page 5": b""}


def test_step_writes_what_it_changed_and_no_more():
    strategy = make()
    start(strategy, *(link(number, f"/folder/p{number}") for number in range(2, 3000)))
    strategy.save(Changes())
    for _ in range(20):
        follow(strategy, UrlClass.NEITHER)
        changes = Changes()
        strategy.save(changes)
        assert len(changes.memory) < 15
        assert len(changes.updates) <= 50


def test_directory_is_host_and_path_up_to_the_last_slash():
    assert directory_of("https://a.example/x/y/z.html?q=/1/2") == "a.example/x/y/"
    assert directory_of("https://a.example") == "a.example/"
    assert directory_of("https://a.example/x") == "a.example/"


def test_directories_beyond_the_bound_join_the_last():
    groups = DirectoryGroups(max_groups=3)
    assert [groups.assign(f"d{number}/", 1) for number in (0, 1, 0, 2, 3, 4, 1)] == [
        *[0, 1, 0, 2],
        *[2, 2, 1],
    ]


def test_second_chance_of_a_link_that_gave_no_answer_teaches_nothing_twice():
    strategy = make()
    start(strategy, link(2, "/a"), link(3, "/b"))
    strategy.next_link(1)
    strategy.next_link(2)
    strategy.forget_selection()
    strategy.learn(Candidate(2, f"{HOME}/a", 1, "", page=1), UrlClass.TARGET)
    assert strategy._classifier.examples == [0, 0]  # type: ignore[union-attr]


@pytest.mark.parametrize("classifier", ["naive_bayes", "hoeffding_tree"])
@pytest.mark.parametrize("groups", ["tag_paths", "directories"])
def test_crawl_finds_everything(classifier, groups):
    answers = {"/": page("/a", "/b"), "/a": page("/a/1.csv", "/a/2.csv"), "/b": page("/c")}
    answers |= {"/a/1.csv": file("1"), "/a/2.csv": file("2"), "/c": page()}
    strategy = make(classifier=classifier, groups=groups, exploration=0.5)
    run = crawl_all(ScriptedSite(answers), strategy)
    assert sorted(run.targets) == ["/a/1.csv", "/a/2.csv"]
    assert run.totals.pages == 4


@pytest.mark.slow
def test_targets_come_earlier_than_breadth_first():
    site = demo_site(pages=400, seed=3)
    half = len(list(site.target_paths())) // 2
    requests = {}
    for name in ("anthelion", "bfs"):
        config = site_config(
            start_url="http://127.0.0.1:8350/", allow_private_hosts=True, strategy=name
        )
        state = CrawlState(IN_MEMORY)
        crawl = Crawl(
            config,
            make_strategy(config.strategy, 1),
            state,
            agent=AGENT,
            wall_clock=lambda: FIRST_OF_JUNE,
            monotonic=lambda: 0.0,
        )
        while crawl.totals.targets < half:
            request = crawl.next_request()
            assert request is not None
            crawl.receive(answer_request(request, site.respond, crawl.on_headers))
            state.commit(crawl.take_changes())
        requests[name] = crawl.totals.requests
    assert requests["anthelion"] < 0.7 * requests["bfs"]
