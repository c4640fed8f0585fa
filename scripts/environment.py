"""Prepares .venv: makes it, installs the lock and the project, or finds that nothing changed.

Run by setup.sh with any Python that is new enough, so it needs the standard library only.
"""

import fcntl
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from complaint import Complaint, check_demo_port, exit_code
from installers import find_uv, run, ways_to_install
from locks import resolve_locks
from requisites import check_requisites, has_hnswlib
from steps import DEV, PROJECT, PYTHON, ROOT, RUNTIME, VENV, Step

LOG = VENV / "setup.log"
SHOWN_LINES = 40
PLACE = VENV / ".made-for"
"""Names the folder the environment was made for: its commands do not survive a move."""
BASE_PYTHON: str = getattr(sys, "_base_executable", sys.executable)
"""The one that `python -m venv` takes; sys.executable may lie in the .venv to be cleared."""
HEALTHY = """
import os, sys, sysconfig
in_venv = sys.prefix != sys.base_prefix and os.path.isdir(sysconfig.get_path("purelib"))
sys.exit(not in_venv or sys.version_info < (3, 11))
"""


class Task(StrEnum):
    """What can be asked for."""

    RUNTIME = "runtime"
    DEV = "dev"
    LOCK = "lock"


STEPS = {Task.RUNTIME: (RUNTIME, PROJECT), Task.DEV: (DEV, PROJECT)}


def prepare(task: Task) -> None:
    """Bring .venv to what the task needs."""
    if not _venv_works() or _open_steps(task):
        with _only_one() as lock:
            _prepare_alone(task, lock)


def _prepare_alone(task: Task, lock: int) -> None:
    works = _venv_works()
    steps = _open_steps(task) if works else list(STEPS[task])
    if not steps:
        return
    uv = find_uv()
    builds = not works or (steps != [PROJECT] and not has_hnswlib())
    check_requisites(str(PYTHON) if works else BASE_PYTHON, builds=builds, with_uv=bool(uv))
    started = time.monotonic()
    if works:
        _say("bringing the virtual environment up to date")
    else:
        _say("setting up the virtual environment (once; about a minute)")
        _make_venv(with_pip=not uv)
    _install(steps, uv, lock)
    _say(f"the virtual environment is ready ({time.monotonic() - started:.0f} s)")


def _open_steps(task: Task) -> list[Step]:
    return [step for step in STEPS[task] if not step.is_done()]


def _venv_works() -> bool:
    if not PYTHON.exists() or (PLACE.exists() and PLACE.read_text() != str(ROOT)):
        return False
    return run([str(PYTHON), "-c", HEALTHY]).returncode == 0


def _make_venv(*, with_pip: bool) -> None:
    pip = [] if with_pip else ["--without-pip"]
    result = run([BASE_PYTHON, "-m", "venv", "--clear", *pip, str(VENV)])
    if result.returncode:
        raise Complaint(f"{result.stdout}\nThe virtual environment could not be made; see above.")


def _install(steps: Sequence[Step], uv: str | None, lock: int) -> None:
    """Do each step by the first way that works; a stamp is there only after a whole install."""
    PLACE.write_text(str(ROOT))
    for step in steps:
        step.mark(done=False)
    failures: list[str] = []
    ways = ways_to_install(uv)
    way = next(ways)
    for step in steps:
        while (result := run([*way, *step.arguments], keep_open=(lock,))).returncode:
            failures.append(f"$ {' '.join([*way, *step.arguments])}\n{result.stdout}")
            other = next(ways, None)
            if other is None:
                raise Complaint(_failure_text(failures))
            _say("uv could not install this; trying pip")
            way = other
        step.mark(done=True)


def _failure_text(failures: Sequence[str]) -> str:
    LOG.write_text("\n".join(failures))
    ends = [line for failure in failures for line in failure.splitlines()[-SHOWN_LINES:]]
    return "\n".join(
        [
            *ends,
            "The install failed; its output is above and, complete, in .venv/setup.log.",
            "If the package index could not be reached, check the network or the proxy and type "
            "the same command again; `make clean` first starts from nothing.",
        ]
    )


@contextmanager
def _only_one() -> Iterator[int]:
    """One set-up of this folder at a time.

    Installers inherit the lock: one that outlives this process still keeps the others out.
    """
    with Path(__file__).open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            _say("waiting for another set-up of this folder")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield file.fileno()


def _say(text: str) -> None:
    print(text, flush=True)


def main() -> int:
    """Exit code 0 when everything is as asked for."""
    task_name, *ports = sys.argv[1:] or [""]
    if task_name not in list(Task) or len(ports) > 1 or not all(map(str.isdecimal, ports)):
        print(f"usage: setup.sh {' | '.join(Task)} [PORT that has to be free]", file=sys.stderr)
        return 2
    again = "interrupted; run the same command to continue"
    return exit_code(lambda: _do(Task(task_name), ports), interrupted=again)


def _do(task: Task, ports: Sequence[str]) -> None:
    # Before minutes of set-up that would be for nothing.
    for port in map(int, ports):
        check_demo_port(port)
    if task is Task.LOCK:
        resolve_locks()
    else:
        prepare(task)


if __name__ == "__main__":
    sys.exit(main())
