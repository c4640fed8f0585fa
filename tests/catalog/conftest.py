"""The parts that the tests of this room share: an empty catalog on SQLite and on PostgreSQL."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.catalog.db.database import Database, open_database


@pytest.fixture(scope="session")
def empty_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with an empty catalog, to be copied: all revisions take longer than most tests."""
    file = tmp_path_factory.mktemp("empty") / "catalog.db"
    database = open_database(f"sqlite:///{file}")
    database.ready()
    database.close()
    return file


@pytest.fixture(params=["sqlite", "postgresql"])
def catalog_url(request: pytest.FixtureRequest, tmp_path: Path, empty_sqlite: Path) -> str:
    """The URL of an empty catalog; every test that asks for it runs on both databases."""
    if request.param == "sqlite":
        return f"sqlite:///{shutil.copy(empty_sqlite, tmp_path)}"
    return str(request.getfixturevalue("postgres_catalog_url"))


@pytest.fixture
def database(catalog_url: str) -> Iterator[Database]:
    opened = open_database(catalog_url)
    yield opened
    opened.close()
