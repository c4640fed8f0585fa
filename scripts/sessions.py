"""Programs that go on in the background: each start is a session of Linux, ended as a whole.

Airflow gives its tasks process groups of their own, so that one group would not be all of it; a
session is.
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
    """When that process began, in ticks since the machine did: ids are used again."""
    address: str
    user: str
    demo: str = ""
    """Where the demo site is; empty when it is not served."""

    def members(self) -> list[int]:
        """The processes that live, whatever became of the first one."""
        leader = _stat(self.id)
        if leader is not None and leader.began != self.begun:
            return []
        return [
            found.pid
            for entry in _PROC.iterdir()
            if entry.name.isdigit()
            and (found := _stat(int(entry.name))) is not None
            and found.session == self.id
            and found.began >= self.begun
            and not found.is_over
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
        """Remember it for whoever comes to end it."""
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = place.with_suffix(".new")
        beside.write_text(json.dumps(asdict(self)))
        beside.replace(place)


def new_session(leader: int, address: str, user: str, demo: str) -> Session:
    """The session that a living process leads."""
    found = _stat(leader)
    return Session(leader, found.began if found else 0, address, user, demo)


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
    began: int

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
