"""Takedowns and retention: bytes go, facts stay."""

from dataclasses import replace
from pathlib import Path

import pytest

from crawler.catalog.db.database import Database
from crawler.catalog.upkeep.removal import discard_blobs, remove
from crawler.catalog.upkeep.retention import Retention, apply_retention, parse_retention
from crawler.catalog.upkeep.verify import verify
from crawler.catalog.write.titles import url_key
from crawler.errors import StorageError
from crawler.pages.kept_file import Link
from crawler.storage.local_folder import LocalFolder
from tests.catalog.recorded import (
    BIRTHS,
    DAY,
    NIGHT,
    START,
    everything,
    ingest_of,
    kept,
    rows,
    stored,
)


class FailingOnce(LocalFolder):
    """A store that is away when the first blob is to be deleted."""

    away = True

    def delete(self, sha256: str) -> None:
        if self.away:
            self.away = False
            raise StorageError("the store is away")
        super().delete(sha256)


@pytest.fixture
def store(tmp_path: Path) -> LocalFolder:
    return LocalFolder(tmp_path / "store")


def test_removed_file_loses_its_bytes_and_keeps_its_facts(
    database: Database, store: LocalFolder
) -> None:
    ingest = ingest_of(database)
    for night, content in enumerate([b"one", b"two"]):
        stored(store, content)
        done = ingest.keep(kept(content, fetched_at=NIGHT + night * DAY))
    removal = remove(database, store, done.resource_id, "asked by\x00the office", at=NIGHT)
    assert (removal.versions, removal.blobs.deleted, removal.blobs.shared) == (2, 2, 0)
    assert list(store.blobs()) == []
    assert rows(database, "SELECT removal_reason FROM resource WHERE removed_at IS NOT NULL") == [
        ("asked by the office",)
    ]
    assert rows(database, "SELECT count(*) FROM version WHERE blob_removed_at IS NULL") == [(0,)]
    assert rows(database, "SELECT count(*) FROM version") == [(2,)]
    assert rows(database, "SELECT count(*) FROM search_document") == [(0,)]
    assert verify(database, store, spare_young=False).problems == []


def test_bytes_that_another_file_shares_stay(database: Database, store: LocalFolder) -> None:
    ingest = ingest_of(database)
    sha256 = stored(store, b"same")
    first = ingest.keep(kept(b"same"))
    second = ingest.keep(kept(b"same", url=f"{START}copy.csv"))
    assert remove(database, store, first.resource_id, "x").blobs.shared == 1
    assert store.exists(sha256)
    assert verify(database, store, spare_young=False).problems == []
    assert remove(database, store, second.resource_id, "x").blobs.deleted == 1
    assert not store.exists(sha256)


def test_crawl_does_not_bring_a_removed_file_back(database: Database, store: LocalFolder) -> None:
    ingest = ingest_of(database)
    stored(store, b"one")
    done = ingest.keep(kept(b"one"))
    remove(database, store, done.resource_id, "x")
    assert url_key(f"{BIRTHS}#again") in ingest.removed_keys()
    sha256 = stored(store, b"two")
    again = ingest.keep(kept(b"two", fetched_at=NIGHT + DAY))
    assert (again, again.removed) == (replace(done, removed=True), True)
    assert discard_blobs(database, store, [sha256]).deleted == 1
    assert ingest.seen_again(BIRTHS, Link(f"{START}other.html"), NIGHT + DAY)
    assert rows(database, "SELECT versions, sightings FROM resource") == [(1, 1)]
    assert rows(database, "SELECT count(*) FROM search_document") == [(0,)]
    assert verify(database, store, spare_young=False).problems == []


def test_removing_again_finishes_what_was_left(database: Database, tmp_path: Path) -> None:
    store = FailingOnce(tmp_path / "store")
    stored(store, b"one")
    done = ingest_of(database).keep(kept(b"one"))
    with pytest.raises(StorageError):
        remove(database, store, done.resource_id, "first", at=NIGHT)
    assert remove(database, store, done.resource_id, "second").blobs.deleted == 1
    assert rows(database, "SELECT removal_reason FROM resource") == [("first",)]
    assert list(store.blobs()) == []


def test_unknown_file_cannot_be_removed(database: Database, store: LocalFolder) -> None:
    with pytest.raises(LookupError, match="no file 77"):
        remove(database, store, 77, "x")


def keep_versions(database: Database, store: LocalFolder, contents: list[bytes]) -> None:
    ingest = ingest_of(database)
    for night, content in enumerate(contents):
        stored(store, content)
        ingest.keep(kept(content, fetched_at=NIGHT + night * DAY))


def test_retention_deletes_the_bytes_of_older_versions(
    database: Database, store: LocalFolder
) -> None:
    keep_versions(database, store, [b"1", b"2", b"3", b"4"])
    done = apply_retention(database, store, 2)
    assert (done.versions, done.blobs.deleted) == (2, 2)
    query = "SELECT number FROM version WHERE blob_removed_at IS NULL ORDER BY number"
    assert rows(database, query) == [(3,), (4,)]
    left = {kept(body).download.sha256 for body in (b"3", b"4")}
    assert {blob.sha256 for blob in store.blobs()} == left
    assert verify(database, store, spare_young=False).problems == []
    assert apply_retention(database, store, 2).versions == 0


def test_bytes_that_a_newer_version_has_too_stay(database: Database, store: LocalFolder) -> None:
    keep_versions(database, store, [b"1", b"2", b"1"])
    done = apply_retention(database, store, 1)
    assert (done.versions, done.blobs.deleted, done.blobs.shared) == (2, 1, 1)
    assert store.exists(kept(b"1").download.sha256)
    assert verify(database, store, spare_young=False).problems == []


def test_retention_of_one_site_leaves_the_others(database: Database, store: LocalFolder) -> None:
    keep_versions(database, store, [b"1", b"2"])
    assert apply_retention(database, store, 1, site="other").versions == 0
    assert apply_retention(database, store, 1, site="stats").versions == 1


def test_all_versions_are_kept_when_told_so(database: Database, store: LocalFolder) -> None:
    keep_versions(database, store, [b"1", b"2"])
    before = everything(database)
    assert apply_retention(database, store, "all").versions == 0
    assert everything(database) == before


@pytest.mark.parametrize(
    ("setting", "expected"),
    [("all", "all"), (" ALL ", "all"), ("3", 3), ("1", 1)],
)
def test_retention_is_all_or_a_number(setting: str, expected: Retention) -> None:
    assert parse_retention(setting) == expected
    assert parse_retention(str(expected)) == expected


@pytest.mark.parametrize("setting", ["", "0", "-1", "none", "1.5", "²"])
def test_other_retention_is_refused(setting: str) -> None:
    with pytest.raises(ValueError, match="retention is"):
        parse_retention(setting)
