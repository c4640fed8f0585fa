"""Functions for processes to call; alone here, so that a process need not import pytest first."""

import os
import signal

from crawler.errors import ConfigError


def square(number: int) -> int:
    """Of most numbers; some fail, each in a way of its own."""
    if number == 3:
        raise ConfigError("three is too many", site="here")
    if number == 4:
        raise ZeroDivisionError("four")
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 6:
        raise MemoryError
    return number * number


def own_process(number: int) -> int:
    """Which process this is."""
    return os.getpid()
