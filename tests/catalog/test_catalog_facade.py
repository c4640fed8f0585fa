"""The catalog for analysts: a few calls from a search to a DataFrame."""

import subprocess
import sys
from pathlib import Path

import pytest

from crawler.catalog import Catalog, open_catalog
from crawler.catalog.upkeep.removal import remove
from crawler.config.settings import Settings
from crawler.errors import FileRemoved, NotATable, NotInCatalog, StorageError, StorageRefused
from crawler.storage.local_folder import LocalFolder
from tests.catalog.corpus import fill, kept, new_version

FIRST = b"region;births\nNord;10,5\nS\xc3\xbcd;20,25\n"
SECOND = FIRST + b"West;1,0\n"


def store_bytes(store: LocalFolder, body: bytes) -> None:
    spool = store.spool()
    spool.write(body)
    spool.finish()


@pytest.fixture
def catalog(database, tmp_path: Path) -> Catalog:
    fill(database)
    return Catalog(database, LocalFolder(tmp_path / "store"))


@pytest.fixture
def births(catalog: Catalog) -> int:
    """A file in two versions, whose bytes are in the store."""
    file_id = 0
    for body, days_ago in ((FIRST, 2), (SECOND, 1)):
        store_bytes(catalog.store, body)
        file = kept("nord.csv", "Births in the north", body=body, days_ago=days_ago)
        file_id = new_version(catalog.database, "office", file)
    return file_id


def test_search_becomes_a_table(catalog):
    found = catalog.search("births -naissances", format="csv")
    frame = found.to_pandas()
    assert len(found) == len(frame) == found.total == 4
    assert frame["title"].tolist() == [item.title for item in found]
    assert found[0].title == "Live births by region"
    assert "Live births" in repr(found)
    assert {"id", "site", "url", "format", "bytes", "verdict"} <= set(frame.columns)
    assert list(catalog.search("nothing here").to_pandas().columns) == list(frame.columns)


def test_file_is_read_in_every_version(catalog, births):
    assert catalog.read(births)["births"].tolist() == [10.5, 20.25, 1.0]
    assert catalog.read(births, version=1)["region"].tolist() == ["Nord", "Süd"]
    assert len(catalog.read(births, rows=1)) == 1


def test_file_is_opened_and_downloaded(catalog, births, tmp_path):
    with catalog.open(births) as stream:
        assert stream.read() == SECOND
    path = catalog.get(births, tmp_path / "births.csv", version=1)
    assert path.read_bytes() == FIRST
    assert [entry.name for entry in tmp_path.iterdir() if "part" in entry.name] == []


def test_download_to_nowhere_is_a_storage_error(catalog, births, tmp_path):
    with pytest.raises(StorageError, match="No such file or directory"):
        catalog.get(births, tmp_path / "nowhere" / "births.csv")


def test_history_and_details_are_told(catalog, births):
    assert [version.number for version in catalog.history(births)] == [2, 1]
    assert catalog.show(births).versions[0].change == len(SECOND) - len(FIRST)


@pytest.mark.parametrize("call", ["show", "history", "open", "read"])
def test_unknown_id_is_told(catalog, call):
    with pytest.raises(NotInCatalog, match="no file 4711"):
        getattr(catalog, call)(4711)


def test_unknown_version_is_told(catalog, births):
    with pytest.raises(NotInCatalog, match="has no version 3"):
        catalog.open(births, version=3)


def test_removed_bytes_are_told(catalog, births):
    remove(catalog.database, catalog.store, births, "asked for")
    with pytest.raises(FileRemoved, match="were removed"):
        catalog.open(births)


def test_format_that_is_no_table_is_named(catalog):
    page = b"<!doctype html><html><p>Moved</p></html>"
    store_bytes(catalog.store, page)
    file_id = new_version(
        catalog.database, "office", kept("report.csv", "Report", body=page, days_ago=1)
    )
    with pytest.raises(NotATable, match="an HTML page"):
        catalog.read(file_id)


def test_catalog_in_the_wrong_folder_is_not_made(tmp_path):
    with pytest.raises(StorageRefused, match="there is no catalog at"):
        open_catalog(Settings(home=tmp_path / "elsewhere"))
    assert not (tmp_path / "elsewhere").exists()


def test_catalog_of_the_settings_is_made_when_that_is_asked_for(tmp_path):
    with open_catalog(Settings(home=tmp_path), create=True) as catalog:
        assert catalog.search().total == 0
        assert len(catalog.search()) == 0
    assert (tmp_path / "catalog.db").exists()


def test_importing_the_room_loads_nothing_heavy():
    code = (
        "import sys, crawler.catalog; print(any(m in sys.modules for m in ('pandas','sqlmodel')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
