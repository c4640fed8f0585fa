"""Run records."""

from datetime import UTC, datetime, timedelta

import pytest

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import RunRow
from crawler.catalog.write.lease import acquire_lease, release
from crawler.catalog.write.runs import (
    MAX_POINTS,
    ActionSummary,
    RunResult,
    abandoned_runs,
    active_runs,
    end_run,
    start_run,
)
from crawler.errors import SiteBusy
from crawler.state.run import RunKind
from tests.catalog.recorded import NIGHT, START, ingest_of, kept, rows

RESULT = RunResult(
    stop_reason="frontier_empty",
    stop_detail="nothing\x00left",
    requests=120,
    heads=30,
    pages=80,
    targets=7,
    bytes_received=9 * 1024**3,
    skipped={"off_site": 4},
    curve=[(1, 0), (120, 7)],
    actions=[ActionSummary(3, "html body a", 10, 1.5)],
)


def begin(database: Database, run_id: str, fence: int = 0, site: str = "stats") -> None:
    start_run(
        database,
        run_id=run_id,
        site=site,
        start_url=START,
        strategy="sb",
        started_at=datetime.now(UTC),
        fence=fence,
    )


def loaded(database: Database, run_id: str) -> RunRow:
    with database.reading() as session:
        run = session.get(RunRow, run_id)
    assert run is not None
    return run


def test_run_is_recorded_from_its_begin_to_its_end(database: Database) -> None:
    ingest = ingest_of(database)
    began = loaded(database, "run-1")
    assert (began.kind, began.ended_at, began.stop_reason) == (RunKind.ACQUIRE, None, "")
    ingest.keep(kept(b"a"))
    ingest.keep(kept(b"b"))
    ended_at = NIGHT + timedelta(hours=2)
    end_run(database, "run-1", RESULT, ended_at=ended_at)
    run = loaded(database, "run-1")
    assert (run.ended_at, run.stop_reason, run.stop_detail) == (
        ended_at,
        "frontier_empty",
        "nothing left",
    )
    assert (run.requests, run.heads, run.pages, run.targets) == (120, 30, 80, 7)
    assert run.bytes_received == 9 * 1024**3
    assert run.new_versions == 2
    assert run.skipped == {"off_site": 4}
    assert run.curve == [[1, 0], [120, 7]]
    assert run.actions == [
        {"id": 3, "tag_path": "html body a", "selections": 10, "mean_reward": 1.5}
    ]


def test_long_curve_is_thinned_to_its_ends(database: Database) -> None:
    begin(database, "run-1")
    curve = [(number, number // 10) for number in range(40_000)]
    end_run(database, "run-1", RunResult("budget", curve=curve), ended_at=NIGHT)
    kept_curve = loaded(database, "run-1").curve
    assert len(kept_curve) == MAX_POINTS
    assert (kept_curve[0], kept_curve[-1]) == ([0, 0], [39_999, 3999])


def test_run_that_begins_twice_is_one(database: Database) -> None:
    ingest_of(database).keep(kept())
    ingest_of(database)
    assert rows(database, "SELECT id, new_versions FROM crawl_run") == [("run-1", 1)]


def test_new_start_url_becomes_that_of_the_site(database: Database) -> None:
    begin(database, "run-1")
    start_run(
        database,
        run_id="run-2",
        site="stats",
        start_url="https://new.example.org/",
        strategy="sb",
        started_at=NIGHT,
        kind=RunKind.REVISIT,
    )
    assert rows(database, "SELECT name, start_url FROM site") == [
        ("stats", "https://new.example.org/")
    ]
    assert loaded(database, "run-2").kind == RunKind.REVISIT


def test_run_that_was_not_begun_cannot_end(database: Database) -> None:
    with pytest.raises(ValueError, match="no run run-1 was started"):
        end_run(database, "run-1", RESULT, ended_at=NIGHT)


def test_run_that_lost_the_site_can_neither_begin_nor_end(database: Database) -> None:
    old = acquire_lease(database, "stats", "a", seconds=0)
    begin(database, "run-1", old.fence)
    acquire_lease(database, "stats", "b")
    with pytest.raises(SiteBusy):
        end_run(database, "run-1", RESULT, ended_at=NIGHT)
    with pytest.raises(SiteBusy):
        begin(database, "run-2", old.fence)
    assert rows(database, "SELECT id, stop_reason FROM crawl_run") == [("run-1", "")]


def test_run_without_an_end_is_active_while_its_lease_lives(database: Database) -> None:
    lease = acquire_lease(database, "stats", "a")
    begin(database, "run-1", lease.fence)
    assert (active_runs(database), abandoned_runs(database)) == (["run-1"], [])
    release(database, lease)
    assert (active_runs(database), abandoned_runs(database)) == ([], ["run-1"])


def test_run_is_abandoned_when_another_has_the_site(database: Database) -> None:
    begin(database, "run-1", acquire_lease(database, "stats", "a", seconds=0).fence)
    begin(database, "run-2", acquire_lease(database, "stats", "b").fence)
    assert (active_runs(database), abandoned_runs(database)) == (["run-2"], ["run-1"])


def test_ended_run_is_neither_active_nor_abandoned(database: Database) -> None:
    begin(database, "run-1")
    assert active_runs(database) == ["run-1"]
    end_run(database, "run-1", RESULT, ended_at=datetime.now(UTC))
    assert active_runs(database) == abandoned_runs(database) == []


def test_run_without_a_lease_is_abandoned_after_a_day(database: Database) -> None:
    ingest_of(database, "long-ago")
    begin(database, "now")
    assert (active_runs(database), abandoned_runs(database)) == (["now"], ["long-ago"])
