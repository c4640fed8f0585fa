"""The crawl's identity and the record of its last run, also as earlier versions stored them."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from crawler.state.crawl_state import CrawlState
from crawler.state.records import Changes
from crawler.state.run import CrawlIdentity, RunKind, RunRecord, new_run_id
from crawler.state.stop import StopReason
from crawler.state.totals import Totals

NOON = datetime(2026, 3, 2, 12, 0, 0, 123456, tzinfo=UTC)

IDENTITY = CrawlIdentity("stat", "https://stat.example/", '{"name": "bfs"}', 7, NOON)
RUN = RunRecord(
    run_id="20260302T120000Z-a1b2c3",
    start=Totals(requests=3, pages=2),
    kind=RunKind.REVISIT,
    started_at=NOON,
    minutes=1.25,
    stop_reason=StopReason.BUDGET_REQUESTS,
    stop_detail="the day's requests",
    stopped_at=NOON,
    fence=4,
)

WRITTEN_BY_0_2 = {
    "site": "stat",
    "start_url": "https://stat.example/",
    "strategy": '{"name": "bfs"}',
    "seed": "7",
    "created_at": "2026-03-02T12:00:00.123456+00:00",
    "fence": "4",
    "run_id": "20260302T120000Z-a1b2c3",
    "run_start": (
        '{"requests": 3, "gets": 0, "heads": 0, "retries": 0, "pages": 2, "targets": 0, '
        '"received": 0, "kept": 0, "groups": {}, "skipped": {}}'
    ),
    "run_minutes": "1.25",
    "stop_reason": "budget_requests",
    "stop_detail": "the day's requests",
    "stopped_at": "2026-03-02T12:00:00.123456+00:00",
}
"""The rows of a state file of the version before this record."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "stat.db"


def stored(path: Path, rows: dict[str, str], changes: Changes | None = None) -> CrawlState:
    """A state file with exactly these rows."""
    with closing(CrawlState(path)) as state:
        state.commit(changes or Changes())
    with closing(sqlite3.connect(path)) as database, database:
        database.executemany("INSERT INTO meta VALUES (?, ?)", rows.items())
    return CrawlState(path)


def test_identity_and_run_come_back_as_they_were_written(path: Path) -> None:
    with closing(CrawlState(path)) as state:
        state.set_identity(IDENTITY)
        state.set_run(RUN)
    with closing(CrawlState(path)) as state:
        assert state.identity() == IDENTITY
        assert state.run() == RUN


def test_run_is_replaced_whole(path: Path) -> None:
    running = RunRecord("next", Totals(), started_at=NOON)
    with closing(CrawlState(path)) as state:
        state.set_run(RUN)
        state.set_run(running)
        assert state.run() == running


def test_state_of_the_version_before_is_read(path: Path) -> None:
    with closing(stored(path, WRITTEN_BY_0_2)) as state:
        assert state.identity() == IDENTITY
        assert state.run() == replace(RUN, kind=RunKind.ACQUIRE, started_at=None)


def test_run_without_its_start_counts_from_the_present_totals(path: Path) -> None:
    rows = {key: value for key, value in WRITTEN_BY_0_2.items() if not key.startswith("run_")}
    totals = Totals(requests=40, targets=8)
    changes = Changes(progress=json.dumps({"totals": totals.save()}))
    with closing(stored(path, rows | {"run_id": "old"}, changes)) as state:
        run = state.run()
    assert run is not None
    assert (run.run_id, run.minutes, run.start) == ("old", 0.0, totals)


@pytest.mark.parametrize(
    ("reason", "over", "complete"),
    [
        (None, False, False),
        (StopReason.INTERRUPTED, False, False),
        (StopReason.SLICE_ENDED, False, False),
        (StopReason.BUDGET_MINUTES, True, False),
        (StopReason.FRONTIER_EMPTY, True, True),
    ],
)
def test_run_is_over_when_nothing_is_left_of_it(
    reason: StopReason | None, over: bool, complete: bool
) -> None:
    run = RunRecord("run", Totals(), stop_reason=reason)
    assert (run.over, run.complete) == (over, complete)


def test_run_ids_sort_by_time() -> None:
    later = NOON.replace(hour=13)
    assert new_run_id(NOON) < new_run_id(later)
    assert new_run_id(NOON) != new_run_id(NOON)
