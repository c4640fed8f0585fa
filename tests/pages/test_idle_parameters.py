"""Parameters that change nothing: learned from twins, believed where nothing speaks against it."""

from crawler.pages.counters import Counters
from crawler.pages.idle_parameters import (
    MAX_PARAMETERS,
    IdleParameters,
    parameters_of,
    without,
)

SITE = "https://stat.example"


def learned(*examples: tuple[str, bool]) -> IdleParameters:
    idle = IdleParameters(Counters())
    for path, same in examples:
        url = SITE + path
        idle.compared(url, parameters_of(url)[-1], same=same)
    return idle


def bare(idle: IdleParameters, path: str) -> list[str]:
    return [url.removeprefix(SITE) for url in idle.idle(SITE + path)]


def test_print_versions_are_known_after_three_of_a_template():
    twins = [(f"/news/a-story-{number}?print=1", True) for number in range(3)]
    assert bare(learned(*twins[:2]), "/news/another-one?print=1") == []
    idle = learned(*twins)
    assert bare(idle, "/news/another-one?print=1") == ["/news/another-one"]
    assert bare(idle, "/news/another-one?print=2") == []
    assert bare(idle, "/tables/another-one?print=1") == []


def test_after_six_they_are_known_everywhere():
    twins = [(f"/{place}/a-story?print=1", True) for place in ("a", "b", "c", "d", "e", "f")]
    assert bare(learned(*twins), "/tables/one-more?print=1") == ["/tables/one-more"]


def test_one_page_that_differs_speaks_against_a_parameter():
    """The first sheet is the list itself, the second one is not."""
    firsts = [(f"/lists/a-list-{number}?page=0", True) for number in range(3)]
    idle = learned(*firsts, ("/lists/a-list-1?page=1", False))
    assert bare(idle, "/lists/a-list-2?page=1") == []
    assert bare(idle, "/lists/a-list-9?page=0") == ["/lists/a-list-9"]
    assert bare(idle, "/lists/a-list-9?page=7") == []


def test_session_ids_are_known_by_several_values():
    twins = [(f"/news/a-story?sid={value}", True) for value in ("7f", "8a", "9c", "a0")]
    assert bare(learned(*twins), "/news/a-story?sid=zz") == ["/news/a-story"]


def test_other_parameters_stay():
    idle = learned(*[(f"/news/a-story-{number}?id=4&print=1", True) for number in range(3)])
    assert bare(idle, "/news/another-one?id=4&print=1") == ["/news/another-one?id=4"]


def test_parameters_are_taken_off():
    assert without(f"{SITE}/a?x=1&sid=2&y=3&sid=4", "sid") == f"{SITE}/a?x=1&y=3"
    assert without(f"{SITE}/a?sid=2", "sid") == f"{SITE}/a"
    assert without(f"{SITE}/a", "sid") == f"{SITE}/a"


def test_a_url_of_very_many_parameters_is_left_to_the_rules_for_traps() -> None:
    assert len(parameters_of("https://stat.example/?" + "a=1&" * MAX_PARAMETERS)) == MAX_PARAMETERS
    assert parameters_of("https://stat.example/?" + "a&" * 400_000) == []
