"""Crawls of many sites keep to one core that others leave free; the rest of us has them all."""

import multiprocessing
import os
import threading
from pathlib import Path

import pytest

from crawler.config.settings import Settings
from crawler.pipeline.night.one_core import Use, better_core, one_core
from crawler.pipeline.validate.validation_process import ValidationProcess

CORES = os.sched_getaffinity(0)
several = pytest.mark.skipif(len(CORES) < 2, reason="this machine gives us one core")


def cores_of_threads() -> list[set[int]]:
    return [os.sched_getaffinity(int(task.name)) for task in Path("/proc/self/task").iterdir()]


@several
def test_all_threads_are_on_the_same_core_and_then_free_again() -> None:
    ended = threading.Event()
    before = threading.Thread(target=ended.wait)
    before.start()
    with one_core():
        within = threading.Thread(target=ended.wait)
        within.start()
        (core,) = {frozenset(cores) for cores in cores_of_threads()}
        assert len(core) == 1
    assert all(cores == CORES for cores in cores_of_threads())
    ended.set()
    before.join()
    within.join()


@several
def test_validation_beside_the_crawls_has_every_core(tmp_path: Path) -> None:
    with ValidationProcess(Settings(home=tmp_path)) as validation, one_core():
        validation.validate([])
        (process,) = multiprocessing.active_children()
        assert process.pid is not None
        assert os.sched_getaffinity(process.pid) == CORES


BEFORE = Use(at=100.0, busy={0: 50.0, 1: 50.0, 2: 50.0}, own=7.0)


@pytest.mark.parametrize(
    ("busy", "own", "expected"),
    [
        pytest.param({0: 8.0, 1: 0.0, 2: 0.0}, 8.0, 0, id="the only work is our own"),
        pytest.param({0: 10.0, 1: 2.0, 2: 1.0}, 5.0, 2, id="others take half of our core"),
        pytest.param({0: 10.0, 1: 10.0, 2: 10.0}, 5.0, 0, id="others take more of the other cores"),
        pytest.param({0: 10.0, 1: 3.0, 2: 3.5}, 5.0, 0, id="hardly less elsewhere"),
    ],
)
def test_the_core_is_left_when_others_take_much_more_of_it_than_of_another(
    busy: dict[int, float], own: float, expected: int
) -> None:
    now = Use(
        at=110.0,
        busy={core: BEFORE.busy[core] + used for core, used in busy.items()},
        own=BEFORE.own + own,
    )
    assert better_core(0, {0, 1, 2}, BEFORE, now) == expected


def test_a_core_that_was_not_given_to_us_is_not_taken() -> None:
    now = Use(at=110.0, busy={0: 60.0, 1: 58.0, 2: 50.0}, own=7.0)
    assert better_core(0, {0, 1}, BEFORE, now) == 0
