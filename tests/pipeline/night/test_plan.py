"""What a night is for a site, and with which budget."""

from datetime import UTC, datetime, timedelta

import pytest

from crawler.catalog.db.models import AllottedBy
from crawler.catalog.write.allotments import Allotted, allot_by_hand, write_allotments
from crawler.catalog.write.runs import RunResult, end_run, start_run
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.pipeline.night.night import BudgetFrom, ByHand, Night, NightKind
from crawler.pipeline.night.plan import plan
from crawler.pipeline.services import open_services
from crawler.state.run import RunKind
from crawler.state.stop import StopReason

NOW = datetime(2026, 11, 16, 2, 0, tzinfo=UTC)
START = "https://office.example/"


def site(**values: object) -> SiteConfig:
    return SiteConfig.model_validate({"name": "office", "start_url": START, **values})


def record(
    settings: Settings,
    *,
    ended: StopReason | None,
    ago: timedelta = timedelta(hours=24),
    name: str = "office",
    run_id: str = "run-1",
    kind: RunKind = RunKind.ACQUIRE,
) -> None:
    """A run of the past; without a reason its process died."""
    with open_services(settings) as services:
        began = NOW - ago
        start_run(
            services.database,
            run_id=run_id,
            site=name,
            start_url=START,
            strategy="sb",
            started_at=began,
            kind=kind,
        )
        if ended is not None:
            at = None if ended is StopReason.SLICE_ENDED else began
            end_run(services.database, run_id, RunResult(ended.value), ended_at=at)


def test_site_that_was_never_crawled_has_its_first_night(settings: Settings) -> None:
    night = plan(site(), settings, NOW)
    assert (night.kind, night.requests) == (NightKind.FIRST, 20_000)
    assert night.reason == "it was never crawled, so this is its first acquisition"


@pytest.mark.parametrize(
    "ended",
    [
        None,
        StopReason.SLICE_ENDED,
        StopReason.INTERRUPTED,
        StopReason.FORBIDDEN,
        StopReason.UNREACHABLE,
        StopReason.DISK_FULL,
    ],
)
def test_acquisition_that_did_not_finish_goes_on(
    settings: Settings, ended: StopReason | None
) -> None:
    record(settings, ended=ended)
    night = plan(site(), settings, NOW)
    assert (night.kind, night.run_id != "run-1") == (NightKind.CONTINUE, True)


@pytest.mark.parametrize("ended", [None, StopReason.SLICE_ENDED, StopReason.UNREACHABLE])
def test_run_of_the_same_night_goes_on_under_its_id(
    settings: Settings, ended: StopReason | None
) -> None:
    record(settings, ended=ended, ago=timedelta(hours=3))
    assert plan(site(), settings, NOW).run_id == "run-1"


def test_acquisition_whose_budget_is_spent_shares_the_next_night_with_a_revisit(
    settings: Settings,
) -> None:
    record(settings, ended=StopReason.BUDGET_REQUESTS, ago=timedelta(hours=3))
    night = plan(site(), settings, NOW)
    assert (night.kind, night.run_id != "run-1") == (NightKind.REVISIT, True)
    assert "then its acquisition is resumed" in night.reason


@pytest.mark.parametrize(
    ("days", "every", "kind"),
    [
        (1, 7, NightKind.REVISIT),
        (6.9, 7, NightKind.REVISIT),
        (7, 7, NightKind.AGAIN),
        (1, 0, NightKind.AGAIN),
        (20, 30, NightKind.REVISIT),
        (400, None, NightKind.REVISIT),
    ],
)
def test_known_site_is_revisited_until_a_full_crawl_is_due(
    settings: Settings, days: float, every: float | None, kind: NightKind
) -> None:
    record(settings, ended=StopReason.YIELD_EXHAUSTED, ago=timedelta(days=days))
    assert plan(site(revisit={"full_every_days": every}), settings, NOW).kind is kind


def test_former_name_of_the_full_crawl_is_understood(settings: Settings) -> None:
    record(settings, ended=StopReason.YIELD_EXHAUSTED, ago=timedelta(days=8))
    assert plan(site(revisit={"every_days": 7}), settings, NOW).kind is NightKind.AGAIN


def test_revisits_do_not_put_off_a_full_crawl(settings: Settings) -> None:
    record(settings, ended=StopReason.FRONTIER_EMPTY, ago=timedelta(days=8))
    record(
        settings,
        ended=StopReason.FRONTIER_EMPTY,
        ago=timedelta(days=1),
        run_id="run-2",
        kind=RunKind.REVISIT,
    )
    assert plan(site(revisit={"full_every_days": 7}), settings, NOW).kind is NightKind.AGAIN
    assert plan(site(), settings, NOW).kind is NightKind.REVISIT


