"""S3 servers that lack something, are busy, or hang up: the store finds its way or says why not."""

import hashlib
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from crawler.errors import StorageError, StorageRefused
from crawler.storage.s3 import S3Store
from tests.storage.odd_s3_server import Habits, OddS3Server

pytestmark = pytest.mark.slow

DATA = b"year,births\n1999,7\n"
SHA256 = hashlib.sha256(DATA).hexdigest()
PATH = f"/bucket/blobs/sha256/{SHA256[:2]}/{SHA256}"
KEY = "state/demo/newest"

Meet = Callable[..., tuple[OddS3Server, S3Store]]


@pytest.fixture
def meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Meet]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "somebody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hush-hush")
    with ExitStack() as stack:

        def make(habits: Habits, attempts: int = 2) -> tuple[OddS3Server, S3Store]:
            server = stack.enter_context(OddS3Server(habits))
            store = S3Store(
                "bucket", endpoint=server.endpoint, spool_dir=tmp_path / "spool", attempts=attempts
            )
            return server, store

        yield make


def put(store: S3Store, data: bytes) -> str:
    spool = store.spool()
    spool.write(data)
    try:
        return spool.finish().sha256
    finally:
        spool.discard()


def test_server_without_conditions_is_asked_first(meet: Meet) -> None:
    server, store = meet(Habits(knows_conditions=False))
    assert put(store, DATA) == SHA256
    assert server.objects[PATH][0] == DATA
    server.seen.clear()
    put(store, DATA)
    assert server.seen["PUT"] == 0
    assert server.seen["HEAD"] > 0


def test_pointer_on_a_server_without_conditions_is_refused(meet: Meet) -> None:
    server, store = meet(Habits(knows_conditions=False))
    with pytest.raises(StorageRefused, match=f"s3://bucket/{KEY}.*conditional"):
        store.swap_pointer(KEY, None, b"1")
    with pytest.raises(StorageRefused, match="conditional"):
        store.put_object(KEY, b"1", only_if_absent=True)
    assert store.put_object(KEY, b"1")
    assert server.objects[f"/bucket/{KEY}"][0] == b"1"


def test_conflict_is_tried_again(meet: Meet) -> None:
    server, store = meet(Habits(conflicts=3))
    put(store, DATA)
    assert server.seen["PUT"] == 4
    assert server.objects[PATH][0] == DATA


def test_conflict_without_end_is_an_error_that_waiting_may_cure(meet: Meet) -> None:
    _, store = meet(Habits(conflicts=1000))
    with pytest.raises(StorageError, match="409") as raised:
        put(store, DATA)
    assert raised.value.retryable


def test_own_write_whose_answer_was_lost_counts_as_written(meet: Meet) -> None:
    server, store = meet(Habits())
    for habit, write in {
        "absent": lambda: store.put_object(KEY, b"1", only_if_absent=True),
        "moved": lambda: store.swap_pointer(KEY, b"1", b"2"),
    }.items():
        server.habits.unheard = 1
        assert write(), habit
    server.habits.unheard = 1
    assert put(store, DATA) == SHA256
    assert store.get_object(KEY) == b"2"


def test_busy_server_is_asked_again(meet: Meet) -> None:
    _, store = meet(Habits(unavailable=1))
    assert put(store, DATA) == SHA256


def test_server_that_stays_busy_is_an_error_that_waiting_may_cure(meet: Meet) -> None:
    server, store = meet(Habits(unavailable=1000))
    with pytest.raises(StorageError, match=f"s3://bucket{PATH[7:]}.*503 SlowDown") as raised:
        put(store, DATA)
    assert raised.value.retryable
    assert server.seen["PUT"] == 2
    assert "secret" not in str(raised.value)
    assert "hush" not in str(raised.value)


def test_reading_goes_on_where_a_connection_broke_off(meet: Meet) -> None:
    server, store = meet(Habits())
    data = random.Random(6).randbytes(450_000)
    put(store, data)
    server.habits.broken_off = 3
    with store.open(hashlib.sha256(data).hexdigest()) as file:
        assert file.read() == data
    assert server.habits.broken_off == 0


def test_download_that_breaks_off_leaves_no_file(meet: Meet, tmp_path: Path) -> None:
    server, store = meet(Habits())
    store.put_object(KEY, b"x" * 450_000)
    server.habits.broken_off = 1000
    with pytest.raises(StorageError, match=KEY) as raised:
        store.download(KEY, tmp_path / "target")
    assert raised.value.retryable
    assert [path.name for path in tmp_path.iterdir()] == ["spool"]


def test_small_object_that_breaks_off_is_an_error(meet: Meet) -> None:
    server, store = meet(Habits())
    store.put_object(KEY, b"x" * 450_000)
    server.habits.broken_off = 1000
    with pytest.raises(StorageError, match=KEY):
        store.get_object(KEY)


def test_server_that_keeps_half_is_found_out(meet: Meet) -> None:
    _, store = meet(Habits(keeps_half=True))
    with pytest.raises(StorageRefused, match="damaged: 9 bytes instead of 19"):
        put(store, DATA)
