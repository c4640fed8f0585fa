"""Datasets that are called the same are told apart, and what is left out is said."""

import pytest
from fastapi.testclient import TestClient

from crawler.catalog.db.database import open_database
from crawler.catalog.facade import Catalog
from crawler.catalog.read.run_changes import changed_files
from crawler.storage.local_folder import LocalFolder
from crawler.webapp.app import create_app
from tests.catalog.recorded import START, ingest_of, kept

PAGES = [f"{START}population/2024/", f"{START}population/2025/"]


@pytest.fixture
def catalog(tmp_path):
    """Two pages of one title that offer files of one title with the same bytes, and another."""
    database = open_database(f"sqlite:///{tmp_path / 'catalog.db'}")
    database.ready()
    ingest = ingest_of(database)
    for number, page in enumerate(PAGES):
        ingest.keep(kept(url=f"{START}births-{number}.csv", page_url=page))
    ingest.keep(kept(b"x", url=f"{START}deaths.csv", anchor="Deaths", page_url=f"{START}deaths/"))
    opened = Catalog(database, LocalFolder(tmp_path / "store"))
    yield opened
    opened.close()


def test_results_with_one_title_and_one_page_title_show_their_address(catalog):
    page = TestClient(create_app(catalog)).get("/").text
    assert all(f"<bdi>{address}</bdi>" in page for address in PAGES)
    assert f"<bdi>{START}deaths/</bdi>" not in page


def test_a_search_by_hash_says_that_there_is_more(catalog):
    sha256 = kept().download.sha256
    first = catalog.search(sha256, limit=1)
    assert (first.total, len(first), first.more) == (2, 1, True)
    assert catalog.search(sha256, limit=1, offset=1).more is False
    assert catalog.search(sha256).more is False


def test_a_run_says_that_it_brought_more_than_is_listed(catalog):
    listed = changed_files(catalog.database, "run-1", limit=2)
    assert (listed.new, len(listed.items), listed.more) == (3, 2, True)
    assert changed_files(catalog.database, "run-1").more is False
