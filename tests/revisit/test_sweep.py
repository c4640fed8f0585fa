"""The sweep: every page is seen within `sweep_days`, also after missed nights and odd clocks."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from crawler.config.revisit import RevisitConfig
from crawler.revisit.night_plan import PageReason
from crawler.revisit.observe import PageSeen, observe_page
from crawler.revisit.page_history import PageHistory
from crawler.revisit.plan import plan_night
from crawler.revisit.planner_state import PlannerState
from crawler.revisit.visit_log import Outcome
from tests.revisit.histories import day, page

CONFIG = RevisitConfig(pages=1, sweep_days=10)


def live(
    pages: list[PageHistory], nights: Iterable[int], config: RevisitConfig = CONFIG
) -> Iterator[tuple[int, list[PageHistory]]]:
    """Visit what is planned on these days, where nothing is ever new; the pages after each."""
    by_id = {one.id: one for one in pages}
    state = PlannerState()
    for night in nights:
        plan = plan_night(by_id.values(), [], config, day(night), state)
        state = plan.state
        for planned in plan.pages:
            seen = PageSeen(day(night), Outcome.UNCHANGED)
            by_id[planned.id] = observe_page(by_id[planned.id], seen)
        yield night, list(by_id.values())


def unseen_for(pages: list[PageHistory], now: float) -> float:
    return max((day(now) - (one.last_visit or 0.0)) / 86_400 for one in pages)


def test_every_page_is_seen_within_the_days_of_the_sweep() -> None:
    pages = [page(page_id=number, links=[number]) for number in range(1, 96)]
    for night, after in live(pages, range(1, 41)):
        assert unseen_for(after, night) <= 10


def test_visits_of_the_sweep_are_spread_evenly_and_come_beside_the_budget() -> None:
    pages = [page(page_id=number, links=[number]) for number in range(1, 101)]
    assert len(plan_night(pages, [], CONFIG, day(2), PlannerState()).pages) == 1
    for night in (3, 5, 9):
        plan = plan_night(pages, [], CONFIG, day(night), PlannerState())
        reasons = [planned.reason for planned in plan.pages]
        # 99 pages in the 7.5 days after the rest of 2.5.
        assert reasons.count(PageReason.SWEEP) == 14
        assert len(reasons) == 15


def test_cheapest_pages_of_the_oldest_come_first() -> None:
    pages = [page(page_id=number, links=range(number * 10)) for number in range(1, 21)]
    plan = plan_night(pages, [], CONFIG, day(3), PlannerState())
    swept = {one.id for one in plan.pages if one.reason is PageReason.SWEEP}
    others = {one.id for one in plan.pages} - swept
    assert max(swept) <= min(set(range(1, 21)) - swept - others)


def test_month_without_nights_is_made_up_within_a_week_or_two() -> None:
    pages = [page(page_id=number, links=[number]) for number in range(1, 96)]
    *_, (night, after) = live(pages, range(31, 46))
    assert unseen_for(after, night) <= 15


def test_pages_seen_in_the_future_come_first() -> None:
    pages = [page(page_id=number, links=[number]) for number in range(1, 31)]
    pages[17] = replace(pages[17], last_visit=day(4_000))
    plan = plan_night(pages, [], CONFIG, day(2), PlannerState())
    assert 18 in {one.id for one in plan.pages}


@pytest.mark.parametrize("now", [-4_000.0, 0.0, 4_000.0, 400_000.0])
def test_same_history_gives_the_same_plan_whatever_the_clock_says(now: float) -> None:
    pages = [page([(2, number % 3)], page_id=number, links=[number]) for number in range(1, 61)]
    first = plan_night(pages, [], CONFIG, day(now), PlannerState(seed=4))
    again = plan_night(pages, [], CONFIG, day(now), PlannerState(seed=4))
    assert first == again
    assert len({one.id for one in first.pages}) == len(first.pages) >= 1


def test_no_sweep_when_it_is_switched_off() -> None:
    pages = [page(page_id=number, links=[number]) for number in range(1, 101)]
    plan = plan_night(pages, [], RevisitConfig(pages=3, sweep_days=0), day(90), PlannerState())
    assert len(plan.pages) == 3
