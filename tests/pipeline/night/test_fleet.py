"""The fleet shares a night's requests between sites, by what they yielded."""

from datetime import UTC, datetime, timedelta

import pytest

from crawler.catalog.write.runs import RunResult, end_run, start_run
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.learning.group_score import Score
from crawler.pipeline.night.fleet import Share, forget, set_by_hand, share_out, shares
from crawler.pipeline.night.night import BudgetFrom, NightKind
from crawler.pipeline.night.plan import plan
from crawler.pipeline.services import open_services
from crawler.state.run import RunKind
from crawler.state.stop import StopReason

NOW = datetime(2026, 11, 16, 20, 0, tzinfo=UTC)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"fleet_requests": 4000})


def site(name: str, **values: object) -> SiteConfig:
    start = f"https://{name}.example/"
    return SiteConfig.model_validate({"name": name, "start_url": start, **values})


def crawled(
    settings: Settings,
    name: str,
    *,
    requests: int,
    files: int,
    reason: StopReason = StopReason.BUDGET_REQUESTS,
    ago: timedelta = timedelta(days=1),
    kind: RunKind = RunKind.ACQUIRE,
) -> None:
    """A run of yesterday, whose files were all new."""
    with open_services(settings) as services:
        at = NOW - ago
        run_id = f"{at:%Y%m%dT%H%M%SZ}-{name}"
        start_run(
            services.database,
            run_id=run_id,
            site=name,
            start_url=f"https://{name}.example/",
            strategy="sb",
            started_at=at,
            kind=kind,
        )
        result = RunResult(reason.value, requests=requests, targets=files)
        end_run(services.database, run_id, result, ended_at=at)
        with services.database.transaction() as session:
            session.connection().exec_driver_sql(
                f"UPDATE crawl_run SET new_versions = {files} WHERE id = '{run_id}'"
            )


def by_name(told: list[Share]) -> dict[str, Share]:
    return {each.site: each for each in told}


def test_site_that_gave_more_gets_more(settings: Settings) -> None:
    crawled(settings, "rich", requests=100_000, files=40_000)
    crawled(settings, "poor", requests=100_000, files=10)
    told = by_name(share_out([site("rich"), site("poor")], settings, NOW))
    assert told["rich"].requests > 3400
    assert 400 <= told["poor"].requests < 600
    assert told["rich"].requests + told["poor"].requests == 4000
    assert (told["rich"].good, told["rich"].asked) == (40_000, 100_000)
    assert "ranked by success_rate (success rate 0.67" in told["rich"].reason
    assert "400 for every site" in told["rich"].reason


def test_plan_reads_what_the_fleet_wrote(settings: Settings) -> None:
    told = by_name(share_out([site("one"), site("two")], settings, NOW))
    night = plan(site("one"), settings, NOW + timedelta(hours=5))
    assert (night.requests, night.budget_from) == (told["one"].requests, BudgetFrom.FLEET)
    assert plan(site("one"), settings, NOW + timedelta(days=3)).budget_from is BudgetFrom.DEFAULT


def test_site_with_a_budget_of_its_own_keeps_it(settings: Settings) -> None:
    told = by_name(share_out([site("own", budget={"requests": 70}), site("other")], settings, NOW))
    assert (told["own"].requests, told["own"].budget_from) == (70, "site")
    assert told["other"].requests == 4000


def test_what_a_person_decides_stays_until_it_is_taken_away(settings: Settings) -> None:
    sites = [site("one"), site("two")]
    set_by_hand(settings, "one", 123, NOW)
    told = by_name(share_out(sites, settings, NOW))
    assert (told["one"].requests, told["one"].budget_from) == (123, "hand")
    assert told["two"].requests == 4000
    assert forget(settings, "one")
    assert not forget(settings, "one")
    assert by_name(share_out(sites, settings, NOW))["one"].budget_from == "fleet"


def test_complete_site_leaves_its_share_to_the_others(settings: Settings) -> None:
    crawled(settings, "done", requests=100, files=90, reason=StopReason.FRONTIER_EMPTY)
    told = by_name(share_out([site("done"), site("other")], settings, NOW))
    # A revisit costs little: at most twice the last ones, here of a share of the crawl before it.
    assert 0 < told["done"].requests <= 60
    assert told["other"].requests == 4000 - told["done"].requests
    assert plan(site("done"), settings, NOW).kind is NightKind.REVISIT


