"""A store or a catalog that goes away is waited for, within bounds."""

import pytest

from crawler.errors import StateUnreadable, StorageError
from crawler.pipeline.crawl.outage import OutageRetry, RetryingSpool
from crawler.storage.interface import Blob


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Flaky:
    """Fails so many times, then works."""

    def __init__(self, failures: int, error: StorageError) -> None:
        self.failures = failures
        self.error = error
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        if self.calls <= self.failures:
            raise self.error
        return "done"


def retry(time: Time, max_seconds: float = 60, **more: object) -> OutageRetry:
    return OutageRetry(max_seconds, clock=lambda: time.now, sleep=time.sleep, **more)  # type: ignore[arg-type]


def test_an_outage_that_ends_is_waited_for() -> None:
    action = Flaky(3, StorageError("away"))
    assert retry(Time()).attempt(action) == "done"
    assert action.calls == 4


def test_waits_grow_and_stay_within_the_bound() -> None:
    time, action = Time(), Flaky(1000, StorageError("away"))
    with pytest.raises(StorageError):
        retry(time, max_seconds=60).attempt(action)
    assert time.now == pytest.approx(60)
    assert action.calls == 7  # after 1, 2, 4, 8, 16 and the 29 seconds that are left


def test_what_waiting_cannot_mend_fails_at_once() -> None:
    time, action = Time(), Flaky(1, StateUnreadable("another version"))
    with pytest.raises(StateUnreadable):
        retry(time).attempt(action)
    assert time.now == 0


def test_displays_go_on_and_a_stop_ends_the_wait() -> None:
    time, ticks = Time(), []
    waiting = retry(
        time, on_tick=lambda: ticks.append(time.now), stop_requested=lambda: time.now >= 5
    )
    with pytest.raises(StorageError):
        waiting.attempt(Flaky(1000, StorageError("away")))
    assert ticks == [1, 2, 3, 4, 5]


def test_bytes_wait_in_their_spool_until_the_store_takes_them() -> None:
    class Spool:
        def __init__(self) -> None:
            self.finishing = Flaky(2, StorageError("away"))
            self.size = 0

        def write(self, data: bytes) -> None:
            self.size += len(data)

        def finish(self) -> Blob:
            self.finishing()
            return Blob("0" * 64, self.size)

        def discard(self) -> None:
            raise AssertionError("nothing was to be discarded")

    spool = RetryingSpool(Spool(), retry(Time()))
    spool.write(b"12345")
    assert spool.finish().size == 5
