"""The fleet shares a night's requests between sites, by what they yielded."""

from datetime import UTC, datetime, timedelta

import pytest

from crawler.catalog.write.runs import RunResult, end_run, start_run
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.learning.host_bandit import Score
from crawler.pipeline.night.fleet import Share, forget, set_by_hand, share_out, shares
from crawler.pipeline.night.night import BudgetFrom, NightKind
from crawler.pipeline.night.plan import plan
from crawler.pipeline.services import open_services
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
) -> None:
    """A run of yesterday, whose files were all new."""
    with open_services(settings) as services:
        run_id, at = f"run-{name}", NOW - timedelta(days=1)
        start_run(
            services.database,
            run_id=run_id,
            site=name,
            start_url=f"https://{name}.example/",
            strategy="sb",
            started_at=at,
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
    assert told["rich"].requests > 3500
    assert 0 < told["poor"].requests < 500
    assert told["rich"].requests + told["poor"].requests == 4000
    assert "40,000 new files in 100,000 requests" in told["rich"].reason


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
    # A revisit costs little: at most twice the last ones, here a share of the crawl before it.
    assert 0 < told["done"].requests <= 55
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
    bad = settings.model_copy(
        update={"fleet_score": Score.NEGATIVE_ABSOLUTE_BAD, "fleet_lambda": 0.0}
    )
    told = by_name(share_out([site("rich"), site("poor")], bad, NOW))
    assert (told["poor"].requests, told["rich"].requests) == (4000, 0)
