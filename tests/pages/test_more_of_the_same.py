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
    same.read(day, [f"{SITE}/publications/births"], shown_by=month)
    for _ in range(5):
        assert not same.waits(month)
        same.read(month, [day])
    for _ in range(2):
        same.read(day, [])
    for _ in range(2):
        same.read(month, [day])
    assert same.waits(month)


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
    assert same.waits(f"{SITE}/browse?year=2020&view=grid")
    assert not same.waits(f"{SITE}/browse?topic=7")
    assert not same.waits(f"{SITE}/list?topic=7&sort=a")


def test_list_with_one_parameter_has_an_end():
    same = rules()
    for number in range(50):
        same.read(f"{SITE}/list?page={number}", [f"{SITE}/list?page={number + 1}"])
    assert not same.waits(f"{SITE}/list?page=51")
