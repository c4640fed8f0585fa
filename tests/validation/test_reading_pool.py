"""A poison file costs its own result and nothing else."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from crawler.readers.bounds import DEFAULT_BOUNDS
from crawler.readers.content import Trouble
from crawler.validation.child_process import MAX_ITEMS
from crawler.validation.failure import PoolFailure
from crawler.validation.fork_server import ForkServerLost
from crawler.validation.pool import ReadingPool
from tests.validation.poison import work

pytestmark = pytest.mark.slow

BOUNDS = replace(DEFAULT_BOUNDS, memory=400 * 1000**2, unpacked=64 * 1000**2)
QUICK = replace(BOUNDS, seconds=1.0)
Pool = ReadingPool[tuple[str, str], object]


def pool_of(jobs: int = 1, bounds=BOUNDS) -> Pool:
    return ReadingPool(jobs, bounds, work, preload=())


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with pool_of() as made:
        yield made


@pytest.fixture(scope="module")
def quick() -> Iterator[Pool]:
    with pool_of(bounds=QUICK) as made:
        yield made


def wait_until(condition) -> None:
    """Returns when the condition holds; a test that waits for ever is stopped by its own end."""
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come to pass")


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def written(marker: str) -> str:
    """What a reader wrote into its own folder, the only place where it can."""
    folder = Path(tempfile.gettempdir())

    def found() -> list[str]:
        return [path.read_text() for path in folder.glob(f"tallyho-reading-*/*/{marker}")]

    wait_until(lambda: any(found()))
    return found()[0]


@pytest.mark.parametrize(
    ("name", "trouble", "told"),
    [
        ("segfault", Trouble.CRASHED, "SIGSEGV"),
        ("quit_at_once", Trouble.CRASHED, "code 3"),
        ("quit_politely", Trouble.CRASHED, "SystemExit: 4"),
        ("fail", Trouble.CRASHED, "ValueError: why"),
        ("recurse", Trouble.TOO_DEEP, "nested"),
        ("eat_memory", Trouble.MEMORY, "memory"),
        ("huge_result", Trouble.TOO_LARGE, "100,000,0"),
        ("result_of_no_type", Trouble.CRASHED, "function"),
        ("write_without_end", Trouble.CRASHED, "File too large"),
        ("close_everything", Trouble.CRASHED, "SIGKILL"),
    ],
)
def test_poison_is_named_and_the_next_item_is_served(pool, name, trouble, told):
    failure = pool.run((name, "why"))
    assert isinstance(failure, PoolFailure)
    assert failure.trouble is trouble
    assert told in failure.detail
    assert pool.run(("double", "ab")) == "abab"


def test_memory_of_native_libraries_is_bounded_too(pool):
    failure = pool.run(("eat_memory_natively", ""))
    assert isinstance(failure, PoolFailure)
    assert failure.trouble is Trouble.MEMORY


@pytest.mark.parametrize("name", ["loop", "deaf_loop"])
def test_endless_loop_is_killed(quick, name):
    failure = quick.run((name, ""))
    assert failure == PoolFailure(Trouble.TIMEOUT, "reading it took longer than 1 seconds")
    assert quick.run(("double", "ab")) == "abab"


def test_process_is_warm_and_serves_many_items():
    with pool_of() as pool:
        served = [pool.run(("who", "")) for _ in range(20)]
        assert len(set(served)) == 1
        assert served[0] != os.getpid()


def test_process_that_served_enough_is_replaced(pool):
    served = [pool.run(("who", "")) for _ in range(MAX_ITEMS + 1)]
    assert len(set(served)) == 2


def test_process_that_has_grown_is_replaced(pool):
    before = pool.run(("leak", ""))
    assert isinstance(before, int)
    assert pool.run(("who", "")) != before


def test_output_of_readers_goes_nowhere(pool, capfd):
    assert pool.run(("say_a_lot", "")) == "said"
    assert capfd.readouterr() == ("", "")


def test_temporary_files_are_removed_after_each_item(pool):
    left = Path(str(pool.run(("leave_files", ""))))
    assert not left.exists()
    assert left.parent.exists()


def test_temporary_files_of_a_dead_process_are_removed():
    with pool_of() as pool:
        folder = Path(pool.run(("leave_files", ""))).parent
        assert folder.exists()
        pool.run(("leave_files_and_die", ""))
        assert not folder.exists()


def test_closed_pool_leaves_no_process_and_no_file(tmp_path):
    with pool_of(2) as pool:
        reader = pool.run(("who", ""))
        folder = Path(str(pool.run(("leave_files", "")))).parents[1]
        assert folder.exists()
    assert isinstance(reader, int)
    assert not is_alive(reader)
    assert not folder.exists()


def test_thousand_items_with_poison_among_them_each_come_back_once():
    items = [("double", str(number)) for number in range(1000)]
    for place, name in ((10, "segfault"), (11, "quit_at_once"), (500, "eat_memory"), (999, "fail")):
        items[place] = (name, str(place))
    with pool_of(2) as pool:
        results = dict(pool.map_unordered(items))
    assert len(results) == 1000
    failed = {item for item, result in results.items() if isinstance(result, PoolFailure)}
    assert failed == {items[10], items[11], items[500], items[999]}
    assert all(results[item] == item[1] * 2 for item in items if item not in failed)


def test_items_are_taken_as_there_is_room():
    taken = []

    def items() -> Iterator[tuple[str, str]]:
        for number in range(1000):
            taken.append(number)
            yield "double", str(number)

    with pool_of(2) as pool:
        results = pool.map_unordered(items())
        next(results)
        assert len(taken) < 20
        results.close()


def test_slow_item_does_not_hold_up_the_others(tmp_path):
    marker = tmp_path.parent.name + tmp_path.name
    items = [("wait_for_the_end", marker)] + [("double", str(number)) for number in range(20)]
    with pool_of(2, replace(BOUNDS, seconds=60)) as pool:
        results = pool.map_unordered(items)
        first = [next(results)[0] for _ in range(20)]
        assert set(first) == set(items[1:])
        results.close()


def test_reader_killed_from_outside_costs_the_item_that_it_read(tmp_path):
    marker = tmp_path.parent.name + tmp_path.name
    with pool_of() as pool:
        future = pool.submit(("wait_for_the_end", marker))
        os.kill(int(written(marker)), signal.SIGKILL)
        failure = future.result()
        assert isinstance(failure, PoolFailure)
        assert "SIGKILL" in failure.detail
        assert pool.run(("double", "ab")) == "abab"


def test_reader_killed_while_it_waits_costs_nothing():
    with pool_of() as pool:
        reader = pool.run(("who", ""))
        assert isinstance(reader, int)
        os.kill(reader, signal.SIGKILL)
        wait_until(lambda: not is_alive(reader))
        assert pool.run(("double", "ab")) == "abab"


def test_lost_fork_server_costs_nothing():
    with pool_of() as pool:
        reader = pool.run(("who", ""))
        server = int(Path(f"/proc/{reader}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(server, signal.SIGKILL)
        wait_until(lambda: not is_alive(reader))  # type: ignore[arg-type]
        assert pool.run(("double", "ab")) == "abab"


def test_pool_is_used_from_threads_that_end():
    results: list[object] = []
    with pool_of(2) as pool:
        for _ in range(3):
            threads = [
                threading.Thread(target=lambda: results.append(pool.run(("double", "ab"))))
                for _ in range(4)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    assert results == ["abab"] * 12


def test_close_ends_what_is_running(tmp_path):
    marker = tmp_path.parent.name + tmp_path.name
    with pool_of() as pool:
        future = pool.submit(("wait_for_the_end", marker))
        reader = int(written(marker))
    assert future.result() == PoolFailure(Trouble.CRASHED, "the pool was closed")
    assert not is_alive(reader)
    with pytest.raises(RuntimeError, match="closed"):
        pool.submit(("double", "ab"))


def test_task_that_cannot_be_imported_is_told():
    pool: Pool = ReadingPool(1, BOUNDS, work, preload=("no_such_library",))
    with pool, pytest.raises(ForkServerLost, match="no_such_library"):
        pool.run(("double", "ab"))


PARENT = """
import sys, threading
sys.path.append(sys.argv[1])
from dataclasses import replace
from crawler.readers.bounds import DEFAULT_BOUNDS
from crawler.validation.pool import ReadingPool
from tests.validation.poison import work

bounds = replace(DEFAULT_BOUNDS, seconds=600)
pool = ReadingPool(2, bounds, work, preload=())
print(pool.run(("leave_files", "")), flush=True)
pool.submit(("deaf_loop", ""))
pool.submit(("wait_for_the_end", sys.argv[2])).result()
"""


def test_killed_parent_leaves_no_process_and_no_file(tmp_path):
    marker = tmp_path.parent.name + tmp_path.name
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", PARENT, str(root), marker]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        folder = Path(parent.stdout.readline().strip()).parents[1]
        reader = int(written(marker))
        server = int(Path(f"/proc/{reader}/stat").read_text().rpartition(")")[2].split()[1])
        children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
        assert str(reader) in children
        parent.kill()
    for pid in [server, *map(int, children)]:
        wait_until(lambda pid=pid: not is_alive(pid))
    wait_until(lambda: not folder.exists())
