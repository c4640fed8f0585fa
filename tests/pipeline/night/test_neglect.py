"""What nobody would notice is told: nights that never began, nights that fail, wrong files."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crawler.catalog.write.publications import announce
from crawler.catalog.write.runs import RunResult, end_run, start_run
from crawler.config.settings import Settings
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.crawl.snapshots import pointer_key
from crawler.pipeline.night.alarm import Alarm, AlarmKind
from crawler.pipeline.night.neglect import neglected
from crawler.pipeline.night.upkeep import upkeep
from crawler.pipeline.services import open_services
from crawler.state.stop import StopReason
from tests.end_to_end.killed_crawl import site_at

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
START = "https://stats.example.org/"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "sites").mkdir()
    return Settings(home=tmp_path / "home", sites_dir=tmp_path / "sites")


def write(settings: Settings, name: str, extra: str = "", days_ago: float = 30) -> None:
    path = settings.sites_dir / f"{name}.yaml"
    path.write_text(f"start_url: {START}\n{extra}")
    moment = (NOW - timedelta(days=days_ago)).timestamp()
    os.utime(path, (moment, moment))


def run(settings: Settings, site: str, began: datetime, reason: StopReason) -> None:
    with open_services(settings) as services:
        run_id = f"{site}-{began:%d%H}"
        start_run(
            services.database,
            run_id=run_id,
            site=site,
            start_url=START,
            strategy="sb",
            started_at=began,
        )
        result = RunResult(stop_reason=reason.value, stop_detail="robots.txt forbids it")
        end_run(services.database, run_id, result, ended_at=began + timedelta(hours=1))


def told(settings: Settings, now: datetime = NOW) -> list[Alarm]:
    with open_services(settings) as services:
        return neglected(settings, services, now)


def test_night_that_never_began_is_told_once_it_is_overdue(settings: Settings) -> None:
    write(settings, "daily")
    write(settings, "young", days_ago=0.1)
    write(settings, "off", "enabled: false\n")
    write(settings, "once", "schedule: '@once'\n")
    (alarm,) = told(settings)
    assert (alarm.kind, alarm.site) == (AlarmKind.NIGHT_MISSING, "daily")
    assert alarm.sentence == "one was due on 16 November 2026 at 00:00 UTC; it never had one"
    run(settings, "daily", NOW - timedelta(hours=11), StopReason.FRONTIER_EMPTY)
    assert told(settings) == []
    later = told(settings, NOW + timedelta(days=1))
    assert [(alarm.kind, alarm.site) for alarm in later] == [
        (AlarmKind.NIGHT_MISSING, "daily"),
        (AlarmKind.NIGHT_MISSING, "young"),
    ]


def test_night_without_requests_counts_as_one(settings: Settings) -> None:
    write(settings, "daily")
    run(settings, "daily", NOW - timedelta(days=3), StopReason.FRONTIER_EMPTY)
    assert len(told(settings)) == 1
    with open_services(settings) as services:
        announce(services.database, "daily", "night", NOW - timedelta(hours=10))
    assert told(settings) == []


def test_site_that_fails_night_after_night_is_told_with_its_reason(settings: Settings) -> None:
    write(settings, "closed")
    for days in (2, 1):
        run(settings, "closed", NOW - timedelta(days=days), StopReason.FORBIDDEN)
    run(settings, "closed", NOW - timedelta(hours=11), StopReason.UNREACHABLE)
    (alarm,) = told(settings)
    assert (alarm.kind, alarm.site) == (AlarmKind.NIGHTS_FAIL, "closed")
    assert alarm.sentence == "the last 3 runs failed; the last one: robots.txt forbids it"


def test_wrong_files_are_one_alarm_that_upkeep_reports(settings: Settings) -> None:
    write(settings, "wrong", "seed: no\n")
    write(settings, "worse", "sed: 1\n")
    done = upkeep(settings, NOW, [])
    (alarm,) = done.alarms
    assert alarm.kind is AlarmKind.SITE_INVALID
    assert alarm.sentence.startswith("2 are not visited until corrected: ")
    assert "wrong.yaml:2: seed" in alarm.sentence
    assert done.as_dict()["neglected"][0]["kind"] == "site_invalid"


def test_snapshot_that_is_older_than_the_last_run_is_told(
    settings: Settings, office: str, tmp_path: Path
) -> None:
    shared = Settings.model_validate(
        {
            "home": settings.home,
            "sites_dir": settings.sites_dir,
            "store_url": (tmp_path / "store").as_uri(),
            "catalog_url": f"sqlite:///{tmp_path / 'catalog.db'}",
        }
    )
    acquire(site_at(office), shared)
    with open_services(shared) as services:
        key = pointer_key("demo")
        first = services.store.get_object(key)
        assert first is not None
        assert neglected(shared, services, NOW) == []
        acquire(site_at(office), shared, fresh=True)
        services.store.put_object(key, first)
        (alarm,) = neglected(shared, services, NOW)
        services.store.delete_object(key)
        (none,) = neglected(shared, services, NOW)
    assert (alarm.kind, alarm.site) == (AlarmKind.SNAPSHOT_OLD, "demo")
    assert "it is of an earlier run" in alarm.sentence
    assert "there is none" in none.sentence
