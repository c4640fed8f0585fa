"""Errors of starting something, as a sentence for people; ports, waiting and the end of logs."""

import os
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

_LINES = 20


class Complaint(Exception):
    """A sentence for a person: what is wrong and what to do."""


def exit_code(
    action: Callable[[], int | None], *errors: type[Exception], interrupted: str = ""
) -> int:
    """Of a script: 1 and a sentence when something is wrong, 130 after Ctrl-C."""
    expected: tuple[type[Exception], ...] = (Complaint, *errors)
    try:
        return action() or 0
    except expected as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        if interrupted:
            print(interrupted, file=sys.stderr)
        return 130


def check_port(port: int, what: str, remedy: str) -> None:
    """Complains when a port of this machine cannot be had."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            reason = os.strerror(getattr(error, "errno", None) or 0)
            raise Complaint(
                f"{what} needs port {port} of this machine, which cannot be had ({reason}): "
                f"{remedy}"
            ) from error


def check_demo_port(port: int) -> None:
    """Complains when the demo site cannot be served there."""
    what = "end the program that uses it (`make down`, if it is `make up`), or type"
    check_port(port, "The demo site", f"{what} `make run DEMO_PORT={port + 1}`.")


def free_port() -> int:
    """A port that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def answer_of(url: str) -> bytes | None:
    """What an address of this machine answers; None while it does not, or says that it cannot."""
    # Straight to this machine, whatever proxy the environment names.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=10) as answer:
            return bytes(answer.read())
    except (OSError, urllib.error.HTTPError):
        return None


def wait_until(
    ready: Callable[[], bool], dead: Callable[[], bool], what: str, seconds: float, log: Path
) -> None:
    """Complains, with the end of the log, when something ended or did not get ready in time."""
    deadline = time.monotonic() + seconds
    while not ready():
        if dead():
            raise Complaint(f"{last_lines(log)}{what} ended at once; all it said is in {log}")
        if time.monotonic() > deadline:
            raise Complaint(
                f"{last_lines(log)}{what} was not ready after {seconds:.0f} seconds; see {log}"
            )
        time.sleep(0.2)


def last_lines(log: Path) -> str:
    """The end of a log, with a line break behind it; empty when there is none."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LINES:]
    except OSError:
        return ""
    return "".join(f"{line}\n" for line in lines)


def from_here(path: Path) -> Path:
    """The path relative to the current folder, where it is below it."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
