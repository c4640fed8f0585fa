"""Ctrl-C and SIGTERM as a wish to stop at the next good moment."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def stop_signals(say: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Turn the first Ctrl-C or SIGTERM into a wish, the second into a KeyboardInterrupt.

    `say` is called from within the signal handler.
    """
    asked = False

    def stop_requested() -> bool:
        return asked

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        say()

    if threading.current_thread() is not threading.main_thread():
        yield stop_requested
        return
    before = {
        number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield stop_requested
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
