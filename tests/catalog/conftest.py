"""The parts that the tests of this room share: an empty catalog on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.catalog.db.database import Database, open_database


@pytest.fixture(params=["sqlite", "postgresql"])
def catalog_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty catalog; every test that asks for it runs on both databases."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'catalog.db'}"
        database = open_database(url)
        database.ready()
        database.close()
        return url
    return str(request.getfixturevalue("postgres_catalog_url"))


@pytest.fixture
def database(catalog_url: str) -> Iterator[Database]:
    opened = open_database(catalog_url)
    yield opened
    opened.close()
