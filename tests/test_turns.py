"""Crawls at once work one after the other, and wait at the same time."""

import threading
import time

import pytest

from crawler import turns as module
from crawler.turns import Turns, waiting

LONG = 20.0


def in_thread(
    turns: Turns, began: threading.Event, over: threading.Event | None = None
) -> threading.Thread:
    """A thread that takes a turn, says so, and keeps it until it is over."""

    def run() -> None:
        with turns.working():
            began.set()
            if over is not None:
                over.wait(LONG)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def test_one_works_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_SECONDS", LONG)
    turns = Turns()
    working = 0
    together: list[int] = []

    def work() -> None:
        nonlocal working
        for _ in range(200):
            with turns.working():
                for _ in range(2):
                    working += 1
                    time.sleep(0)
                    together.append(working)
                    working -= 1
                    with waiting():
                        time.sleep(0)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == [1] * 1600


def test_who_waits_for_something_gives_his_turn_away() -> None:
    turns, began = Turns(), threading.Event()
    with turns.working(), waiting():
        in_thread(turns, began)
        assert began.wait(LONG)


def test_a_wait_within_a_wait_does_not_take_the_turn_back() -> None:
    turns, began = Turns(), threading.Event()
    with turns.working(), waiting():
        with waiting():
            pass
        in_thread(turns, began)
        assert began.wait(LONG)


def test_nobody_is_held_up_by_one_that_never_gives_its_turn_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_SECONDS", 0.01)
    turns, hung, over = Turns(), threading.Event(), threading.Event()
    stuck = in_thread(turns, hung, over)
    assert hung.wait(LONG)
    with turns.working(), waiting():
        pass
    over.set()
    stuck.join()


def test_a_turn_that_ends_with_an_exception_is_given_back() -> None:
    turns, began = Turns(), threading.Event()
    with pytest.raises(ValueError, match="now"), turns.working(), waiting():
        raise ValueError("now")
    in_thread(turns, began)
    assert began.wait(LONG)


def test_a_crawl_alone_has_no_turns() -> None:
    with waiting():
        pass
