"""What every object store must do with files."""

import hashlib
import io
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import islice

import pytest

from crawler.errors import StorageError
from crawler.storage.interface import Blob, ObjectStore
from crawler.storage.keys import object_key
from crawler.storage.s3 import S3Store
from crawler.storage.s3_upload import IN_PARTS_FROM

DATA = b"year,births\n1999,7\n"
SHA256 = hashlib.sha256(DATA).hexdigest()

LARGE = IN_PARTS_FROM + 5_000_000


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def put(store: ObjectStore, data: bytes) -> str:
    spool = store.spool()
    spool.write(data)
    return spool.finish().sha256


def test_local_path_holds_the_bytes_where_there_is_one(store: ObjectStore) -> None:
    path = store.local_path(put(store, DATA))
    assert (path is None) == isinstance(store, S3Store)
    if path is not None:
        assert path.read_bytes() == DATA


def test_object_is_found_under_the_hash_of_its_bytes(store: ObjectStore) -> None:
    spool = store.spool()
    spool.write(DATA[:5])
    spool.write(DATA[5:])
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
    assert store.size(SHA256) is None
    with pytest.raises(StorageError, match=SHA256) as raised:
        store.open(SHA256)
    assert not raised.value.retryable


def test_key_that_is_no_sha256_is_refused(store: ObjectStore) -> None:
    wrong = ["", "abc", "../" * 20 + "etc/passwd", SHA256.upper(), SHA256 + "\n", SHA256 + "0"]
    for key in wrong:
        for use in (store.exists, store.open, store.size, store.delete):
            with pytest.raises(ValueError, match="SHA-256"):
                use(key)


def test_free_room_is_told(store: ObjectStore) -> None:
    assert store.free_bytes() > 0


def test_keys_spread_over_folders() -> None:
    assert object_key(SHA256) == f"blobs/sha256/{SHA256[:2]}/{SHA256}"


def test_size_is_told_without_reading(store: ObjectStore) -> None:
    assert store.size(put(store, DATA)) == len(DATA)
    assert store.size(put(store, b"")) == 0


def test_deleted_object_is_gone_and_may_be_deleted_again(store: ObjectStore) -> None:
    put(store, DATA)
    put(store, b"another")
    for _ in range(2):
        store.delete(SHA256)
    assert not store.exists(SHA256)
    assert [blob.sha256 for blob in store.blobs()] == [digest(b"another")]
    put(store, DATA)
    assert store.exists(SHA256)


def test_sixteen_writers_of_the_same_bytes_make_one_object(
    store: ObjectStore, left_on_disk: Callable[[], list[str]]
) -> None:
    data = random.Random(1).randbytes(300_000)
    with ThreadPoolExecutor(16) as pool:
        written = list(pool.map(lambda _: put(store, data), range(16)))
    assert set(written) == {digest(data)}
    assert list(store.blobs()) == [Blob(digest(data), len(data))]
    with store.open(digest(data)) as file:
        assert file.read() == data
    assert left_on_disk() == []


def test_listing_of_an_empty_store_is_empty(store: ObjectStore) -> None:
    assert list(store.blobs()) == []


@pytest.mark.slow
def test_listing_goes_on_over_many_pages_in_order(store: ObjectStore) -> None:
    pieces = [f"file {number}".encode() for number in range(1_500)]
    with ThreadPoolExecutor(8) as pool:
        names = list(pool.map(lambda piece: put(store, piece), pieces))
    put_object_beside = store.put_object("state/demo/1", b"not a file")
    found = list(store.blobs())
    assert put_object_beside
    assert [blob.sha256 for blob in found] == sorted(names)
    assert {blob.sha256: blob.size for blob in found} == {
        name: len(piece) for name, piece in zip(names, pieces, strict=True)
    }
    assert [blob.sha256 for blob in islice(store.blobs(), 3)] == sorted(names)[:3]


def test_listing_tells_when_an_object_came(store: ObjectStore) -> None:
    put(store, DATA)
    (blob,) = store.blobs()
    assert blob.stored_at is not None
    assert blob.stored_at.tzinfo is UTC
    assert abs(datetime.now(UTC) - blob.stored_at) < timedelta(days=1)


def test_object_can_be_read_from_anywhere(store: ObjectStore) -> None:
    data = random.Random(2).randbytes(1_000_000)
    put(store, data)
    with store.open(digest(data)) as file:
        assert file.seekable()
        assert file.seek(-10, io.SEEK_END) == len(data) - 10
        assert file.read() == data[-10:]
        assert file.read() == b""
        file.seek(500_000)
        assert file.read(3) == data[500_000:500_003]
        file.seek(7, io.SEEK_CUR)
        assert file.tell() == 500_010
        assert file.read() == data[500_010:]
        file.seek(0)
        assert file.read() == data
        file.seek(len(data) + 5)
        assert file.read() == b""


def test_large_object_arrives_as_it_was_sent(
    store: ObjectStore, left_on_disk: Callable[[], list[str]]
) -> None:
    piece = random.Random(3).randbytes(1_000_000)
    for _ in range(2):
        spool = store.spool()
        for _ in range(LARGE // len(piece)):
            spool.write(piece)
        blob = spool.finish()
    read = hashlib.sha256()
    with store.open(blob.sha256) as file:
        while data := file.read(1_000_000):
            read.update(data)
    assert read.hexdigest() == blob.sha256
    assert list(store.blobs()) == [blob]
    assert left_on_disk() == []


def test_reading_twice_and_in_parts_is_no_damage(store: ObjectStore) -> None:
    put(store, DATA)
    with store.open(SHA256) as file:
        assert file.read(4) == DATA[:4]
        file.seek(0)
        assert file.read() == DATA
        file.seek(5)
        assert file.read() == DATA[5:]
    with store.open_unchecked(SHA256) as file:
        assert file.read() == DATA
