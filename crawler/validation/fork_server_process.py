"""The process that imports everything once and forks the processes that read, as it is ordered.

It opens no file itself, so it is always there to answer; when its own parent is gone, however that
went, it ends, and the kernel ends its children with it.
"""

import contextlib
import gc
import importlib
import os
import pickle
import select
import shutil
import signal
import socket
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from crawler.readers.bounds import Bounds
from crawler.validation.child_process import serve
from crawler.validation.wire import HungUp, receive, send

ORDER = struct.Struct("!BQ")
REPLY = struct.Struct("!qq")
"""The id of a new process, or the exit status of a dead one; and the memory that it took."""
_LOOK_AROUND = 1.0
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


class Order(IntEnum):
    """What the parent may ask for."""

    FORK = 1
    """A process; the number names its folder, and its end of a socket comes with the order."""
    REAP = 2
    """The exit status of a process that was killed or is dying; the number is its id."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What the process needs to know before it forks."""

    task: bytes
    """Pickled: a function that can be imported."""
    preload: tuple[str, ...]
    bounds: Bounds
    folder: Path
    readable: tuple[Path, ...] = ()
    """Where the files to be read are; empty when they may be anywhere."""


def main(descriptor: int, parent: int) -> None:
    """Serves the parent at the other end of the socket until that is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = socket.socket(fileno=descriptor)
    try:
        setup: Setup = pickle.loads(receive(control))  # noqa: S301 - from our own parent
    except HungUp:
        return  # the parent was interrupted while it started us
    try:
        task = _prepare(setup)
    except BaseException as error:
        send(control, f"{type(error).__name__}: {error}".encode())
        return
    server = _ForkServer(control, setup, task)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        send(control, b"")
        while _is_asked(control, parent):
            server.obey()
    except (HungUp, OSError):
        pass
    finally:
        server.close()


class _ForkServer:
    def __init__(self, control: socket.socket, setup: Setup, task: Callable[[Any], Any]) -> None:
        self._control = control
        self._setup = setup
        self._task = task
        self._living: set[int] = set()

    def obey(self) -> None:
        data, descriptors, _, _ = socket.recv_fds(self._control, ORDER.size, 1)
        if len(data) < ORDER.size:
            raise HungUp
        order, number = ORDER.unpack(data)
        if order == Order.FORK:
            reply = (self._fork(number, descriptors[0]), 0)
        else:
            reply = self._reap(number)
        self._control.sendall(REPLY.pack(*reply))

    def _fork(self, number: int, descriptor: int) -> int:
        mine = os.getpid()
        child = os.fork()
        if child == 0:
            try:
                os.setpgid(0, 0)
                self._control.close()
                connection = socket.socket(fileno=descriptor)
                folder = self._setup.folder / str(number)
                setup = self._setup
                serve(connection, self._task, setup.bounds, folder, mine, setup.readable)
            finally:
                os._exit(1)
        # Both sides set the group: whoever comes first, it can be killed as one.
        with contextlib.suppress(OSError):
            os.setpgid(child, child)
        os.close(descriptor)
        self._living.add(child)
        return child

    def _reap(self, child: int) -> tuple[int, int]:
        # Until here a dead child keeps its id, so that no signal goes to a stranger.
        self._living.discard(child)
        _, status, used = os.wait4(child, 0)
        return status, used.ru_maxrss * _RSS_UNIT

    def close(self) -> None:
        for child in self._living:
            with contextlib.suppress(OSError):
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
        shutil.rmtree(self._setup.folder, ignore_errors=True)


def _prepare(setup: Setup) -> Callable[[Any], Any]:
    for name in setup.preload:
        importlib.import_module(name)
    task: Callable[[Any], Any] = pickle.loads(setup.task)  # noqa: S301 - from our own parent
    # What is there now stays shared with the children: the collector does not write to it.
    gc.collect()
    gc.freeze()
    return task


def _is_asked(control: socket.socket, parent: int) -> bool:
    """Waits for an order. A closed socket is an order too, that of a parent that is gone.

    Another child of the parent may hold its end open, so its id is looked at now and then.
    """
    while not select.select([control], [], [], _LOOK_AROUND)[0]:
        if os.getppid() != parent:
            return False
    return True