def test_site_whose_night_it_is_not_leaves_its_share_to_the_others(settings: Settings) -> None:
    # The 16th of November 2026 is a Monday.
    told = by_name(share_out([site("weekly", schedule="0 3 * * 4"), site("daily")], settings, NOW))
    assert told["daily"].requests == 4000
    assert told["weekly"].budget_from == "default"


def test_slow_site_gets_no_more_than_its_manners_allow(settings: Settings) -> None:
    slow = site("slow", politeness={"delay": 30}, budget={"minutes": 60})
    told = by_name(share_out([slow, site("fast")], settings, NOW))
    assert told["slow"].requests <= 120
    assert told["slow"].requests + told["fast"].requests == 4000


def test_disabled_site_gets_nothing(settings: Settings) -> None:
    told = by_name(share_out([site("off", enabled=False), site("on")], settings, NOW))
    assert list(told) == ["on"]


def test_same_date_and_seed_share_alike(settings: Settings) -> None:
    sites = [site(name) for name in "abcde"]
    first = share_out(sites, settings, NOW)
    assert share_out(sites[::-1], settings, NOW + timedelta(hours=1)) == first
    assert shares(sites, settings, NOW) == first
    other_seed = settings.model_copy(update={"fleet_seed": 1})
    assert share_out(sites, other_seed, NOW) != first


def test_without_a_budget_of_the_fleet_every_site_has_the_default(settings: Settings) -> None:
    share_out([site("one")], settings, NOW)
    nothing = settings.model_copy(update={"fleet_requests": None})
    (told,) = share_out([site("one")], nothing, NOW)
    assert (told.requests, told.budget_from) == (20_000, "default")


def test_score_is_a_matter_of_settings(settings: Settings) -> None:
    crawled(settings, "rich", requests=100_000, files=90_000)
    crawled(settings, "poor", requests=90, files=1)
    ranked = {"fleet_lambda": 0.0, "fleet_floor": 0.0}
    best = settings.model_copy(update=ranked | {"fleet_score": Score.SUCCESS_RATE})
    told = by_name(share_out([site("rich"), site("poor")], best, NOW))
    assert (told["poor"].requests, told["rich"].requests) == (0, 4000)
    unknown = settings.model_copy(update=ranked | {"fleet_score": Score.NEGATIVE_ABSOLUTE_BAD})
    told = by_name(share_out([site("rich"), site("poor"), site("new")], unknown, NOW))
    assert (told["poor"].requests, told["rich"].requests) == (0, 0)


def test_no_site_starves_however_much_was_crawled_before(settings: Settings) -> None:
    """50 sites, 20,000 requests, a million before: one site got 19,910 of them, and 41 got none."""
    sites = [site(f"site{number:02}") for number in range(50)]
    for number in range(50):
        crawled(settings, f"site{number:02}", requests=20_000, files=200 * number)
    told = share_out(sites, settings.model_copy(update={"fleet_requests": 20_000}), NOW)
    assert sum(each.requests for each in told) == 20_000
    assert min(each.requests for each in told) >= 80
    assert max(each.requests for each in told) <= 20_000 - 49 * 80
    assert by_name(told)["site49"].requests > 10_000


def test_first_night_does_not_go_by_the_alphabet(settings: Settings) -> None:
    sites = [site(name) for name in "abcdefghij"]
    told = by_name(share_out(sites, settings, NOW))
    assert min(each.requests for each in told.values()) >= 80
    others = settings.model_copy(update={"fleet_requests": 1000})
    firsts = set()
    for day in range(12):
        told = by_name(share_out(sites, others, NOW + timedelta(days=day)))
        firsts.add(max(told, key=lambda name: told[name].requests))
    assert len(firsts) > 3


def test_sites_without_history_come_before_the_ranked(settings: Settings) -> None:
    crawled(settings, "rich", requests=1000, files=900)
    told = by_name(share_out([site("rich"), site("new"), site("newer")], settings, NOW))
    assert told["new"].requests >= 500
    assert told["newer"].requests >= 500
    assert "it was never crawled" in told["new"].reason


