"""The process that forks the processes that read, as the pool sees it."""

import contextlib
import json
import os
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crawler.errors import TallyhoError
from crawler.readers.bounds import Bounds
from crawler.validation.cell import bare_environment
from crawler.validation.child_process import LOG
from crawler.validation.fork_server_process import ORDER, REPLY, Order, Setup
from crawler.validation.wire import HungUp, Overdue, receive, send

_START_SECONDS = 180.0
_REPLY_SECONDS = 60.0
_LAST_WORDS = 2000
# The parent's own search path, so that what it could import can be imported there.
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from crawler.validation.fork_server_process import main; "
    "main(int(sys.argv[2]), int(sys.argv[3]))"
)
# One thread for each process: there are as many processes as may work at once, and each thread of
# an allocator takes address space that the file then does not have.
_ENVIRONMENT = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "ARROW_IO_THREADS": "1",
    "GX_ANALYTICS_ENABLED": "false",
    "MALLOC_ARENA_MAX": "2",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


class ForkServerLost(TallyhoError):
    """The process that forks is gone, or could not start."""

    retryable = True


@dataclass(frozen=True, slots=True)
class Death:
    """How a process ended."""

    code: int
    """Negative: a signal ended it."""
    memory: int
    """The most bytes of memory that it had at once."""


class Child:
    """A process that reads, and our end of the line to it."""

    def __init__(self, pid: int, connection: socket.socket, folder: Path) -> None:
        self.pid = pid
        self.connection = connection
        self._folder = folder

    def kill(self) -> None:
        """Ends the process and what it may have started; harmless when it is dead already."""
        with contextlib.suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)

    def last_words(self) -> str:
        """The end of what it wrote to its standard error."""
        try:
            with (self._folder / LOG).open("rb") as said:
                said.seek(0, os.SEEK_END)
                said.seek(max(0, said.tell() - _LAST_WORDS))
                return said.read(_LAST_WORDS).decode(errors="replace")
        except OSError:
            return ""

    def forget(self) -> None:
        """Gives back the line and the disk space of a process that is dead."""
        self.connection.close()
        shutil.rmtree(self._folder, ignore_errors=True)


class ForkServer:
    """Forks warm processes; safe to use from several threads."""

    def __init__(
        self,
        task: Callable[[Any], Any],
        preload: tuple[str, ...],
        bounds: Bounds,
        readable: tuple[Path, ...] = (),
    ) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="tallyho-reading-"))
        self._lock = threading.Lock()
        self._number = 0
        self._is_ready = False
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = self._start(theirs.fileno())
        self.close = weakref.finalize(
            self, _end, os.getpid(), self._process, self._control, self._folder
        )
        """Ends the process with all its children and removes their files."""
        setup = Setup(pickle.dumps(task), preload, bounds, self._folder, readable)
        with contextlib.suppress(HungUp):
            send(self._control, pickle.dumps(setup))

    def fork(self) -> Child:
        """A new process that waits for items."""
        ours, theirs = socket.socketpair()
        with theirs:
            with self._lock:
                self._number += 1
                folder = self._folder / str(self._number)
                try:
                    folder.mkdir(mode=0o700)
                    pid, _ = self._ask(Order.FORK, self._number, [theirs.fileno()])
                except (ForkServerLost, OSError) as error:
                    ours.close()
                    raise ForkServerLost(f"no process to read files: {error}") from error
            return Child(pid, ours, folder)

    def reap(self, child: Child) -> Death:
        """Kills a process and says how it ended."""
        child.kill()
        try:
            with self._lock:
                status, memory = self._ask(Order.REAP, child.pid)
        finally:
            child.forget()
        return Death(os.waitstatus_to_exitcode(status), memory)

    def _start(self, descriptor: int) -> "subprocess.Popen[bytes]":
        arguments = [json.dumps(sys.path), str(descriptor), str(os.getpid())]
        return subprocess.Popen(  # noqa: S603 - our own interpreter and our own code
            [sys.executable, "-W", "ignore", "-c", _BOOT, *arguments],
            pass_fds=[descriptor],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=bare_environment(os.environ) | _ENVIRONMENT,
            # Ctrl-C in a terminal is for the command, which then ends the pool in order.
            start_new_session=True,
        )

    def _ask(
        self, order: Order, number: int, descriptors: list[int] | None = None
    ) -> tuple[int, int]:
        try:
            self._await_start()
            self._control.settimeout(_REPLY_SECONDS)
            socket.send_fds(self._control, [ORDER.pack(order, number)], descriptors or [])
            reply = self._control.recv(REPLY.size, socket.MSG_WAITALL)
        except OSError as error:
            raise ForkServerLost(f"the process that forks does not answer: {error}") from error
        if len(reply) < REPLY.size:
            raise ForkServerLost("the process that forks is gone")
        value, memory = REPLY.unpack(reply)
        return int(value), int(memory)

    def _await_start(self) -> None:
        if self._is_ready:
            return
        try:
            complaint = receive(self._control, time.monotonic() + _START_SECONDS)
        except (HungUp, Overdue) as error:
            raise ForkServerLost("the process that forks did not start") from error
        if complaint:
            raise ForkServerLost(f"the process that forks did not start: {complaint.decode()}")
        self._is_ready = True


def _end(
    owner: int, process: "subprocess.Popen[bytes]", control: socket.socket, folder: Path
) -> None:
    control.close()
    if os.getpid() != owner:
        # A fork of the owner ends; the owner still needs its processes.
        return
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    shutil.rmtree(folder, ignore_errors=True)
