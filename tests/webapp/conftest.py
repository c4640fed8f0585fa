"""The parts that the tests of this room share: a filled catalog, and a client of its pages."""

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from crawler.catalog.db.database import open_database
from crawler.catalog.facade import Catalog
from crawler.storage.local_folder import LocalFolder
from crawler.webapp.app import create_app

sys.path.append(str(Path(__file__).parents[2]))

from tests.webapp.browser import base, browser, complaints, open_page, shoot
from tests.webapp.stock import Stock, fill

__all__ = ["base", "browser", "complaints", "open_page", "shoot"]


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Catalog, Stock]]:
    """A catalog in a folder; tests only read it."""
    folder = tmp_path_factory.mktemp("catalog")
    database = open_database(f"sqlite:///{folder / 'catalog.db'}")
    database.ready()
    store = LocalFolder(folder / "store")
    stock = fill(database, store)
    yield Catalog(database, store), stock
    database.close()
    changed = [blob.name for blob in folder.glob("store/blobs/*/*/*") if _hash(blob) != blob.name]
    assert not changed, "a test damaged the store that all tests share"


def _hash(blob: Path) -> str:
    return hashlib.sha256(blob.read_bytes()).hexdigest()


@pytest.fixture(scope="session")
def catalog(filled: tuple[Catalog, Stock]) -> Catalog:
    return filled[0]


@pytest.fixture(scope="session")
def stock(filled: tuple[Catalog, Stock]) -> Stock:
    return filled[1]


@pytest.fixture(scope="session")
def client(catalog: Catalog) -> TestClient:
    return TestClient(create_app(catalog))
