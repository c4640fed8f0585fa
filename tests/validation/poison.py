"""What a file can do to the process that reads it: the tasks of the pool's tests."""

import ctypes
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

WAITING = "waiting"


def work(item: tuple[str, str]) -> object:
    """Does what the first word says, with the second."""
    name, argument = item
    return TASKS[name](argument)


def double(argument: str) -> str:
    return argument * 2


def who(_: str) -> int:
    return os.getpid()


def segfault(_: str) -> None:
    ctypes.string_at(0)


def loop(_: str) -> None:
    while True:
        pass


def deaf_loop(_: str) -> None:
    for name in (signal.SIGTERM, signal.SIGXCPU, signal.SIGINT):
        signal.signal(name, signal.SIG_IGN)
    loop("")


def eat_memory(_: str) -> None:
    eaten = []
    while True:
        eaten.append(b"x" * 10**8)


def eat_memory_natively(_: str) -> None:
    import pyarrow as pa

    pa.allocate_buffer(10**13)


def quit_at_once(_: str) -> None:
    os._exit(3)


def quit_politely(_: str) -> None:
    sys.exit(4)


def fail(argument: str) -> None:
    raise ValueError(argument)


def recurse(argument: str) -> str:
    return recurse(argument) + "x"


def huge_result(_: str) -> str:
    return "x" * 10**8


def result_of_no_type(_: str) -> Callable[[], None]:
    return lambda: None


def close_everything(_: str) -> None:
    os.closerange(0, 1000)
    time.sleep(600)


def leave_files(_: str) -> str:
    _, name = tempfile.mkstemp()
    Path(name).write_bytes(b"left")
    Path(tempfile.mkdtemp(), "inside").write_bytes(b"left")
    return name


def leave_files_and_die(_: str) -> None:
    leave_files("")
    quit_at_once("")


def write_without_end(_: str) -> None:
    with tempfile.TemporaryFile() as file:
        while True:
            file.write(bytes(10**7))


def wait_for_the_end(marker: str) -> None:
    Path(tempfile.gettempdir(), marker).write_text(str(os.getpid()))
    time.sleep(600)


LEFT_BEHIND: list[bytes] = []


def leak(_: str) -> int:
    LEFT_BEHIND.append(bytes(150 * 10**6))
    return os.getpid()


def say_a_lot(_: str) -> str:
    print("x" * 10**6)
    print("y" * 10**6, file=sys.stderr)
    return "said"


TASKS: dict[str, Callable[[str], object]] = {
    task.__name__: task
    for task in (
        double,
        who,
        segfault,
        loop,
        deaf_loop,
        eat_memory,
        eat_memory_natively,
        quit_at_once,
        quit_politely,
        fail,
        recurse,
        huge_result,
        result_of_no_type,
        close_everything,
        leave_files,
        leave_files_and_die,
        write_without_end,
        wait_for_the_end,
        leak,
        say_a_lot,
    )
}
