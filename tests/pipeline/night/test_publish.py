"""The end of a night: every version is announced once, and the same again when asked again."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from crawler.catalog.db.database import Database, open_database
from crawler.catalog.upkeep.removal import remove
from crawler.catalog.write.ingest import Ingest
from crawler.catalog.write.publications import announce
from crawler.catalog.write.runs import RunResult, end_run, start_run
from crawler.config.settings import Settings
from crawler.pipeline.night.alarm import AlarmKind
from crawler.pipeline.night.night import BudgetFrom, Night, NightKind
from crawler.pipeline.night.publish import publish
from crawler.pipeline.services import open_services
from crawler.state.stop import StopReason
from tests.catalog.recorded import NIGHT, START, kept

NOW = datetime(2026, 11, 16, 3, 0, tzinfo=UTC)
OFFICE = "https://stats.example.org"


@pytest.fixture(params=["sqlite", "postgresql"])
def catalog(
    request: pytest.FixtureRequest, settings: Settings
) -> Iterator[tuple[Database, Settings]]:
    if request.param == "postgresql":
        url = str(request.getfixturevalue("postgres_catalog_url"))
        settings = Settings(home=settings.home, catalog_url=url)
    database = open_database(settings.database_url)
    database.ready()
    yield database, settings
    database.close()


def ingest_in(database: Database, run_id: str) -> Ingest:
    start_run(
        database,
        run_id=run_id,
        site="stats",
        start_url=START,
        strategy="sb",
        started_at=NIGHT,
    )
    return Ingest(database, "stats", START, run_id)


def night(key: str, run_id: str = "run-1", kind: NightKind = NightKind.CONTINUE) -> Night:
    return Night("stats", kind, key, run_id, 100, BudgetFrom.DEFAULT, "why")


def test_every_version_is_announced_by_one_night(catalog: tuple[Database, Settings]) -> None:
    database, settings = catalog
    ingest = ingest_in(database, "run-1")
    ingest.keep(kept(b"a", url=f"{OFFICE}/a.csv", anchor="Births"))
    ingest.keep(kept(b"b", url=f"{OFFICE}/b.csv", anchor="Deaths"))
    first = publish(settings, night("one"), NOW).announced
    assert (first.new_files, first.new_datasets, first.changed_files) == (2, 2, 0)
    assert (len(first.new_ids), first.bytes, dict(first.verdicts)) == (2, 2, {"unchecked": 2})
    ingest.keep(kept(b"A", url=f"{OFFICE}/a.csv", anchor="Births"))
    ingest.keep(kept(b"c", url=f"{OFFICE}/c.csv", anchor="Moves"))
    second = publish(settings, night("two"), NOW).announced
    assert (second.new_files, second.new_datasets, second.changed_files) == (1, 1, 1)
    assert second.changed_ids == first.new_ids[:1]
    assert publish(settings, night("three"), NOW).empty


def test_same_night_tells_the_same_again(catalog: tuple[Database, Settings]) -> None:
    database, settings = catalog
    ingest = ingest_in(database, "run-1")
    ingest.keep(kept(b"a", url=f"{OFFICE}/a.csv"))
    first = publish(settings, night("one"), NOW)
    assert publish(settings, night("one"), NOW + timedelta(hours=1)) == first


def test_what_comes_after_a_failed_night_joins_it(catalog: tuple[Database, Settings]) -> None:
    database, settings = catalog
    ingest = ingest_in(database, "run-1")
    ingest.keep(kept(b"a", url=f"{OFFICE}/a.csv", anchor="Births"))
    publish(settings, night("one"), NOW)
    ingest.keep(kept(b"b", url=f"{OFFICE}/b.csv", anchor="Deaths"))
    assert publish(settings, night("one"), NOW).announced.new_files == 2
    ingest.keep(kept(b"c", url=f"{OFFICE}/c.csv", anchor="Moves"))
    assert publish(settings, night("two"), NOW).announced.new_files == 1
    assert publish(settings, night("one"), NOW).announced.new_files == 2


def test_file_that_joins_an_old_dataset_makes_no_new_one(
    catalog: tuple[Database, Settings],
) -> None:
    database, settings = catalog
    ingest = ingest_in(database, "run-1")
    page = {"page_url": f"{OFFICE}/births", "page_title": "Births", "anchor": "Births by region"}
    ingest.keep(kept(b"a", url=f"{OFFICE}/births.csv", **page))
    publish(settings, night("one"), NOW)
    ingest.keep(kept(b"b", url=f"{OFFICE}/births.xlsx", format="excel", **page))
    told = publish(settings, night("two"), NOW).announced
    assert (told.new_files, told.new_datasets, told.new_ids) == (1, 0, ())


def test_file_that_was_taken_down_is_not_announced(settings: Settings) -> None:
    with open_services(settings) as services:
        database = services.database
        ingest = ingest_in(database, "run-1")
        ingest.keep(kept(b"a", url=f"{OFFICE}/a.csv"))
        told = announce(database, "stats", "one", NOW)
        remove(database, services.store, told.new_ids[0], "asked for by the publisher")
        assert announce(database, "stats", "one", NOW).empty


def test_site_that_nobody_crawled_has_nothing_to_announce(settings: Settings) -> None:
    assert publish(settings, night("one", kind=NightKind.NOTHING), NOW).empty


def test_event_is_small_and_plain_json(settings: Settings) -> None:
    told = publish(settings, night("one"), NOW).as_dict()
    assert told == {
        "site": "stats",
        "night": "one",
        "run_id": "",
        "new_files": 0,
        "changed_files": 0,
        "bytes": 0,
        "new_datasets": 0,
        "new_ids": [],
        "changed_ids": [],
        "gone_files": 0,
        "gone_ids": [],
        "verdicts": {},
    }


def complete(settings: Settings, run_id: str, targets: int, days_ago: int) -> None:
    with open_services(settings) as services:
        at = NOW - timedelta(days=days_ago)
        start_run(
            services.database,
            run_id=run_id,
            site="stats",
            start_url=START,
            strategy="sb",
            started_at=at,
        )
        reason = StopReason.FRONTIER_EMPTY.value
        result = RunResult(reason, requests=500, targets=targets)
        end_run(services.database, run_id, result, ended_at=at)


def test_yield_that_fell_to_zero_is_an_alarm_of_the_night_that_saw_it(settings: Settings) -> None:
    complete(settings, "run-1", 80, days_ago=7)
    complete(settings, "run-2", 0, days_ago=0)
    (alarm,) = publish(settings, night("n", "run-2", NightKind.AGAIN), NOW).alarms
    assert (alarm.kind, alarm.site, alarm.run_id) == (AlarmKind.YIELD_ZERO, "stats", "run-2")
    assert alarm.sentence == "0 files, where 80 were usual"
    nothing = night("m", "run-3", NightKind.NOTHING)
    assert publish(settings, nothing, NOW).alarms == ()
