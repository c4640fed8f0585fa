"""What every object store must do; a new store joins by one more entry in STORES."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from crawler.errors import StorageError
from crawler.storage.interface import ObjectStore, object_key
from crawler.storage.local_folder import LocalFolder

DATA = b"year,births\n1999,7\n"
SHA256 = hashlib.sha256(DATA).hexdigest()

STORES: dict[str, Callable[[Path], ObjectStore]] = {
    "local folder": lambda tmp_path: LocalFolder(tmp_path / "store"),
}


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> ObjectStore:
    return STORES[request.param](tmp_path)


def put(store: ObjectStore, data: bytes) -> str:
    spool = store.spool()
    spool.write(data)
    return spool.finish().sha256


def test_object_is_found_under_the_hash_of_its_bytes(store: ObjectStore) -> None:
    spool = store.spool()
    spool.write(DATA[:5])
    spool.write(DATA[5:])
    assert spool.size == len(DATA)
    blob = spool.finish()
    assert (blob.sha256, blob.size) == (SHA256, len(DATA))
    assert store.exists(SHA256)
    with store.open(SHA256) as file:
        assert file.read() == DATA


def test_empty_file_is_an_object_too(store: ObjectStore) -> None:
    blob = store.spool().finish()
    assert blob.size == 0
    with store.open(blob.sha256) as file:
        assert file.read() == b""


def test_object_does_not_exist_before_its_spool_is_finished(store: ObjectStore) -> None:
    spool = store.spool()
    spool.write(DATA)
    assert not store.exists(SHA256)
    spool.finish()
    assert store.exists(SHA256)


def test_discarded_spool_leaves_no_object(store: ObjectStore) -> None:
    spool = store.spool()
    spool.write(DATA)
    spool.discard()
    spool.discard()
    assert not store.exists(SHA256)


def test_discard_after_finish_keeps_the_object(store: ObjectStore) -> None:
    spool = store.spool()
    spool.write(DATA)
    spool.finish()
    spool.discard()
    assert store.exists(SHA256)


def test_same_bytes_twice_are_one_object(store: ObjectStore) -> None:
    assert put(store, DATA) == put(store, DATA) == SHA256
    with store.open(SHA256) as file:
        assert file.read() == DATA


def test_two_spools_at_once_do_not_mix(store: ObjectStore) -> None:
    one, two = store.spool(), store.spool()
    one.write(b"1")
    two.write(b"2")
    one.write(b"1")
    two.write(b"2")
    assert one.finish().sha256 == hashlib.sha256(b"11").hexdigest()
    assert two.finish().sha256 == hashlib.sha256(b"22").hexdigest()


def test_missing_object_is_a_storage_error(store: ObjectStore) -> None:
    assert not store.exists(SHA256)
    with pytest.raises(StorageError, match=SHA256):
        store.open(SHA256)


@pytest.mark.parametrize(
    "key", ["", "abc", "../" * 20 + "etc/passwd", SHA256.upper(), SHA256 + "\n", SHA256 + "0"]
)
def test_key_that_is_no_sha256_is_refused(store: ObjectStore, key: str) -> None:
    with pytest.raises(ValueError, match="SHA-256"):
        store.exists(key)
    with pytest.raises(ValueError, match="SHA-256"):
        store.open(key)


def test_free_room_is_told(store: ObjectStore) -> None:
    assert store.free_bytes() > 0


def test_keys_spread_over_folders() -> None:
    assert object_key(SHA256) == f"blobs/sha256/{SHA256[:2]}/{SHA256}"
