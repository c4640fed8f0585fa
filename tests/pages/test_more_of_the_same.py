"""Calendars and facets: counted by what they give, and only where they have no end."""

import pytest

from crawler.pages.counters import Counters
from crawler.pages.more_of_the_same import MoreOfTheSame

SITE = "https://stat.example"


def rules(enough: int = 3) -> MoreOfTheSame:
    return MoreOfTheSame(Counters(), enough)


def test_calendar_that_leads_to_itself_alone_waits():
    same = rules()
    for day in range(1, 4):
        assert not same.waits(f"{SITE}/events/2025/01/10/")
        same.read(f"{SITE}/events/2025/01/0{day}/", [f"{SITE}/events/2025/01/0{day + 1}/"])
    assert same.waits(f"{SITE}/events/2031/05/17/")
    assert not same.waits(f"{SITE}/events/2031/05/births-fall")


def test_months_that_lead_to_nothing_but_days_wait():
    """Before a single day was tried: a calendar has as many months as one reads."""
    same = rules(enough=2)
    month, day = f"{SITE}/events/2025/01/", f"{SITE}/events/2025/01/17/"
    for _ in range(2):
        same.read(month, [day])
    assert same.waits(month)
    assert not same.waits(day)


def test_months_count_again_once_a_day_gave_something():
    same = rules(enough=2)
    month, day = f"{SITE}/events/2025/01/", f"{SITE}/events/2025/01/17/"
    for _ in range(2):
        same.read(month, [day])
    same.read(day, [f"{SITE}/publications/births"], shown_by=lambda: month)
    for _ in range(20):
        assert not same.waits(month)
        same.read(month, [day])
    for _ in range(8):
        same.read(day, [])
    for _ in range(8):
        same.read(month, [day])
    assert same.waits(month)


def test_calendar_that_gave_something_is_followed_longer_and_longer():
    same = rules(enough=2)
    day = f"{SITE}/events/2025/01/17/"

    def pages_until_it_waits() -> int:
        read = 0
        while not same.waits(day):
            same.read(day, [])
            read += 1
        return read

    assert pages_until_it_waits() == 2
    same.earned(day)
    assert pages_until_it_waits() == 8
    same.read(day, [f"{SITE}/publications/births"])
    assert pages_until_it_waits() == 16


@pytest.mark.parametrize("gave", ["link", "target"])
def test_page_that_gives_something_begins_the_count_anew(gave):
    same = rules()
    day = f"{SITE}/events/2025/01/17/"
    for _ in range(2):
        same.read(day, [])
    if gave == "link":
        same.read(day, [f"{SITE}/publications/births"])
    else:
        same.earned(day)
    for _ in range(2):
        same.read(day, [])
    assert not same.waits(day)


def test_combinations_of_facets_wait_whatever_their_order():
    same = rules()
    for number in range(3):
        more = [f"{SITE}/browse?sort=a&topic={number}&year=2020"]
        same.read(f"{SITE}/browse?topic={number}&sort=a", more)
    assert same.waits(f"{SITE}/browse?sort=a&topic=2")
    assert not same.waits(f"{SITE}/browse?topic=1")
    assert not same.waits(f"{SITE}/list?topic=1&sort=a")


def test_combination_with_a_value_that_no_page_had_is_a_page_of_its_own():
    """On many sites every page is `index.php`, with an id among its parameters."""
    same = rules()
    for number in range(50):
        url = f"{SITE}/index.php?view=article&id={number}"
        assert not same.waits(url)
        same.read(url, [f"{SITE}/index.php?view=article&id={number + 1}"])
    assert same.waits(f"{SITE}/index.php?id=7&view=article")


def test_combination_waits_when_its_new_value_has_a_page_of_its_own():
    same = rules()
    for number in range(3):
        same.read(f"{SITE}/browse?topic={number}&sort=a", [])
    combination = f"{SITE}/browse?topic=2&year=2020"
    assert not same.waits(combination)
    assert same.waits(combination, {f"{SITE}/browse?year=2020"}.__contains__)


def test_values_of_a_facet_wait_and_those_of_an_id_do_not():
    """A facet offers choices of other parameters beside its own value."""
    same = rules(enough=6)
    more = ("sort=a", "sort=b", "view=grid", "view=list")
    for number in range(3):
        url = f"{SITE}/browse?topic={number}"
        assert not same.waits(url)
        same.read(url, [f"{url}&{one}" for one in more])
        page = f"{SITE}/index.php?id={number}"
        same.read(page, [f"{page}&print=1", f"{page}&lang=fr", f"{page}&lang=es"])
    assert same.waits(f"{SITE}/browse?topic=7")
    assert not same.waits(f"{SITE}/browse?colour=7")
    assert not same.waits(f"{SITE}/index.php?id=7")
    same.earned(f"{SITE}/browse?topic=2")
    assert not same.waits(f"{SITE}/browse?topic=7")


def test_facet_that_shows_a_page_now_and_then_waits_a_little_later():
    same = rules(enough=4)
    url = f"{SITE}/browse?topic=2&sort=a"
    same.read(url, [])
    same.read(url, [f"{SITE}/publications/births"])
    same.read(url, [])
    assert not same.waits(url)
    same.read(url, [])
    assert same.waits(url)


def test_list_with_one_parameter_has_an_end():
    same = rules()
    for number in range(50):
        same.read(f"{SITE}/list?page={number}", [f"{SITE}/list?page={number + 1}"])
    assert not same.waits(f"{SITE}/list?page=51")
