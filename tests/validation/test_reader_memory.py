"""All readers of a machine share its memory, whatever process they belong to."""

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from crawler.errors import StorageError
from crawler.validation.reader_memory import SHARE_BYTES, ReaderMemory, ReadersBusy, machine_memory

HOLDS_ALL = """
import sys
from pathlib import Path
from crawler.validation.reader_memory import SHARE_BYTES, ReaderMemory
with ReaderMemory(Path(sys.argv[1]), 3 * SHARE_BYTES).held(3 * SHARE_BYTES):
    print("held", flush=True)
    sys.stdin.read()
"""


def await_places(folder: Path, count: int) -> bool:
    """Waits until that many readers stand in line."""
    for _ in range(3000):
        if len(list(folder.glob("waiting-*"))) == count:
            return True
        time.sleep(0.01)
    raise AssertionError(f"there are never {count} that wait")


def test_shares_are_never_more_than_there_are(tmp_path: Path) -> None:
    memory = ReaderMemory(tmp_path / "shares", 3 * SHARE_BYTES)
    working, most, lock = 0, 0, threading.Lock()

    def read() -> None:
        nonlocal working, most
        for _ in range(20):
            with memory.held(SHARE_BYTES):
                with lock:
                    working += 1
                    most = max(most, working)
                time.sleep(0.005)  # long enough for the others to come in, if they could
                with lock:
                    working -= 1

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 <= most <= 3


def test_another_process_is_waited_for_and_its_death_frees_what_it_held(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDS_ALL, str(tmp_path / "shares")]
    memory = ReaderMemory(tmp_path / "shares", 3 * SHARE_BYTES)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        assert memory._take(1) == []
        other.kill()
        other.wait()
        with memory.held(2 * SHARE_BYTES):
            assert len(memory._take(3)) == 1


def test_those_that_wait_are_served_in_their_order(tmp_path: Path) -> None:
    memory = ReaderMemory(tmp_path / "shares", 3 * SHARE_BYTES)
    order: list[str] = []

    def read(name: str) -> None:
        with memory.held(2 * SHARE_BYTES):
            order.append(name)

    names = [f"reader {number}" for number in range(6)]
    with memory.held(3 * SHARE_BYTES):
        threads = []
        for number, name in enumerate(names, start=1):
            threads.append(threading.Thread(target=read, args=(name,)))
            threads[-1].start()
            await_places(tmp_path / "shares", number)
    for thread in threads:
        thread.join()
    assert order == names
    assert await_places(tmp_path / "shares", 0)


def test_a_small_reader_passes_those_that_wait_for_several_shares(tmp_path: Path) -> None:
    memory = ReaderMemory(tmp_path / "shares", 3 * SHARE_BYTES)
    has_given_up = threading.Event()

    def wait_in_vain() -> None:
        with (
            pytest.raises(ReadersBusy),
            memory.held(3 * SHARE_BYTES, is_given_up=has_given_up.is_set),
        ):
            pass

    with memory.held(2 * SHARE_BYTES):
        large = threading.Thread(target=wait_in_vain)
        large.start()
        await_places(tmp_path / "shares", 1)
        with memory.held(SHARE_BYTES, seconds=0):
            pass
        has_given_up.set()
        large.join()


def test_place_of_a_process_that_died_in_line_is_given_up(tmp_path: Path) -> None:
    folder = tmp_path / "shares"
    memory = ReaderMemory(folder, 3 * SHARE_BYTES)
    command = [sys.executable, "-c", HOLDS_ALL, str(folder)]
    with memory.held(2 * SHARE_BYTES):
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
            await_places(folder, 1)
            other.kill()
        assert await_places(folder, 1)
    with memory.held(2 * SHARE_BYTES, seconds=0):
        assert await_places(folder, 0)


def test_waiting_ends_with_its_time(tmp_path: Path) -> None:
    memory = ReaderMemory(tmp_path / "shares", SHARE_BYTES)
    with (
        memory.held(1),
        pytest.raises(ReadersBusy, match="other files are being read"),
        memory.held(1, seconds=0.05),
    ):
        pass
    with memory.held(1, seconds=0):
        pass


def test_a_small_machine_reads_one_by_one_and_a_large_reader_takes_all(tmp_path: Path) -> None:
    assert ReaderMemory(tmp_path, SHARE_BYTES // 2).shares == 1
    assert ReaderMemory(tmp_path, 4 * SHARE_BYTES).shares_of(100 * SHARE_BYTES) == 4
    assert ReaderMemory(tmp_path, 4 * SHARE_BYTES).shares_of(SHARE_BYTES + 1) == 2
    assert machine_memory() > 0


def test_a_folder_that_somebody_else_laid_there_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "shares").symlink_to(tmp_path / "elsewhere")
    memory = ReaderMemory(tmp_path / "shares", SHARE_BYTES)
    with pytest.raises(StorageError, match="somebody else"), memory.held(1):
        pass
