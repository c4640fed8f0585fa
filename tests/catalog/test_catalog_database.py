"""Opening, making and upgrading the catalog's database."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from setuptools import find_packages
from sqlalchemy.exc import IntegrityError
from sqlmodel import SQLModel

import crawler.catalog.db.models  # noqa: F401
from crawler.catalog.db.database import Database, open_database
from crawler.catalog.db.migrating import MIGRATIONS
from crawler.catalog.migrations import HEAD
from crawler.errors import ConfigError, StorageError
from tests.catalog.recorded import execute, rows
from tests.servers.postgres import PostgresServer

ROOT = Path(__file__).parents[2]
GET_READY = """
import sys
from crawler.catalog.db.database import open_database
database = open_database(sys.argv[1])
database.ready() if database.is_sqlite else database.upgrade()
print(database.revision())
"""


def test_migrated_schema_is_that_of_the_models(database: Database) -> None:
    def ours(_thing: object, name: str | None, kind: str, *_: object) -> bool:
        return not (kind in ("table", "index") and (name or "").startswith("search_"))

    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"include_object": ours})
        assert compare_metadata(context, SQLModel.metadata) == []


def test_search_and_views_are_there(database: Database) -> None:
    for name in ("search_document", "datasets", "latest_versions", "new_since"):
        assert rows(database, f"SELECT count(*) FROM {name}") == [(0,)]


def test_newest_revision_is_the_one_that_the_code_names() -> None:
    assert ScriptDirectory(str(MIGRATIONS)).get_heads() == [HEAD]


def test_migrations_are_installed_with_the_package() -> None:
    packages = find_packages(str(ROOT), include=["crawler*"])
    assert "crawler.catalog.migrations" in packages
    assert "crawler.catalog.migrations.versions" in packages


def test_getting_ready_again_keeps_what_is_there(database: Database) -> None:
    execute(
        database,
        "INSERT INTO site (name, start_url, created_at) VALUES ('a', 'b', '2026-01-01 00:00:00')",
    )
    database.ready()
    database.upgrade()
    assert rows(database, "SELECT name FROM site") == [("a",)]


def test_sqlite_makes_its_folder_and_tables_by_itself(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'deep' / '100%' / 'catalog.db'}")
    database.ready()
    assert database.revision() == HEAD
    assert rows(database, "PRAGMA journal_mode") == [("wal",)]
    database.close()


def test_empty_postgresql_says_how_to_make_the_tables(postgres_url: str) -> None:
    database = open_database(postgres_url)
    with pytest.raises(StorageError, match="no tables yet: run `tallyho catalog upgrade`") as told:
        database.ready()
    assert not told.value.retryable
    database.upgrade()
    database.ready()
    database.close()


def test_older_postgresql_says_how_to_upgrade(
    postgres_catalog_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = open_database(postgres_catalog_url)
    monkeypatch.setattr("crawler.catalog.db.database.HEAD", "9998")
    told = f"has revision {HEAD}, not 9998: run `tallyho catalog upgrade`"
    with pytest.raises(StorageError, match=told):
        database.ready()
    database.close()


def test_newer_database_is_left_alone(database: Database) -> None:
    execute(database, "UPDATE alembic_version SET version_num = '9999'")
    for get_ready in (database.ready, database.upgrade):
        with pytest.raises(StorageError, match="revision 9999, which this version") as told:
            get_ready()
        assert not told.value.retryable
    assert database.revision() == "9999"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_several_processes_get_it_ready_at_once(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path / 'catalog.db'}"
    if kind == "postgresql":
        url = request.getfixturevalue("postgres_url")
    command = [sys.executable, "-c", GET_READY, url]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    told = [process.communicate() for process in running]
    assert [out.strip() for out, _ in told] == [HEAD] * 3, told


def test_failed_transaction_leaves_nothing(database: Database) -> None:
    insert = (
        "INSERT INTO site (name, start_url, created_at) VALUES ('a', '', '2026-01-01 00:00:00')"
    )

    def fail() -> None:
        with database.transaction() as session:
            session.connection().exec_driver_sql(insert)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert rows(database, "SELECT count(*) FROM site") == [(0,)]


def test_foreign_keys_are_enforced(database: Database) -> None:
    with pytest.raises(IntegrityError):
        execute(database, "INSERT INTO lease (site_id, holder, fence) VALUES (99, '', 0)")


def test_server_that_is_away_is_named_without_its_password(postgres: PostgresServer) -> None:
    database = open_database("postgresql://someone:s3cret@127.0.0.1:1/catalog")
    with pytest.raises(StorageError) as told:
        database.ready()
    assert "127.0.0.1:1/catalog (user someone)" in str(told.value)
    assert "s3cret" not in str(told.value)
    assert told.value.retryable


def test_outage_is_a_storage_error_and_then_it_goes_on(
    postgres: PostgresServer, postgres_catalog_url: str
) -> None:
    database = open_database(postgres_catalog_url)
    database.ready()
    postgres.stop()
    with pytest.raises(StorageError) as told:
        database.ready()
    assert told.value.retryable
    postgres.start()
    database.ready()
    database.close()


def test_outage_within_a_transaction_is_a_storage_error(
    postgres: PostgresServer, postgres_catalog_url: str
) -> None:
    database = open_database(postgres_catalog_url)

    def work() -> None:
        with database.transaction() as session:
            session.connection().exec_driver_sql("SELECT 1")
            postgres.stop(at_once=True)
            session.connection().exec_driver_sql("SELECT 1")

    with pytest.raises(StorageError):
        work()
    postgres.start()
    database.ready()
    database.close()


def test_file_that_is_no_database_is_a_storage_error(tmp_path: Path) -> None:
    file = tmp_path / "catalog.db"
    file.write_bytes(b"these are no tables\n" * 100)
    with pytest.raises(StorageError, match="file is not a database"):
        open_database(f"sqlite:///{file}").ready()


def test_folder_that_cannot_be_made_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="its folder cannot be made"):
        open_database(f"sqlite:///{tmp_path / 'file' / 'catalog.db'}").ready()


@pytest.mark.parametrize(
    "url",
    [
        "no url",
        "",
        "mysql://root:s3cret@host/x",
        "sqlite://",
        "sqlite:///:memory:",
        "postgresql://me:s3cret@host:s3cret/x",
    ],
)
def test_wrong_address_is_a_configuration_error_without_the_password(url: str) -> None:
    with pytest.raises(ConfigError) as told:
        open_database(url)
    assert "s3cret" not in str(told.value)


def test_writers_on_sqlite_wait_for_each_other(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'catalog.db'}")
    database.ready()
    other = sqlite3.connect(tmp_path / "catalog.db", isolation_level=None, timeout=0)
    with database.transaction() as session:
        session.connection()
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
    other.execute("BEGIN IMMEDIATE")
    with database.reading() as session:
        session.connection().exec_driver_sql("SELECT * FROM site")
    other.close()
    database.close()
