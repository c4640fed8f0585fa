"""Child processes that end together with the process that started them."""

import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO

STOP_SECONDS = 10


@contextmanager
def child(
    command: Sequence[str],
    *,
    output: IO[bytes] | int | None = None,
    environment: Mapping[str, str] | None = None,
    group: int | None = None,
) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that is ended with this block; `group` 0 keeps the terminal's Ctrl-C from it."""
    process = None
    try:
        with _signals_held():
            process = subprocess.Popen(  # noqa: S603 - no part of the command comes from outside
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT if output is not None else None,
                env=environment,
                process_group=group,
            )
        yield process
    finally:
        if process:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def _signals_held() -> Iterator[None]:
    """Deliver signals at the end: in the middle of a start they would leave a process behind."""
    caught: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _: caught.append(number))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for held in caught:
        signal.raise_signal(held)
