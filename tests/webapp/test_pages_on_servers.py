"""The pages over the shared set-up: PostgreSQL for the catalog, S3 for the files."""

import pytest
import requests
from fastapi.testclient import TestClient

from crawler.catalog.db.database import open_database
from crawler.catalog.facade import Catalog
from crawler.storage.s3 import S3Store
from crawler.webapp.app import create_app
from tests.webapp.stock import CSV_NOW, RUN, fill


@pytest.fixture
def shared(postgres_catalog_url, seaweedfs, s3_bucket, tmp_path):
    database = open_database(postgres_catalog_url)
    store = S3Store(
        s3_bucket, "files", endpoint=seaweedfs.endpoint, spool_dir=tmp_path / "spool", attempts=1
    )
    stock = fill(database, store, more=3)
    yield TestClient(create_app(Catalog(database, store))), stock
    database.close()


def test_every_page_works_and_the_store_gives_the_bytes(shared, seaweedfs):
    client, stock = shared
    addresses = ["/", "/?q=birth&format=csv", "/sites", "/sites/demo", f"/runs/{RUN}", "/health"]
    addresses += [f"/files/{number}" for number in stock.ids.values()]
    addresses += ["/feed.atom?q=births", "/?q=%00'%22%5C%3A*%26", "/api/v2/files/2147483647"]
    answers = {address: client.get(address).status_code for address in addresses}
    assert {address for address, status in answers.items() if status != 200} == {addresses[-1]}
    assert "Étang" in client.get(f"/files/{stock['births']}").text
    moved = client.get(f"/files/{stock['births']}/download", follow_redirects=False)
    assert moved.headers["location"].startswith(seaweedfs.endpoint)
    given = requests.get(moved.headers["location"], timeout=30)
    assert given.content == CSV_NOW
    assert given.headers["content-disposition"].startswith("attachment")


def test_database_that_went_away_is_told_and_comes_back(shared, postgres):
    client, _ = shared
    postgres.stop()
    assert client.get("/").status_code == client.get("/health").status_code == 503
    postgres.start()
    assert client.get("/").status_code == client.get("/health").status_code == 200
