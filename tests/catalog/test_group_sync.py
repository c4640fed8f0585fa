"""A commit counts as done when its log is on the disk; those who wait together share a sync."""

import errno
import os
import threading
from pathlib import Path

import pytest

from crawler.catalog.db.database import Database, open_database
from crawler.catalog.db.group_sync import GroupSync
from crawler.errors import StorageRefused


def test_everything_written_before_the_call_is_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "log"
    file.write_bytes(b"")
    written, begun, go_on = 0, threading.Event(), threading.Event()
    synced: list[int] = []

    def fsync(_descriptor: int) -> None:
        present = written
        begun.set()
        go_on.wait(10)
        synced.append(present)

    monkeypatch.setattr(os, "fsync", fsync)
    group, safe = GroupSync(file), []

    def commit(number: int) -> None:
        group.sync()
        assert synced[-1] >= number
        safe.append(number)

    threads = []
    for number in range(1, 11):
        written = number
        threads.append(threading.Thread(target=commit, args=(number,)))
        threads[-1].start()
        begun.wait(10)
    go_on.set()
    for thread in threads:
        thread.join()
    assert sorted(safe) == list(range(1, 11))
    assert len(synced) < 10


def test_transaction_syncs_the_log_of_sqlite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'catalog.db'}")
    database.ready()
    names: list[str] = []

    def fsync(descriptor: int) -> None:
        names.append(Path(f"/proc/self/fd/{descriptor}").readlink().name)

    monkeypatch.setattr(os, "fsync", fsync)
    with database.transaction():
        assert names == []
    assert names == ["catalog.db-wal"]
    database.close()


def test_a_sync_that_failed_is_not_believed_the_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'catalog.db'}")
    database.ready()
    failures = [OSError(errno.EIO, "Input/output error")]

    def fails_once(_descriptor: int) -> None:
        if failures:
            raise failures.pop()

    monkeypatch.setattr(os, "fsync", fails_once)
    for _ in range(2):
        with pytest.raises(StorageRefused, match="Input/output error") as raised:
            _write_nothing(database)
        assert not raised.value.retryable
    database.close()


def _write_nothing(database: Database) -> None:
    with database.transaction():
        pass
