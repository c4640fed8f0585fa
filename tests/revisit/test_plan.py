"""The plan of a night: history in, plan out."""

from crawler.config.revisit import RevisitConfig, RevisitStrategyName
from crawler.revisit.observe import PageSeen, observe_page
from crawler.revisit.page_history import PageHistory
from crawler.revisit.plan import plan_night
from crawler.revisit.planner_state import PlannerState
from crawler.revisit.visit_log import SECONDS_PER_DAY, Outcome

NOW = 1_700_000_000.0


def visited(page_id: int, days_ago: float, targets: int = 0) -> PageHistory:
    at = NOW - days_ago * SECONDS_PER_DAY
    seen = PageSeen(at, Outcome.NEW, outlinks=[1, 2], new_targets=range(targets))
    return observe_page(PageHistory(page_id, "list", at), seen)


def test_round_robin_visits_the_oldest_pages_first() -> None:
    pages = [visited(1, 3), visited(2, 9), visited(3, 6)]
    config = RevisitConfig(name=RevisitStrategyName.RR, pages=2)
    plan = plan_night(pages, [], config, NOW, PlannerState())
    assert [page.id for page in plan.pages] == [2, 3]
    assert plan.state.nights == 1
    assert plan.state.last_night == NOW


def test_od_win_visits_the_pages_with_the_best_average() -> None:
    pages = [visited(1, 3, targets=1), visited(2, 9), visited(3, 6, targets=5)]
    config = RevisitConfig(name=RevisitStrategyName.OD_WIN, pages=2)
    plan = plan_night(pages, [], config, NOW, PlannerState())
    assert [page.id for page in plan.pages] == [3, 1]
