"""Verification finds what is wrong between catalog and store, and nothing else."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

import crawler.catalog.upkeep.verify
from crawler.catalog.db.database import Database, open_database
from crawler.catalog.upkeep.verify import MAX_LISTED, ProblemKind, Verification, verify
from crawler.catalog.write.runs import RunResult, end_run, start_run
from crawler.storage.local_folder import LocalFolder
from tests.catalog.recorded import NIGHT, START, execute, ingest_of, kept, stored


@pytest.fixture
def store(tmp_path: Path) -> LocalFolder:
    return LocalFolder(tmp_path / "store")


@pytest.fixture
def hashes(database: Database, store: LocalFolder, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Twelve files that are in both; read in small pages."""
    monkeypatch.setattr(
        crawler.catalog.upkeep.verify, "_EXPECTED", crawler.catalog.upkeep.verify._EXPECTED.limit(5)
    )
    monkeypatch.setattr(crawler.catalog.upkeep.verify, "_PAGE", 5)
    ingest = ingest_of(database)
    for number in range(12):
        content = b"file %d" % number
        stored(store, content)
        ingest.keep(kept(content, url=f"{START}{number}.csv"))
    end_run(database, "run-1", RunResult("frontier_empty"), ended_at=NIGHT)
    return sorted(blob.sha256 for blob in store.blobs())


def listed(found: Verification, kind: ProblemKind) -> list[str]:
    return [problem.what for problem in found.problems if problem.kind is kind]


def test_catalog_and_store_that_agree_are_sound(
    database: Database, store: LocalFolder, hashes: list[str]
) -> None:
    found = verify(database, store, deep=True)
    assert (found.blobs, found.counts, found.problems) == (12, {}, [])


def test_empty_catalog_and_store_are_sound(database: Database, store: LocalFolder) -> None:
    assert verify(database, store, deep=True).problems == []


@pytest.mark.parametrize("which", [0, 5, 11])
def test_missing_blob_is_found(
    database: Database, store: LocalFolder, hashes: list[str], which: int
) -> None:
    store.delete(hashes[which])
    found = verify(database, store)
    assert listed(found, ProblemKind.MISSING_BLOB) == [hashes[which]]
    assert found.counts == {ProblemKind.MISSING_BLOB: 1}


def test_orphans_are_found_also_beyond_the_last_version(
    database: Database, store: LocalFolder, hashes: list[str]
) -> None:
    planted = sorted(stored(store, b"orphan %d" % number) for number in range(20))
    found = verify(database, store)
    assert listed(found, ProblemKind.ORPHAN_BLOB) == planted
    assert found.counts == {ProblemKind.ORPHAN_BLOB: 20}


def test_blob_of_a_version_that_was_removed_is_an_orphan(
    database: Database, store: LocalFolder, hashes: list[str]
) -> None:
    mark = "UPDATE version SET blob_removed_at = fetched_at WHERE sha256 = :sha256"
    execute(database, mark, sha256=hashes[3])
    assert listed(verify(database, store), ProblemKind.ORPHAN_BLOB) == [hashes[3]]
    store.delete(hashes[3])
    assert verify(database, store).problems == []


def test_wrong_size_is_found(database: Database, store: LocalFolder, hashes: list[str]) -> None:
    store.local_path(hashes[4]).write_bytes(b"longer than it was")
    found = verify(database, store)
    assert listed(found, ProblemKind.WRONG_SIZE) == [hashes[4]]
    assert found.problems[0].detail.startswith("18 bytes, the catalog says ")


def test_damaged_bytes_are_found_by_a_deep_look_only(
    database: Database, store: LocalFolder, hashes: list[str]
) -> None:
    path = store.local_path(hashes[4])
    path.write_bytes(path.read_bytes().swapcase())
    assert verify(database, store).problems == []
    found = verify(database, store, deep=True)
    assert listed(found, ProblemKind.WRONG_HASH) == [hashes[4]]
    assert found.counts == {ProblemKind.WRONG_HASH: 1}


def test_resource_without_its_latest_version_is_found(
    database: Database, store: LocalFolder, hashes: list[str]
) -> None:
    execute(database, "UPDATE resource SET latest_version_id = NULL WHERE id = 1")
    execute(database, "UPDATE resource SET latest_version_id = 1 WHERE id = 2")
    found = verify(database, store)
    assert listed(found, ProblemKind.DANGLING_ROW) == ["1", "2"]


def test_lost_search_documents_and_wrong_counts_are_found(
    database: Database, store: LocalFolder, hashes: list[str]
) -> None:
    execute(database, "DELETE FROM search_document WHERE dataset_id = 1")
    execute(database, "UPDATE resource SET versions = versions + 1 WHERE id = 2")
    problems = {problem.detail: problem.what for problem in verify(database, store).problems}
    assert problems == {
        "dataset without search document": "1",
        "resource with a wrong count of versions": "2",
    }


def test_rows_that_point_to_nothing_are_found(tmp_path: Path, store: LocalFolder) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'catalog.db'}")
    database.ready()
    sha256 = stored(store, b"one")
    ingest_of(database).keep(kept(b"one"))
    with database.engine.connect() as connection:
        # As another program that does not mind foreign keys would leave it.
        connection.commit()
        raw = connection.connection.dbapi_connection
        assert raw is not None
        raw.execute("PRAGMA foreign_keys = OFF")  # type: ignore[attr-defined]
        connection.execute(text("DELETE FROM resource"))
        connection.commit()
        raw.execute("PRAGMA foreign_keys = ON")  # type: ignore[attr-defined]
    details = [problem.detail for problem in verify(database, store).problems]
    assert details == ["version without resource", "sighting without resource"]
    assert store.exists(sha256)
    database.close()


def test_young_blobs_are_spared_while_a_run_is_active(
    database: Database, store: LocalFolder
) -> None:
    stored(store, b"about to be recorded")
    start_run(
        database,
        run_id="now",
        site="stats",
        start_url=START,
        strategy="sb",
        started_at=datetime.now(UTC),
    )
    found = verify(database, store)
    assert (found.problems, found.spared) == ([], 1)
    assert verify(database, store, spare_young=False).counts == {ProblemKind.ORPHAN_BLOB: 1}
    later = datetime.now(UTC) + timedelta(hours=2)
    assert verify(database, store, now=later).counts == {ProblemKind.ORPHAN_BLOB: 1}
    end_run(database, "now", RunResult("budget"), ended_at=datetime.now(UTC))
    assert verify(database, store).counts == {ProblemKind.ORPHAN_BLOB: 1}


def test_many_problems_are_counted_and_the_first_are_told(
    database: Database, store: LocalFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawler.catalog.upkeep.verify, "MAX_LISTED", 3)
    assert MAX_LISTED > 3
    for number in range(5):
        stored(store, b"%d" % number)
    found = verify(database, store)
    assert found.counts == {ProblemKind.ORPHAN_BLOB: 5}
    assert len(found.problems) == 3