def test_revisit_that_broke_off_is_resumed_as_a_revisit(settings: Settings) -> None:
    record(settings, ended=StopReason.FRONTIER_EMPTY, ago=timedelta(days=8))
    record(settings, ended=None, ago=timedelta(hours=1), run_id="run-2", kind=RunKind.REVISIT)
    night = plan(site(), settings, NOW)
    assert (night.kind, night.run_id) == (NightKind.REVISIT, "run-2")


def test_somebody_can_want_it_crawled_afresh(settings: Settings) -> None:
    record(settings, ended=StopReason.FRONTIER_EMPTY)
    night = plan(site(), settings, NOW, by_hand=ByHand(requests=50, fresh=True, strategy="bfs"))
    assert (night.kind, night.requests, night.budget_from) == (
        NightKind.AGAIN,
        50,
        BudgetFrom.HAND,
    )
    assert night.applied_to(site()).strategy.name == "bfs"


def test_site_that_starts_elsewhere_is_crawled_afresh_and_says_so(settings: Settings) -> None:
    record(settings, ended=StopReason.FRONTIER_EMPTY)
    night = plan(site(start_url="https://office.example/new/"), settings, NOW)
    assert night.kind is NightKind.AGAIN
    assert night.reason.startswith(f"it started at {START} and now starts at {START}new/")


def test_renamed_site_is_recognised_by_its_start_page(settings: Settings) -> None:
    record(settings, ended=StopReason.FRONTIER_EMPTY, name="old-office")
    night = plan(site(), settings, NOW, configured=["office"])
    assert night.kind is NightKind.FIRST
    assert len(night.notes) == 1
    assert "old-office" in night.notes[0]


def test_two_sites_with_one_start_page_are_two_sites(settings: Settings) -> None:
    record(settings, ended=StopReason.FRONTIER_EMPTY, name="other")
    assert plan(site(), settings, NOW, configured=["office", "other"]).notes == ()


def allot(settings: Settings, requests: int, by: AllottedBy, **more: datetime) -> None:
    allotted = Allotted("office", requests, by, "because", NOW, **more)
    with open_services(settings) as services:
        if by is AllottedBy.HAND:
            allot_by_hand(services.database, allotted)
        else:
            write_allotments(services.database, [allotted])


def test_budget_is_the_sites_own_before_all_others(settings: Settings) -> None:
    allot(settings, 300, AllottedBy.HAND)
    night = plan(site(budget={"requests": 77}), settings, NOW)
    assert (night.requests, night.budget_from) == (77, BudgetFrom.SITE)


def test_budget_is_what_the_fleet_allotted(settings: Settings) -> None:
    allot(settings, 300, AllottedBy.FLEET, expires_at=NOW + timedelta(hours=1))
    night = plan(site(budget={"minutes": 30}), settings, NOW)
    assert (night.requests, night.budget_from) == (300, BudgetFrom.FLEET)
    assert night.applied_to(site(budget={"minutes": 30})).budget.minutes == 30


def test_old_allotment_binds_nobody(settings: Settings) -> None:
    allot(settings, 300, AllottedBy.FLEET, expires_at=NOW - timedelta(hours=1))
    night = plan(site(), settings, NOW)
    assert (night.requests, night.budget_from) == (20_000, BudgetFrom.DEFAULT)


def test_what_a_person_allots_stays_when_the_fleet_shares_anew(settings: Settings) -> None:
    allot(settings, 300, AllottedBy.HAND)
    allot(settings, 900, AllottedBy.FLEET, expires_at=NOW + timedelta(hours=1))
    night = plan(site(), settings, NOW)
    assert (night.requests, night.budget_from) == (300, BudgetFrom.HAND)


def test_site_without_requests_rests(settings: Settings) -> None:
    allot(settings, 0, AllottedBy.HAND)
    night = plan(site(), settings, NOW)
    assert (night.kind, night.reason) == (
        NightKind.NOTHING,
        "no requests were allotted to it tonight",
    )


def test_night_is_handed_from_task_to_task(settings: Settings) -> None:
    night = plan(site(), settings, NOW, key="scheduled__2026")
    assert Night.from_dict(night.as_dict()) == night


def test_a_night_under_a_clock_ten_years_ahead_does_not_put_the_site_to_rest(
    settings: Settings,
) -> None:
    record(settings, ended=StopReason.FRONTIER_EMPTY, ago=timedelta(days=-3650))
    night = plan(site(), settings, NOW)
    assert night.kind is NightKind.AGAIN
    assert "dated in the future" in night.reason
    assert any("a clock was wrong" in note for note in night.notes)
    day = timedelta(days=1)
    record(settings, run_id="run-2", ended=StopReason.FRONTIER_EMPTY, ago=day)
    night = plan(site(), settings, NOW)
    assert night.kind is NightKind.REVISIT
    assert any("a clock was wrong" in note for note in night.notes)
