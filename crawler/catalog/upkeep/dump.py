"""The catalog as files, as it was at one moment: for backups.

SQLite is copied as one file. The tables of PostgreSQL are copied out with COPY in one transaction
that sees one moment; no program of PostgreSQL is needed, and no writer waits.
"""

import gzip
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect, text
from sqlmodel import Session

from crawler.catalog.db.database import Database
from crawler.catalog.db.migrating import revision_of
from crawler.errors import StorageError

SQLITE_FILE = "catalog.db"
SEQUENCES = "sequences.json"
TABLE_SUFFIX = ".copy.gz"
BLOBS = "blobs.txt"
"""A line with SHA-256 and size for every blob that the dumped catalog needs."""

_LIVING = """
    SELECT sha256, max(size) FROM version WHERE blob_removed_at IS NULL
    GROUP BY sha256 ORDER BY sha256
"""


class CatalogKind(StrEnum):
    """What the catalog was dumped from, and can be loaded into."""

    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"


@dataclass(frozen=True, slots=True)
class CatalogDump:
    """What a dump holds."""

    kind: CatalogKind
    revision: str


def kind_of(database: Database) -> CatalogKind:
    """Which kind of dump a database makes and takes."""
    return CatalogKind.SQLITE if database.is_sqlite else CatalogKind.POSTGRESQL


def dump_catalog(database: Database, folder: Path) -> CatalogDump:
    """Write the whole catalog into an empty folder, and the list of the blobs that it needs."""
    with database.reading() as session:
        dumped = _copy_file if database.is_sqlite else _copy_tables
        with naming_driver_errors(database):
            return CatalogDump(kind_of(database), dumped(session, folder))


def wanted_blobs(folder: Path) -> Iterator[tuple[str, int]]:
    """SHA-256 and size of every blob that a dumped catalog needs, in their order."""
    with (folder / BLOBS).open(encoding="ascii") as lines:
        for line in lines:
            sha256, size = line.split()
            yield sha256, int(size)


@contextmanager
def naming_driver_errors(database: Database) -> Iterator[None]:
    """Turns errors of the drivers themselves, which COPY and copies raise, into a StorageError."""
    import psycopg

    try:
        yield
    except (psycopg.Error, sqlite3.Error) as error:
        said = str(error).strip().partition("\n")[0]
        raise StorageError(f"catalog {database.place}: {said}") from error


def driver_connection(connection: Connection) -> Any:
    """The connection of psycopg or sqlite3 below one of SQLAlchemy."""
    return connection.connection.driver_connection


def columns_of(connection: Connection, table: str) -> list[str]:
    """The columns that are stored, not computed from others."""
    columns = inspect(connection).get_columns(table)
    return [column["name"] for column in columns if "computed" not in column]


def _copy_file(session: Session, folder: Path) -> str:
    with closing(sqlite3.connect(folder / SQLITE_FILE)) as copy:
        driver_connection(session.connection()).backup(copy)
        # One file, without a log beside it.
        copy.execute("PRAGMA journal_mode = DELETE")
        _write_blobs(copy.execute(_LIVING), folder)
        (revision,) = copy.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(revision)


def _copy_tables(session: Session, folder: Path) -> str:
    connection = session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
    revision = str(revision_of(connection))
    for table in tables_of(connection):
        _copy_out(connection, table, folder / f"{table}{TABLE_SUFFIX}")
    _write_blobs(connection.execute(text(_LIVING)), folder)
    # Not part of what the transaction sees, but never behind it.
    numbers = connection.execute(
        text("SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = current_schema")
    )
    used = {name: last for name, last in numbers if last is not None}
    (folder / SEQUENCES).write_text(json.dumps(used, sort_keys=True), encoding="ascii")
    return revision


def tables_of(connection: Connection) -> list[str]:
    """The tables of the catalog, whatever their revision is, without Alembic's own."""
    return sorted(set(inspect(connection).get_table_names()) - {"alembic_version"})


def _copy_out(connection: Connection, table: str, path: Path) -> None:
    """With the names of the columns in the first line, so that their order may change."""
    from psycopg import sql

    columns = columns_of(connection, table)
    statement = sql.SQL("COPY {} ({}) TO STDOUT").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with gzip.open(path, "wb", compresslevel=5) as file:
        file.write(f"{json.dumps(columns)}\n".encode())
        with driver_connection(connection).cursor().copy(statement) as copy:
            for piece in copy:
                file.write(piece)


def _write_blobs(rows: Any, folder: Path) -> None:
    with (folder / BLOBS).open("w", encoding="ascii") as file:
        file.writelines(f"{sha256} {size}\n" for sha256, size in rows)
