"""What every object store must do with the named objects of the crawler itself."""

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crawler.errors import StorageError
from crawler.storage.interface import ObjectStore
from crawler.storage.keys import check_key, check_prefix
from crawler.storage.s3_upload import IN_PARTS_FROM

KEY = "state/demo/00000001/000042.db.zst"
NOT_KEYS = [
    "",
    "/state",
    "state/",
    "state//demo",
    "../state",
    "state/../demo",
    "state/a..b",
    "state/.hidden",
    "State/demo",
    "state/dé",
    "state/demo\n",
    "state/a b",
    "state/a?b",
    "blobs/sha256/ab/abc",
    "spool/x",
    "a" * 600,
]


def test_object_is_stored_replaced_and_deleted(store: ObjectStore) -> None:
    assert store.get_object(KEY) is None
    assert store.put_object(KEY, b"one")
    assert store.get_object(KEY) == b"one"
    assert store.put_object(KEY, b"")
    assert store.get_object(KEY) == b""
    for _ in range(2):
        store.delete_object(KEY)
    assert store.get_object(KEY) is None


def test_object_that_must_be_absent_is_not_replaced(store: ObjectStore) -> None:
    assert store.put_object(KEY, b"one", only_if_absent=True)
    assert not store.put_object(KEY, b"two", only_if_absent=True)
    assert store.get_object(KEY) == b"one"


def test_one_of_many_writes_what_must_be_absent(store: ObjectStore) -> None:
    def write(number: int) -> bool:
        return store.put_object(KEY, str(number).encode(), only_if_absent=True)

    with ThreadPoolExecutor(16) as pool:
        won = list(pool.map(write, range(16)))
    assert won.count(True) == 1
    assert store.get_object(KEY) == str(won.index(True)).encode()


def test_file_is_copied_in_and_out(store: ObjectStore, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(random.Random(4).randbytes(3_000_000))
    target.write_bytes(b"what was there")
    assert store.put_object(KEY, source)
    assert source.exists()
    assert store.download(KEY, target)
    assert target.read_bytes() == source.read_bytes()
    assert not store.put_object(KEY, source, only_if_absent=True)


@pytest.mark.slow
def test_large_file_is_copied_in_and_out(store: ObjectStore, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(random.Random(5).randbytes(1_000_000) * (IN_PARTS_FROM // 1_000_000 + 3))
    assert store.put_object(KEY, source, only_if_absent=True)
    assert not store.put_object(KEY, source, only_if_absent=True)
    assert store.download(KEY, target)
    assert target.read_bytes() == source.read_bytes()


def test_download_of_what_is_not_there_leaves_the_file(store: ObjectStore, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_bytes(b"what was there")
    assert not store.download(KEY, target)
    assert target.read_bytes() == b"what was there"


def test_download_into_no_folder_is_a_storage_error(store: ObjectStore, tmp_path: Path) -> None:
    store.put_object(KEY, b"one")
    with pytest.raises(StorageError, match="nowhere"):
        store.download(KEY, tmp_path / "nowhere" / "target")


def test_source_that_is_not_there_is_a_storage_error(store: ObjectStore, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="nothing"):
        store.put_object(KEY, tmp_path / "nothing")
    assert store.get_object(KEY) is None


def test_keys_are_listed_by_their_beginning(store: ObjectStore) -> None:
    keys = ["state/a/1", "state/a/2", "state/ab/1", "state/b", "pages/a/1"]
    for key in keys:
        store.put_object(key, b"x")
    assert list(store.objects("state/a/")) == ["state/a/1", "state/a/2"]
    assert sorted(store.objects("state/a")) == ["state/a/1", "state/a/2", "state/ab/1"]
    assert sorted(store.objects("state/")) == sorted(keys[:4])
    assert list(store.objects("none/")) == []
    now = datetime.now(UTC)
    stored = list(store.stored_objects("state/a/"))
    assert [each.key for each in stored] == ["state/a/1", "state/a/2"]
    assert all(abs(each.stored_at - now) < timedelta(minutes=1) for each in stored)
    assert list(store.stored_objects("none/")) == []


def test_every_key_is_listed_and_no_blob(store: ObjectStore) -> None:
    keys = ["check", "data-docs/a/index.html", "data.txt", "state/a/1", "state/b", "zebra"]
    assert list(store.every_object()) == []
    for key in keys:
        store.put_object(key, b"x")
    spool = store.spool()
    spool.write(b"bytes")
    spool.finish()
    assert list(store.every_object()) == keys


@pytest.mark.slow
def test_keys_are_listed_over_many_pages(store: ObjectStore) -> None:
    keys = [f"state/demo/{number:06}" for number in range(1_010)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda key: store.put_object(key, b"x"), keys))
    assert list(store.objects("state/demo/")) == keys


def test_pointer_moves_only_from_what_is_expected(store: ObjectStore) -> None:
    assert not store.swap_pointer("state/demo/newest", b"1", b"2")
    assert store.swap_pointer("state/demo/newest", None, b"1")
    assert not store.swap_pointer("state/demo/newest", None, b"2")
    assert not store.swap_pointer("state/demo/newest", b"0", b"2")
    assert store.swap_pointer("state/demo/newest", b"1", b"2")
    assert store.get_object("state/demo/newest") == b"2"


@pytest.mark.parametrize("expected", [None, b"before"])
def test_one_of_many_moves_the_pointer(store: ObjectStore, expected: bytes | None) -> None:
    if expected is not None:
        store.put_object(KEY, expected)
    with ThreadPoolExecutor(16) as pool:
        won = list(
            pool.map(lambda n: store.swap_pointer(KEY, expected, str(n).encode()), range(16))
        )
    assert won.count(True) == 1
    assert store.get_object(KEY) == str(won.index(True)).encode()


def test_no_move_is_lost_among_many(store: ObjectStore) -> None:
    store.put_object(KEY, b"0")

    def add_five(_: int) -> None:
        done = 0
        while done < 5:
            present = store.get_object(KEY)
            assert present is not None
            done += store.swap_pointer(KEY, present, str(int(present) + 1).encode())

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add_five, range(4)))
    assert store.get_object(KEY) == b"20"


def test_text_that_is_no_key_is_refused_everywhere(store: ObjectStore) -> None:
    for key in NOT_KEYS:
        with pytest.raises(ValueError, match="key"):
            store.put_object(key, b"x")
        with pytest.raises(ValueError, match="key"):
            store.get_object(key)
        with pytest.raises(ValueError, match="key"):
            store.delete_object(key)
        with pytest.raises(ValueError, match="key"):
            store.swap_pointer(key, None, b"x")
        with pytest.raises(ValueError, match="key"):
            store.download(key, Path("x"))


def test_beginning_that_no_key_has_is_refused(store: ObjectStore) -> None:
    for prefix in ("", "/", "state", "bl", "blobs/", "../", "state/..", "st te/"):
        with pytest.raises(ValueError, match="key"):
            list(store.objects(prefix))


def test_keys_that_the_crawler_uses_are_keys() -> None:
    keys = ["state/insee-fr/00000003/000120.db.zst", "state/a_b/newest", "pages/x/2026.warc.gz"]
    assert [check_key(key) for key in keys] == keys
    assert check_prefix("state/insee-fr/") == "state/insee-fr/"
