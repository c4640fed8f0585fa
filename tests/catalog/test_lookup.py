"""Files by address and by SHA-256."""

import pytest

from crawler.catalog.facade import Catalog
from crawler.catalog.read import lookup as lookup_module
from crawler.catalog.upkeep.removal import remove
from crawler.storage.local_folder import LocalFolder
from tests.catalog.recorded import BIRTHS, DAY, NIGHT, START, ingest_of, kept, stored


@pytest.fixture
def catalog(database, tmp_path) -> Catalog:
    store = LocalFolder(tmp_path / "store")
    stored(store, b"old")
    stored(store, b"new")
    ingest = ingest_of(database)
    ingest.keep(kept(b"old"))
    ingest.keep(kept(b"new", fetched_at=NIGHT + DAY))
    ingest.keep(kept(b"old", url=f"{START}copy.csv", anchor="A copy"))
    return Catalog(database, store)


def test_an_address_is_found_in_whatever_spelling(catalog) -> None:
    for url in (BIRTHS, BIRTHS.replace("https://stats", "HTTPS://Stats") + "#table"):
        found = catalog.lookup(url)
        assert [file.url for file in found.items] == [BIRTHS]
        assert found.items[0].matching_versions == (1, 2)
    assert catalog.lookup(f"{START}nothing.csv").total == 0


def test_a_hash_finds_every_file_with_these_bytes_in_whatever_version(catalog) -> None:
    old = kept(b"old").download.sha256
    for text in (old, old[:12], f"sha256:{old.upper()}"):
        found = catalog.lookup(text)
        assert [(file.url, file.matching_versions) for file in found.items] == [
            (BIRTHS, (1,)),
            (f"{START}copy.csv", (1,)),
        ]
    assert catalog.lookup(kept(b"new").download.sha256).items[0].matching_versions == (2,)


def test_a_removed_file_is_not_found(catalog) -> None:
    remove(catalog.database, catalog.store, catalog.lookup(BIRTHS).items[0].id, "asked for")
    assert catalog.lookup(BIRTHS).total == 0


def test_a_long_list_ends_and_says_so(catalog, monkeypatch) -> None:
    monkeypatch.setattr(lookup_module, "MAX_FOUND", 1)
    found = catalog.lookup(kept(b"old").download.sha256)
    assert (found.total, found.more) == (1, True)


@pytest.mark.parametrize("text", ["", "births", "abc123", "g" * 64, "f" * 65, "ftp://x/y"])
def test_what_is_neither_is_refused_with_a_sentence(catalog, text: str) -> None:
    with pytest.raises(ValueError, match="neither an address"):
        catalog.lookup(text)
