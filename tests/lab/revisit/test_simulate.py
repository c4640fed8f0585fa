"""Nights of small sites: what is found, what it costs; only GREEDY foresees anything."""

from collections.abc import Mapping

import pytest

from crawler.config.revisit import RevisitConfig, RevisitStrategyName
from crawler.lab.revisit.compare import Nights, compare_revisits, read_strategies
from crawler.lab.revisit.known_links import KnownLinks
from crawler.lab.revisit.recorded_nights import RecordedNights
from crawler.lab.revisit.simulate import GREEDY, Simulated, simulate
from tests.lab.revisit.changing_sites import SHAPES, open_small

pytestmark = pytest.mark.slow

NIGHTS = 12
NAMES = [name.value for name in RevisitStrategyName]


def lived(strategy: str, site: str = "weekly", seed: int = 1, pages: int = 4) -> Simulated:
    name = RevisitStrategyName.RR if strategy == GREEDY else RevisitStrategyName(strategy)
    config = RevisitConfig(name=name, pages=pages, files=5, sweep_days=0)
    nights = RecordedNights(open_small(site, seed), NIGHTS)
    return simulate(nights, strategy, config, NIGHTS, seed)


@pytest.mark.parametrize("site", sorted(SHAPES))
def test_greedy_finds_all_that_its_budget_reaches(site: str) -> None:
    run = lived(GREEDY, site, pages=1_000)
    assert run.appeared
    assert run.coverage(0) == 1.0
    assert run.mean_delay == 0.0


@pytest.mark.parametrize("strategy", NAMES)
def test_budget_is_kept_and_nothing_is_found_before_it_is_there(strategy: str) -> None:
    run = lived(strategy)
    assert max(run.page_visits) <= 4
    assert all(run.appeared[file] <= night for file, night in run.found.items())
    assert run.count(0) <= run.count(3) + len(run.appeared) - run.due(3)


@pytest.mark.parametrize("strategy", ["tallyho", "bandit", "ltr"])
def test_same_seed_gives_the_same_nights(strategy: str) -> None:
    assert lived(strategy) == lived(strategy)


def test_all_pages_a_night_find_everything() -> None:
    run = lived("rr", pages=10_000)
    assert run.coverage(0) == 1.0


def test_ours_finds_more_than_visits_in_turn() -> None:
    ours = sum(lived("tallyho", seed=seed).count(3) for seed in range(3))
    in_turn = sum(lived("rr", seed=seed).count(3) for seed in range(3))
    assert ours > in_turn


class OneFile:
    """A page with one file that changes every other night and is removed on night 9."""

    name = "one-file"

    def pages(self, night: int) -> list[str]:
        return ["/"]

    def links(self, night: int, page: str) -> tuple[str, ...]:
        return ("/a.csv",)

    def dates(self, night: int, page: str) -> tuple[int, ...]:
        return ()

    def files(self, night: int) -> Mapping[str, int]:
        return {"/a.csv": night // 2} if night < 9 else {}

    def modified(self, night: int, file: str) -> int | None:
        return None

    def template(self, page: str) -> str:
        return "home"


def test_staleness_and_gone_files_by_hand() -> None:
    nights = RecordedNights(OneFile(), 20)
    daily = simulate(nights, "rr", RevisitConfig(name="rr", pages=1, files=1), 20, 1)
    assert daily.staleness == daily.staleness_in_turn == 0.0
    assert (daily.removed, daily.marked_gone) == (1, 1)
    never = simulate(nights, "rr", RevisitConfig(name="rr", pages=1, files=0), 20, 1)
    # Stale from night 2 to 8, by 1 to 7 nights: 28 in eight nights.
    assert never.staleness == pytest.approx(28 / 8)
    assert never.marked_gone == 0


def test_files_behind_a_page_that_nothing_links_to_are_unlinked() -> None:
    links = KnownLinks()
    links.read("/", ["/list"])
    links.read("/list", ["/page", "/a.csv"])
    links.read("/page", ["/b.csv", "/a.csv"])
    assert links.read("/list", ["/a.csv"]) == {"/page", "/b.csv"}
    assert links.read("/list", []) == {"/a.csv"}


def test_comparison_has_a_cell_for_every_strategy_and_reports_failures() -> None:
    compared = compare_revisits(
        open_small, ["weekly", "nowhere"], ["rr", "tallyho"], [1, 2], Nights(5, 3, 0.2)
    )
    assert [(cell.site, cell.strategy) for cell in compared.cells] == [
        ("weekly", GREEDY),
        ("weekly", "rr"),
        ("weekly", "tallyho"),
    ]
    assert all(cell.seeds == (1, 2) for cell in compared.cells)
    assert [failure.what for failure in compared.failures] == [
        "nowhere (seed 1)",
        "nowhere (seed 2)",
    ]


@pytest.mark.parametrize("text", ["", "rr,rr", "best"])
def test_bad_lists_of_strategies_are_refused(text: str) -> None:
    with pytest.raises(Exception, match=r"named|no strategy"):
        read_strategies(text)
