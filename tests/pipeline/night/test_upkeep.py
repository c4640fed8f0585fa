"""The housekeeping of a night."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import text

from crawler.catalog.read.runs import past_runs
from crawler.catalog.upkeep.verify import ProblemKind
from crawler.catalog.write.lease import acquire_lease
from crawler.catalog.write.runs import start_run
from crawler.config.settings import Settings
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.night.night import NightKind
from crawler.pipeline.night.plan import plan
from crawler.pipeline.night.upkeep import upkeep
from crawler.pipeline.services import open_services
from tests.end_to_end.killed_crawl import site_at


def now() -> datetime:
    return datetime.now(UTC)


def blobs(settings: Settings) -> list[Path]:
    return sorted(path for path in Path(settings.place_of("blobs")).rglob("*") if path.is_file())


def test_all_is_well_after_a_crawl(office: str, settings: Settings) -> None:
    summary = acquire(site_at(office), settings)
    done = upkeep(settings, now(), ["demo"])
    assert done.figures is not None
    assert done.verified is not None
    assert (done.figures.files, done.figures.runs) == (summary.targets, 1)
    assert (done.verified.blobs, done.verified.whole) == (len(blobs(settings)), True)
    assert (done.alarms, done.without_file, done.failures) == ([], (), ())


def test_verification_is_bounded_and_goes_on_the_next_night(
    office: str, settings: Settings
) -> None:
    acquire(site_at(office), settings)
    every = len(blobs(settings))
    few = settings.model_copy(update={"upkeep_blobs": every - 3})
    first, second, third = (upkeep(few, now(), ["demo"]).verified for _ in range(3))
    assert first is not None
    assert second is not None
    assert third is not None
    assert [part.blobs for part in (first, second, third)] == [every - 3, 3, every - 3]
    assert [part.whole for part in (first, second, third)] == [False, True, False]


def test_bytes_that_are_read_are_bounded_too(office: str, settings: Settings) -> None:
    acquire(site_at(office), settings)
    little = settings.model_copy(update={"upkeep_bytes": 1, "upkeep_days": 100_000})
    found = upkeep(little, now(), ["demo"]).verified
    assert found is not None
    assert (found.blobs, found.whole) == (1, False)


def test_every_file_is_read_within_the_days_of_upkeep_however_small_the_limits(
    office: str, settings: Settings
) -> None:
    acquire(site_at(office), settings)
    little = settings.model_copy(update={"upkeep_bytes": 1, "upkeep_blobs": 1, "upkeep_days": 4})
    nights = [upkeep(little, now(), ["demo"]).verified for _ in range(4)]
    assert sum(night.blobs for night in nights if night is not None) >= len(blobs(settings))


def test_damaged_and_missing_files_are_an_alarm(office: str, settings: Settings) -> None:
    acquire(site_at(office), settings)
    gone, changed, cut, *_ = blobs(settings)
    gone.unlink()
    changed.chmod(0o644)
    changed.write_bytes(bytes(len(changed.read_bytes())))
    cut.chmod(0o644)
    cut.write_bytes(cut.read_bytes()[:-1])
    done = upkeep(settings, now(), ["demo"])
    assert done.verified is not None
    found = {(problem.kind, problem.what) for problem in done.verified.problems}
    assert found == {
        (ProblemKind.MISSING_BLOB, gone.name),
        (ProblemKind.WRONG_HASH, changed.name),
        (ProblemKind.WRONG_SIZE, cut.name),
    }
    (alarm,) = done.alarms
    assert f"missing_blob {gone.name}" in alarm.sentence
    assert done.as_dict()["verified"]["wrong"] == 3


def test_what_the_dead_held_is_freed(settings: Settings) -> None:
    with open_services(settings) as services:
        dead = acquire_lease(services.database, "dead", "machine", seconds=0)
        acquire_lease(services.database, "alive", "machine", seconds=600)
        for name, fence, days in (("dead", dead.fence, 3), ("alive", 1, 3), ("young", 0, 0)):
            start_run(
                services.database,
                run_id=f"run-{name}",
                site=name,
                start_url=f"https://{name}.example/",
                strategy="sb",
                started_at=now() - timedelta(days=days),
                fence=fence,
            )
    done = upkeep(settings, now(), ["dead", "alive", "young"])
    assert (done.freed_leases, done.closed_runs) == (("dead",), ("run-dead",))
    with open_services(settings) as services:
        (run,) = past_runs(services.database, "dead")
    assert (run.stop_reason, run.ended_at is not None) == ("interrupted", True)


def test_closed_run_is_still_resumed_beside_a_revisit(office: str, settings: Settings) -> None:
    site = site_at(office, budget={"requests": 9})
    acquire(site, settings)
    upkeep(settings, now() + timedelta(days=3), ["demo"])
    assert plan(site, settings, now()).kind is NightKind.REVISIT


def test_removed_site_is_told_and_keeps_its_files(office: str, settings: Settings) -> None:
    summary = acquire(site_at(office), settings)
    done = upkeep(settings, now(), [])
    assert done.without_file == ("demo",)
    assert done.figures is not None
    assert (done.figures.files, done.alarms) == (summary.targets, [])


def test_leftovers_of_dead_processes_are_swept(settings: Settings) -> None:
    with open_services(settings) as services:
        services.store.spool()
    leftover = Path(settings.place_of("spool")) / "1-dead.part"
    leftover.write_bytes(b"half a file")
    upkeep(settings, now(), [])
    assert not leftover.exists()


def test_what_the_catalog_has_lost_is_recorded_again_from_the_states(
    office: str, settings: Settings
) -> None:
    summary = acquire(site_at(office), settings)
    with open_services(settings) as services, services.database.transaction() as session:
        for table in ("news", "sighting", "version", "resource"):
            session.connection().execute(text("PRAGMA defer_foreign_keys = ON"))
            session.connection().execute(text(f"DELETE FROM {table}"))
    lost = blobs(settings)[0]
    lost.unlink()
    done = upkeep(settings, now(), ["demo"])
    assert done.failures == ()
    repaired = done.repaired["demo"]
    assert repaired.to_fetch >= 1
    assert repaired.recorded + repaired.to_fetch == summary.targets
    assert any("recorded again" in alarm.sentence for alarm in done.alarms)
    again = acquire(site_at(office), settings)
    assert again.targets == repaired.to_fetch
    assert lost.exists()
    assert again.in_all["targets"] == summary.targets
    assert upkeep(settings, now(), ["demo"]).repaired == {}
