"""A dumped catalog back into a database, all of it or nothing."""

import gzip
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import BinaryIO, cast

from sqlalchemy import Connection, MetaData, func, select, text

from crawler.catalog.db.database import Database
from crawler.catalog.db.migrating import (
    NO_TABLES,
    downgrade_to,
    known_revisions,
    revision_of,
    upgrade_to,
)
from crawler.catalog.db.models import SITE
from crawler.catalog.upkeep.dump import (
    SEQUENCES,
    SQLITE_FILE,
    TABLE_SUFFIX,
    CatalogDump,
    driver_connection,
    kind_of,
    naming_driver_errors,
    tables_of,
)
from crawler.errors import ConfigError
from crawler.storage.durable_file import naming, receive

_PIECE = 1 << 20
_FREE_LEASES = "UPDATE lease SET holder = '', expires_at = NULL"
"""Who held a site when the dump was made holds it no more; the fences stay, and grow."""


def check_loadable(dump: CatalogDump, database: Database) -> None:
    """ConfigError where this database cannot take this dump."""
    if dump.kind is not kind_of(database):
        raise ConfigError(
            f"the backup is of a catalog in {dump.kind}, {database.place} is {kind_of(database)}: "
            "set TALLYHO_CATALOG_URL to a database of that kind"
        )
    if dump.revision not in known_revisions():
        raise ConfigError(
            f"the backup's catalog has revision {dump.revision}, which this version of Tallyho "
            "does not know: install a newer one"
        )


def is_empty(database: Database) -> bool:
    """Whether no site was ever recorded: loading a dump would overwrite nothing."""
    if not database.exists or database.revision() is None:
        return True
    with database.reading() as session:
        return not session.connection().execute(select(func.count()).select_from(SITE)).scalar()


def load_catalog(dump: CatalogDump, folder: Path, database: Database) -> None:
    """Replace whatever the database holds by a dump, then bring it to this version's revision."""
    with naming_driver_errors(database):
        if database.is_sqlite:
            _place_file(folder / SQLITE_FILE, database)
        else:
            with database.changing_tables() as connection:
                _load_tables(dump, folder, connection)
    database.upgrade()


def _place_file(source: Path, database: Database) -> None:
    target = Path(database.place)
    database.close()
    draft = target.with_name(f"{target.name}.restored")
    with naming(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with source.open("rb") as file:
            receive(file, draft)
        with closing(sqlite3.connect(draft)) as catalog, catalog:
            catalog.execute(_FREE_LEASES)
        for part in ("-wal", "-shm"):
            target.with_name(target.name + part).unlink(missing_ok=True)
        draft.replace(target)


def _load_tables(dump: CatalogDump, folder: Path, connection: Connection) -> None:
    if revision_of(connection) is not None:
        downgrade_to(connection, NO_TABLES)
    upgrade_to(connection, dump.revision)
    ours = MetaData()
    ours.reflect(connection, only=tables_of(connection))
    for table in reversed(ours.sorted_tables):
        connection.execute(table.delete())
    for table in ours.sorted_tables:
        # What triggers would write is in the dump.
        connection.execute(text(f'ALTER TABLE "{table.name}" DISABLE TRIGGER USER'))
        _copy_in(connection, table.name, folder / f"{table.name}{TABLE_SUFFIX}")
    for table in ours.sorted_tables:
        connection.execute(text(f'ALTER TABLE "{table.name}" ENABLE TRIGGER USER'))
    for name, last in json.loads((folder / SEQUENCES).read_text(encoding="ascii")).items():
        connection.execute(
            text("SELECT setval(CAST(:name AS regclass), :last)"),
            {"name": f'"{name}"', "last": last},
        )
    connection.execute(text(_FREE_LEASES))


def _copy_in(connection: Connection, table: str, path: Path) -> None:
    from psycopg import sql

    with gzip.open(path, "rb") as file:
        columns = json.loads(file.readline())
        statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
            sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
        )
        with driver_connection(connection).cursor().copy(statement) as copy:
            shutil.copyfileobj(cast(BinaryIO, file), copy, _PIECE)