def test_what_revisits_take_is_reserved_first(settings: Settings) -> None:
    crawled(settings, "rich", requests=1000, files=900)
    for days in (1, 2):
        crawled(
            settings,
            "known",
            requests=700,
            files=0,
            reason=StopReason.FRONTIER_EMPTY,
            ago=timedelta(days=days),
            kind=RunKind.REVISIT,
        )
    told = by_name(share_out([site("rich"), site("known")], settings, NOW))
    assert told["known"].requests >= 700
    assert "700 for its revisit" in told["known"].reason


def test_what_a_visit_gave_counts_by_its_cost_and_its_age(settings: Settings) -> None:
    # A large crawl of long ago against two small visits of this week.
    crawled(settings, "once", requests=100_000, files=50_000, ago=timedelta(days=300))
    crawled(settings, "once", requests=1000, files=0)
    crawled(settings, "now", requests=50, files=20)
    told = by_name(share_out([site("once"), site("now")], settings, NOW))
    assert told["now"].requests > 2 * told["once"].requests


def test_second_night_of_the_evening_gets_what_is_left(settings: Settings) -> None:
    share_out([site("one")], settings, NOW - timedelta(hours=2))
    crawled(settings, "one", requests=3900, files=0, ago=timedelta(hours=1))
    night = plan(site("one"), settings, NOW)
    assert (night.requests, night.kind.crawls) == (100, True)
    crawled(settings, "one", requests=100, files=0, ago=timedelta(minutes=10))
    night = plan(site("one"), settings, NOW)
    assert (night.kind, night.requests) == (NightKind.NOTHING, 0)
    assert night.reason == "its allotment of 4,000 requests is used up"
    (told,) = shares([site("one")], settings, NOW)
    assert (told.requests, told.used) == (4000, 4000)
    # Sharing again in the same night gives nothing back; the next evening does.
    share_out([site("one")], settings, NOW)
    assert plan(site("one"), settings, NOW).kind is NightKind.NOTHING
    share_out([site("one")], settings, NOW + timedelta(days=1))
    assert plan(site("one"), settings, NOW + timedelta(days=1)).requests == 4000


def test_run_that_broke_off_keeps_the_rest_of_its_budget(settings: Settings) -> None:
    share_out([site("one")], settings, NOW - timedelta(hours=2))
    ago = timedelta(hours=1)
    crawled(settings, "one", requests=900, files=0, ago=ago, reason=StopReason.INTERRUPTED)
    night = plan(site("one"), settings, NOW)
    # The same run: its own 900 requests count inside it.
    assert night.run_id.endswith("-one")
    assert night.requests == 4000


def test_allotment_by_hand_is_for_one_night_at_a_time(settings: Settings) -> None:
    set_by_hand(settings, "one", 300, NOW - timedelta(days=9))
    crawled(settings, "one", requests=300, files=0, ago=timedelta(hours=2))
    assert plan(site("one"), settings, NOW).kind is NightKind.NOTHING
    assert plan(site("one"), settings, NOW + timedelta(days=1)).requests == 300


def test_starved_sites_are_alarmed(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    sites = [site(f"s{number}") for number in range(30)]
    share_out(sites, settings, NOW)
    assert "alarm" not in caplog.text
    share_out(sites, settings.model_copy(update={"fleet_requests": 20}), NOW)
    assert "10 of 30 sites get fewer requests tonight than their floor" in caplog.text
    assert "TALLYHO_FLEET_REQUESTS is 20, and 10 are missing" in caplog.text


def test_revisits_that_cannot_be_afforded_are_alarmed(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("one", "two"):
        crawled(
            settings,
            name,
            requests=3000,
            files=0,
            reason=StopReason.FRONTIER_EMPTY,
            kind=RunKind.REVISIT,
        )
    told = by_name(share_out([site("one"), site("two")], settings, NOW))
    assert told["one"].requests == told["two"].requests == 2000
    assert "2 of 2 sites get fewer requests" in caplog.text
    assert "one, two" in caplog.text
