"""Parameters that change nothing are skipped; pages of a list are not such, however alike."""

from itertools import pairwise

import pytest

from crawler.strategies.interface import Placement
from tests.engine.crawl_run import crawl_all
from tests.engine.scripted_site import ScriptedSite, file, page
from tests.engine.scripted_strategy import ScriptedStrategy

MENU = tuple(f"/menu/{number}" for number in range(20))


def pager(own: int, last: int) -> list[str]:
    """Links to the page before and to the page after."""
    return [f"/list?page={number}" for number in (own - 1, own + 1) if 1 < number <= last]


@pytest.mark.parametrize("last", [8, 40])
def test_file_on_the_last_page_of_a_list_whose_others_show_only_the_menu_is_found(last):
    answers = {"/": page(*MENU, "/list"), "/list": page(*MENU, "/list?page=2")}
    answers |= {f"/list?page={own}": page(*MENU, *pager(own, last)) for own in range(2, last)}
    answers[f"/list?page={last}"] = page(*MENU, *pager(last, last), "/data.csv")
    answers["/data.csv"] = file()
    run = crawl_all(ScriptedSite(answers))
    assert run.totals.targets == 1
    assert "idle_parameter" not in run.skipped


@pytest.mark.parametrize("marked", ["print=1", "session=a7f3"])
def test_pages_that_are_the_same_with_a_parameter_are_asked_for_a_few_times_only(marked):
    topics = [f"/topics/{number}-births" for number in range(30)]
    answers = {"/": page(*MENU, *topics)}
    for topic in topics:
        answers[topic] = page(*MENU, "/", f"{topic}?{marked}")
        answers[f"{topic}?{marked}"] = page(*(f"{href}?{marked}" for href in MENU), f"/?{marked}")
    site = ScriptedSite(answers)
    run = crawl_all(site)
    assert run.skipped["idle_parameter"] > 20
    asked = [entry for entry in site.asked if "/topics/" in entry and marked in entry]
    assert len(asked) < 8


def test_parameter_is_not_judged_by_a_page_that_happens_to_show_something_new():
    """The print version of a story links to one that is newer than the story itself."""
    topics = [f"/topics/{number}-births" for number in range(30)]
    answers = {"/": page(*MENU, *topics)}
    for number, topic in enumerate(topics):
        answers[topic] = page(*MENU, "/", f"{topic}?print=1")
        newer = [f"/news/{number}"] if number % 2 else []
        answers[f"{topic}?print=1"] = page(*MENU, "/", *newer)
        answers[f"/news/{number}"] = page(*MENU)
    run = crawl_all(ScriptedSite(answers))
    assert run.skipped["idle_parameter"] > 10


def test_calendar_that_is_taken_for_files_waits_like_any_other():
    """Every month shows the next, so that nothing else would be asked before the last of them."""
    months = [f"/events/{year}/{month:02}/" for year in range(2010, 2025) for month in range(1, 13)]
    topics = [f"/topics/births-{number}" for number in range(20)]
    answers = {"/": page(months[0], *topics)} | {topic: page("/") for topic in topics}
    for month, after in pairwise(months):
        answers[month] = page("/", after)
    answers[months[-1]] = page("/data.csv")
    answers["/data.csv"] = file()
    site = ScriptedSite(answers)
    run = crawl_all(site, ScriptedStrategy(dict.fromkeys(months, Placement.FETCH)))
    asked = [entry.split()[-1] for entry in site.asked]
    before_topics = [url for url in asked[: asked.index(topics[-1])] if url in months]
    assert len(before_topics) < 10
    assert run.totals.targets == 1
    assert set(months) <= set(asked)
