"""A catalog that is opened when it is asked: away, back again, and never without need."""

from fastapi.testclient import TestClient

from crawler.catalog.facade import Catalog
from crawler.errors import ConfigError, StorageError
from crawler.webapp.app import create_app
from crawler.webapp.late_catalog import LateCatalog


class Opening:
    """Opens a catalog; fails as often as it is told to."""

    def __init__(self, catalog: Catalog, *failures: Exception) -> None:
        self.catalog = catalog
        self.failures = list(failures)
        self.times = 0

    def __call__(self) -> Catalog:
        self.times += 1
        if self.failures:
            raise self.failures.pop(0)
        return self.catalog


def test_nothing_is_opened_before_somebody_asks(catalog):
    opening = Opening(catalog)
    client = TestClient(create_app(LateCatalog(opening)))
    assert client.get("/static/style.css").status_code == 200
    assert opening.times == 0
    assert client.get("/").status_code == 200
    assert client.get("/files/1").status_code == 200
    assert client.get("/files/1/download").status_code == 200
    assert opening.times == 1


def test_catalog_that_is_away_is_told_and_asked_again(catalog):
    opening = Opening(catalog, StorageError("postgres is away"))
    client = TestClient(create_app(LateCatalog(opening)))
    away = client.get("/")
    assert away.status_code == 503
    assert "cannot be reached at the moment" in away.text
    assert "postgres" not in away.text
    assert client.get("/").status_code == 200


def test_wrong_setting_is_told_as_what_waiting_does_not_mend(catalog):
    opening = Opening(catalog, ConfigError("TALLYHO_CATALOG_URL: secret"))
    client = TestClient(create_app(LateCatalog(opening)))
    wrong = client.get("/api/v2/search")
    assert wrong.status_code == 500
    assert "log of the server" in wrong.json()["error"]
    assert "secret" not in wrong.text
