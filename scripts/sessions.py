"""Programs in the background: each start is a Linux session, ended as a whole.

A process group would not do: Airflow gives each of its tasks its own.
"""

import json
import os
import signal
import time
from dataclasses import asdict, dataclass
from pathlib import Path

_GENTLY_SECONDS = 10
_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Session:
    """What was started, and how to reach it; its id is the process that led it."""

    id: int
    begun: int
    """When that process started, in ticks since boot: process ids are reused. The name is that of
    the saved file, which may be of an earlier version."""
    address: str
    user: str
    demo: str = ""
    """Where the demo site is; empty when it is not served."""

    def members(self) -> list[int]:
        """The processes that live, whatever became of the first one."""
        leader = _stat(self.id)
        if leader is not None and leader.started != self.begun:
            return []
        return [
            stat.pid
            for entry in _PROC.iterdir()
            if entry.name.isdigit()
            and (stat := _stat(int(entry.name))) is not None
            and stat.session == self.id
            and stat.started >= self.begun
            and not stat.is_over
        ]

    def end(self) -> int:
        """Ends every process of it, gently first; how many there were."""
        first = self.members()
        _signal(first, signal.SIGTERM)
        deadline = time.monotonic() + _GENTLY_SECONDS
        while self.members() and time.monotonic() < deadline:
            time.sleep(0.2)
        while left := self.members():
            _signal(left, signal.SIGKILL)
            time.sleep(0.1)
        return len(first)

    def save(self, place: Path) -> None:
        """Writes it to a file, for `make down`."""
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = place.with_suffix(".new")
        beside.write_text(json.dumps(asdict(self)))
        beside.replace(place)


def new_session(leader: int, address: str, user: str, demo: str) -> Session:
    """The session that a living process leads."""
    stat = _stat(leader)
    return Session(leader, stat.started if stat else 0, address, user, demo)


def saved_session(place: Path) -> Session | None:
    """The one that was started last; None when there is none, or nothing of it lives."""
    try:
        session = Session(**json.loads(place.read_text()))
    except (OSError, ValueError, TypeError):
        return None
    return session if session.members() else None


@dataclass(frozen=True, slots=True)
class _Stat:
    pid: int
    state: str
    session: int
    started: int

    @property
    def is_over(self) -> bool:
        return self.state in "ZX"


def _stat(pid: int) -> _Stat | None:
    """proc(5): the name in parentheses may contain anything, the rest are plain fields."""
    try:
        fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return _Stat(pid, fields[0], int(fields[3]), int(fields[19]))


def _signal(pids: list[int], number: int) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue
