"""Postponed links: every pattern has its turn, whatever was found first."""

from crawler.engine.postponed import PostponedLinks
from crawler.pages.more_of_the_same import pattern

SITE = "https://stat.example"
DAYS = [f"{SITE}/events/2025/01/{day:02d}/" for day in range(1, 29)]
FACETS = [f"{SITE}/browse?topic={topic}&sort=a" for topic in range(5)]


def waiting(urls: list[str]) -> PostponedLinks:
    links = PostponedLinks()
    for url in urls:
        links.add((DAYS + FACETS).index(url), url)
    return links


def all_of(links: PostponedLinks) -> list[int]:
    return [links.take(turn, lambda _: True) for turn in range(len(links))]


def test_patterns_take_turns_until_one_is_empty():
    taken = all_of(waiting(DAYS + FACETS))
    assert sorted(taken) == list(range(33))
    assert sum(link >= len(DAYS) for link in taken[:10]) == 5


def test_order_is_that_of_the_links_and_not_of_their_coming():
    assert all_of(waiting(DAYS + FACETS)) == all_of(waiting(FACETS[::-1] + DAYS[::-1]))
    assert all_of(waiting(DAYS)) != sorted(all_of(waiting(DAYS)))


def test_pattern_that_has_given_something_comes_first():
    links = waiting(DAYS + FACETS)
    facets = pattern(FACETS[0])
    taken = [links.take(turn, lambda key: key != facets) for turn in range(6)]
    assert sorted(taken[:5]) == list(range(28, 33))
    assert taken[5] < 28
