"""The pacer, on a clock that only sleeping moves."""

import threading
import time

import pytest

from crawler.web.pacer import Hosts, Interrupted, Pacer


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pacer(clock: Clock) -> Pacer:
    return Pacer(clock, clock.sleep)


def test_first_request_does_not_wait(pacer: Pacer, clock: Clock) -> None:
    pacer.before("a.example", 5.0, 0.0)
    assert clock.slept == []


def test_delay_counts_from_the_end_of_the_previous_request(pacer: Pacer, clock: Clock) -> None:
    pacer.before("a.example", 2.0, 0.0)
    clock.now += 60.0
    pacer.after("a.example")
    ended = clock.now
    pacer.before("a.example", 2.0, 0.0)
    assert clock.now == ended + 2.0


def test_time_that_passed_anyway_is_not_waited_again(pacer: Pacer, clock: Clock) -> None:
    pacer.after("a.example")
    clock.now += 1.5
    pacer.before("a.example", 2.0, 0.0)
    assert sum(clock.slept) == 0.5


def test_hosts_do_not_wait_for_each_other(pacer: Pacer, clock: Clock) -> None:
    pacer.after("a.example")
    pacer.before("b.example", 5.0, 0.0)
    assert clock.slept == []


def test_case_of_a_host_does_not_matter(pacer: Pacer, clock: Clock) -> None:
    pacer.after("A.Example")
    pacer.before("a.example", 2.0, 0.0)
    assert sum(clock.slept) == 2.0


def test_wait_is_added_to_the_delay(pacer: Pacer, clock: Clock) -> None:
    pacer.before("a.example", 2.0, 3.0)
    pacer.after("a.example")
    pacer.before("a.example", 2.0, 3.0)
    assert sum(clock.slept) == 8.0


def test_hold_makes_the_first_request_after_a_restart_wait(pacer: Pacer, clock: Clock) -> None:
    pacer.hold("a.example")
    pacer.before("a.example", 4.0, 0.0)
    assert sum(clock.slept) == 4.0


def test_long_waits_come_in_slices_with_ticks(clock: Clock) -> None:
    ticks: list[float] = []
    pacer = Pacer(clock, clock.sleep, on_tick=lambda: ticks.append(clock.now))
    pacer.before("a.example", 0.0, 3.5)
    assert clock.slept == [0.5] * 7
    assert len(ticks) == 7


def test_stop_ends_a_wait_early(clock: Clock) -> None:
    pacer = Pacer(clock, clock.sleep, stop_requested=lambda: clock.now >= 1002.0)
    with pytest.raises(Interrupted):
        pacer.before("a.example", 0.0, 600.0)
    assert clock.now == 1002.0


def test_sleep_that_returns_early_is_continued(clock: Clock) -> None:
    pacer = Pacer(clock, lambda seconds: clock.sleep(seconds / 2 if seconds > 0.1 else seconds))
    pacer.before("a.example", 0.0, 1.0)
    assert clock.now == pytest.approx(1001.0)


def test_two_crawls_that_share_hosts_never_ask_one_at_once_and_keep_its_delay() -> None:
    hosts, seen = Hosts(), []
    lock = threading.Lock()

    def crawl() -> None:
        pacer = Pacer(hosts=hosts)
        for _ in range(5):
            pacer.before("a.example", 0.02)
            with lock:
                seen.append(("begin", time.monotonic()))
            with lock:
                seen.append(("end", time.monotonic()))
            pacer.after("a.example")

    threads = [threading.Thread(target=crawl) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [what for what, _ in seen] == ["begin", "end"] * 15
    ends, begins = seen[1:-1:2], seen[2::2]
    assert all(begin - end >= 0.02 for (_, end), (_, begin) in zip(ends, begins, strict=True))


def test_crawl_that_waits_for_its_turn_notices_a_stop() -> None:
    hosts = Hosts()
    Pacer(hosts=hosts).before("a.example", 0.0)
    with pytest.raises(Interrupted):
        Pacer(hosts=hosts, stop_requested=lambda: True).before("a.example", 0.0)
