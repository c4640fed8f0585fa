"""The process that reads: one item after the other, until it is killed or has served enough."""

import os
import pickle
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from crawler.readers.bounds import Bounds
from crawler.readers.content import Trouble
from crawler.validation.confinement import Confinement, die_with_parent
from crawler.validation.failure import PoolFailure, failure_of
from crawler.validation.wire import HungUp, receive, send

LOG = "said"
"""The file in the folder of a process that its standard output and error go to."""

MAX_RESULT = 64 * 1000**2
MAX_ITEMS = 500
"""Libraries leak; a new process costs some milliseconds."""


def serve(
    connection: socket.socket,
    task: Callable[[Any], Any],
    bounds: Bounds,
    folder: Path,
    parent: int,
) -> NoReturn:
    """Answers items with the results of the task. Never returns."""
    try:
        die_with_parent(parent)
        _settle(folder)
        confinement = Confinement(bounds)
        confinement.enter()
        for served in range(1, MAX_ITEMS + 1):
            item = pickle.loads(receive(connection))  # noqa: S301 - from our own parent
            confinement.before_item()
            answer, is_sound = _answer(task, item)
            _tidy(folder)
            is_last = not is_sound or served == MAX_ITEMS or confinement.has_grown
            send(connection, (b"last" if is_last else b"more") + answer)
            if is_last:
                break
    except HungUp:
        pass
    except BaseException as error:
        print(f"the process that reads failed: {error!r}", file=sys.stderr, flush=True)
        os._exit(1)
    os._exit(0)


def _settle(folder: Path) -> None:
    """No terminal, no Ctrl-C, temporary files where the parent will remove them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    log = os.open(folder / LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    tempfile.tempdir = str(folder)
    os.environ["TMPDIR"] = str(folder)


def _answer(task: Callable[[Any], Any], item: Any) -> tuple[bytes, bool]:
    """The pickled result or failure, and whether the process can take more work after it."""
    try:
        result = task(item)
    except Exception as error:
        failure = failure_of(error)
        return pickle.dumps(failure), failure.trouble is Trouble.CRASHED
    except BaseException as error:
        # A panic of a library in Rust, or a call of sys.exit: what it left behind is unknown.
        return pickle.dumps(failure_of(error)), False
    try:
        data = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
    except BaseException as error:
        del result
        return pickle.dumps(failure_of(error)), False
    if len(data) > MAX_RESULT:
        sentence = f"the result has {len(data):,} bytes, more than {MAX_RESULT:,}"
        return pickle.dumps(PoolFailure(Trouble.TOO_LARGE, sentence)), True
    return data, True


def _tidy(folder: Path) -> None:
    for entry in list(os.scandir(folder)):
        if entry.name == LOG:
            os.truncate(entry.path, 0)
        elif entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)  # noqa: PTH108
