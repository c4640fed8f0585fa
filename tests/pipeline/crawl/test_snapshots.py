"""Snapshots let another machine go on, and never lead back behind a newer one."""

from contextlib import closing
from pathlib import Path

import pytest

from crawler.pipeline.crawl.snapshots import KEPT, MIN_SECONDS, Snapshots
from crawler.state.crawl_state import CrawlState
from crawler.state.run import RunRecord
from crawler.state.totals import Totals
from crawler.storage.local_folder import LocalFolder


@pytest.fixture
def store(tmp_path: Path) -> LocalFolder:
    return LocalFolder(tmp_path / "store")


def state_at(path: Path, mark: str, fence: int = 1) -> CrawlState:
    state = CrawlState(path)
    state.set_run(RunRecord(mark, Totals(), fence=fence))
    return state


def restored(store: LocalFolder, fence: int, path: Path) -> bool:
    """Whether a machine that crawls next takes a snapshot in the place of its own state."""
    snapshots = Snapshots(store, "demo", fence)
    with closing(CrawlState(path)) as state:
        newer = snapshots.newer_than(state)
    if newer is not None:
        snapshots.restore(newer, path)
    return newer is not None


def mark_of(path: Path) -> str:
    with closing(CrawlState(path)) as state:
        run = state.run()
    assert run is not None
    return run.run_id


def test_another_home_gets_the_newest_snapshot(store: LocalFolder, tmp_path: Path) -> None:
    with closing(state_at(tmp_path / "a.db", "first")) as state:
        snapshots = Snapshots(store, "demo", fence=1)
        snapshots.take(state, step=10)
        state.set_run(RunRecord("second", Totals(), fence=1))
        snapshots.take(state, step=20)
    there = tmp_path / "elsewhere" / "b.db"
    assert restored(store, 2, there)
    assert mark_of(there) == "second"


def test_without_a_snapshot_nothing_is_restored(store: LocalFolder, tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    assert not restored(store, 1, path)


def test_own_state_that_is_at_least_as_new_stays(store: LocalFolder, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(state_at(path, "snapshot", fence=3)) as state:
        Snapshots(store, "demo", fence=3).take(state, step=10)
        state.set_run(RunRecord("went on", Totals(), fence=3))
    assert not restored(store, 4, path)
    assert mark_of(path) == "went on"


def test_own_state_of_an_older_fence_gives_way(store: LocalFolder, tmp_path: Path) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    state_at(old, "old", fence=1).close()
    with closing(state_at(new, "new", fence=2)) as state:
        Snapshots(store, "demo", fence=2).take(state, step=10)
    assert restored(store, 3, old)
    assert mark_of(old) == "new"


def test_a_worker_thought_dead_does_not_move_the_pointer_back(
    store: LocalFolder, tmp_path: Path
) -> None:
    with closing(state_at(tmp_path / "new.db", "new", fence=2)) as state:
        Snapshots(store, "demo", fence=2).take(state, step=5)
    with closing(state_at(tmp_path / "old.db", "old", fence=1)) as state:
        Snapshots(store, "demo", fence=1).take(state, step=99)
    there = tmp_path / "there.db"
    assert restored(store, 3, there)
    assert mark_of(there) == "new"


def test_only_a_few_old_snapshots_are_kept(store: LocalFolder, tmp_path: Path) -> None:
    with closing(state_at(tmp_path / "a.db", "x")) as state:
        snapshots = Snapshots(store, "demo", fence=1)
        for step in range(6):
            snapshots.take(state, step)
    kept = [key for key in store.objects("state/demo/") if key.endswith(".db.gz")]
    assert len(kept) == 1 + KEPT


def test_snapshots_are_due_after_enough_work(store: LocalFolder, tmp_path: Path) -> None:
    now = 0.0
    snapshots = Snapshots(store, "demo", fence=1, clock=lambda: now)
    assert not snapshots.due()
    now += MIN_SECONDS
    assert snapshots.due()
    with closing(state_at(tmp_path / "a.db", "x")) as state:
        snapshots.take(state, step=1)
    assert not snapshots.due()
