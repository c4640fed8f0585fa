"""Every revision of the catalog up and down with rows in its tables, on SQLite and PostgreSQL.

What a way down may lose is what its revision had added, and what the search derives from the rest.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, MetaData, insert, inspect, select
from typer.testing import CliRunner

from crawler.catalog.db.database import Database, open_database
from crawler.catalog.db.migrating import known_revisions, upgrade_to
from crawler.catalog.facade import Catalog
from crawler.catalog.migrations import HEAD
from crawler.catalog.upkeep.verify import verify
from crawler.cli import app
from crawler.errors import ConfigError
from crawler.storage.local_folder import LocalFolder
from tests.upgrade.test_upgrade import check_catalog, copy_rows

pytestmark = pytest.mark.slow

REVISIONS = known_revisions()
FIRST_WITH_DATA = "0003"
"""The revision of the catalog that the tests have from the version before."""
DERIVED = "search_"
"""What the names of all tables of the search begin with."""
Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture(params=["sqlite", "postgresql"])
def database(
    request: pytest.FixtureRequest, old_home: Any, postgres_url: str
) -> Iterator[tuple[Database, Path]]:
    """The catalog of the version before, at its revision; and the folder of its store."""
    home = old_home("complete").folder / "home"
    if request.param == "sqlite":
        opened = open_database(f"sqlite:///{home / 'catalog.db'}")
    else:
        opened = open_database(postgres_url)
        with opened.changing_tables() as connection:
            upgrade_to(connection, FIRST_WITH_DATA)
            copy_rows(home / "catalog.db", connection)
    assert opened.revision() == FIRST_WITH_DATA
    yield opened, home / "store"
    opened.close()


def rows_of(connection: Connection) -> Rows:
    """Every row of every table that is not derived from others."""
    tables = MetaData()
    names = [
        name
        for name in inspect(connection).get_table_names()
        if not name.startswith(DERIVED) and name not in ("alembic_version", "sqlite_sequence")
    ]
    tables.reflect(connection, only=names)
    return {
        table.name: sorted(
            (dict(row) for row in connection.execute(select(table)).mappings()), key=repr
        )
        for table in tables.sorted_tables
    }


def fill_what_is_new(connection: Connection, before: Rows) -> None:
    """A row in each table that this revision has made and not filled, by the kinds of columns."""
    tables = MetaData()
    new = [name for name, rows in rows_of(connection).items() if name not in before and not rows]
    if not new:
        return
    tables.reflect(connection)
    for table in tables.sorted_tables:
        if table.name not in new:
            continue
        row: dict[str, Any] = {}
        for column in table.columns:
            if column.foreign_keys:
                other = next(iter(column.foreign_keys)).column
                row[column.name] = connection.execute(select(other).limit(1)).scalar()
            elif not column.nullable:
                row[column.name] = made_up(column.type.python_type)
        connection.execute(insert(table), [row])


def made_up(kind: type) -> Any:
    """A value of a kind."""
    if issubclass(kind, datetime):
        return datetime(2026, 11, 17, tzinfo=UTC)
    return {int: 7, float: 0.5, bool: True, str: "x", dict: {}, list: []}[kind]


def without(rows: Rows, known: Rows) -> Rows:
    """Rows with the tables and columns that an earlier revision has, nothing else."""
    return {
        name: sorted(
            ({key: value for key, value in row.items() if key in known[name][0]} for row in rows),
            key=repr,
        )
        if known[name]
        else []
        for name, rows in rows.items()
        if name in known
    }


def test_every_way_down_loses_only_what_its_revision_added(
    database: tuple[Database, Path],
) -> None:
    opened, store = database
    steps = REVISIONS[REVISIONS.index(FIRST_WITH_DATA) :]
    seen: dict[str, Rows] = {}
    for revision in steps:
        with opened.changing_tables() as connection:
            upgrade_to(connection, revision)
            if seen:
                fill_what_is_new(connection, seen[steps[steps.index(revision) - 1]])
            seen[revision] = rows_of(connection)
    assert opened.revision() == HEAD
    for revision in reversed(steps[:-1]):
        opened.downgrade(revision)
        assert opened.revision() == revision
        with opened.changing_tables() as connection:
            found, expected = rows_of(connection), seen[revision]
        assert set(found) == set(expected), revision
        for name, rows in expected.items():
            if name != "bookmark":  # where a long task continues: the reindexing of the way up
                assert without({name: found[name]}, {name: rows})[name] == rows, (revision, name)
    opened.upgrade()
    with Catalog(opened, LocalFolder(store)) as catalog:
        check_catalog(catalog)
        assert verify(catalog.database, catalog.store, deep=True).problems == []


@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_from_every_revision_the_way_up_leads_to_the_same_tables(
    revision: str, postgres_url: str, tmp_path: Path
) -> None:
    for url in (f"sqlite:///{tmp_path / 'catalog.db'}", postgres_url):
        opened = open_database(url)
        opened.upgrade()
        with opened.changing_tables() as connection:
            straight = shape_of(connection)
        opened.downgrade(revision)
        opened.upgrade()
        with opened.changing_tables() as connection:
            assert shape_of(connection) == straight
        opened.close()


def shape_of(connection: Connection) -> dict[str, Any]:
    """Tables with their columns and indexes, and the views."""
    known = inspect(connection)
    tables = {
        name: (
            sorted((column["name"], str(column["type"])) for column in known.get_columns(name)),
            sorted(str(index["name"]) for index in known.get_indexes(name)),
        )
        for name in known.get_table_names()
    }
    return {**tables, "views": sorted(known.get_view_names())}


def test_command_goes_back_and_up_again(tmp_path: Path) -> None:
    environment = {"TALLYHO_HOME": str(tmp_path)}

    def run(*words: str) -> Any:
        return CliRunner().invoke(app, ["catalog", *words], env=environment)

    assert run("downgrade", "0008").exit_code == 2
    assert run("upgrade").exit_code == 0
    refused = run("downgrade", "9999")
    assert refused.exit_code == 3
    assert "only to: 0001" in refused.output
    assert "revision 0008" in run("downgrade", "0008").output
    assert f"revision {HEAD}" in run("upgrade").output


def test_unknown_revision_is_refused(tmp_path: Path) -> None:
    opened = open_database(f"sqlite:///{tmp_path / 'catalog.db'}")
    opened.upgrade()
    opened.downgrade("0005")
    with pytest.raises(ConfigError, match=r"only to: 0001, 0002, 0003, 0004, 0005$"):
        opened.downgrade("0006")
    opened.close()
