"""One night of revisiting: where its plan stands, and what the frontier may take of it."""

from collections import deque
from dataclasses import asdict, dataclass, field
from enum import IntEnum
from typing import Any

from crawler.state.history_records import VisitKind, VisitRow

MIN_LEFTOVERS = 20
"""Requests of a night for links that earlier runs left in the frontier, however little they yield.

Where the first acquisition followed every link there are none, and nothing is spent."""
MAX_LEFTOVERS = 5_000


class Phase(IntEnum):
    """What a night does, in this order."""

    ROBOTS = 0
    """robots.txt, where the known one is too old."""
    SIGNALS = 1
    """Sitemaps and feeds."""
    PAGES = 2
    """Planned pages."""
    NEW_LINKS = 3
    """Links that were found tonight, and a share of older ones, by the strategy."""
    FILES = 4
    """Known files that are due."""
    FRONTIER = 5
    """All other links that wait, as in a first acquisition."""


@dataclass(slots=True)
class Yield:
    """What requests of one kind gave."""

    requests: int = 0
    targets: int = 0

    @property
    def mean(self) -> float:
        """New targets per request."""
        return self.targets / self.requests if self.requests else 0.0


@dataclass(slots=True)
class Night:
    """The run of a revisit. Its plan is a table of the state; this is the position in it."""

    run_id: str
    at: float
    """The time it is planned for: when the run started."""
    phase: Phase = Phase.ROBOTS
    position: int = 0
    """Number of the last visit that was started."""
    last: int = 0
    """Number of the last visit that is planned."""
    first_link: int = 0
    """Links with this id or a higher one were found tonight."""
    leftovers: int = MIN_LEFTOVERS
    """Requests for older links of the frontier before the files are checked."""
    queued: int = 0
    """Links of tonight that went to the frontier."""
    selected: int = 0
    """Links that were taken from the frontier before the files were checked."""
    is_leftover: bool = False
    """Whether what is requested now comes of an older link."""
    tonight: Yield = field(default_factory=Yield)
    older: Yield = field(default_factory=Yield)
    ahead: deque[VisitRow] = field(default_factory=deque)
    """Planned visits that are still to be made."""

    @property
    def before_frontier(self) -> bool:
        """Whether something planned is still to be done: early stopping has to wait for it."""
        return self.phase < Phase.FRONTIER

    @property
    def may_select(self) -> bool:
        """Whether the frontier may have another request before the files are checked."""
        return self.selected < self.queued + self.leftovers

    def plan(self, visits: list[VisitRow]) -> None:
        """Put visits to the end of the plan; they have the numbers after `last`."""
        self.ahead.extend(visits)
        self.last += len(visits)

    def take(self, *kinds: VisitKind) -> VisitRow | None:
        """The next visit of the plan, if it is of one of these kinds."""
        if not self.ahead or self.ahead[0].kind not in kinds:
            return None
        visit = self.ahead.popleft()
        self.position = visit.number
        self.is_leftover = False
        return visit

    def count(self, requests: int, targets: int) -> None:
        """Take in what requests gave."""
        spent = self.older if self.is_leftover else self.tonight
        spent.requests += requests
        spent.targets += targets

    def share_of_next_night(self) -> int:
        """Requests for older links: more when they yield as much as the rest, else fewer."""
        if not self.older.requests:
            return self.leftovers
        pays = self.older.targets > 0 and self.older.mean >= self.tonight.mean
        wanted = 2 * self.leftovers if pays else self.leftovers // 2
        return min(max(wanted, MIN_LEFTOVERS), MAX_LEFTOVERS)

    def save(self) -> dict[str, Any]:
        """Ready for JSON; the visits ahead are in the table of the plan."""
        ahead, self.ahead = self.ahead, deque()
        saved = asdict(self)
        self.ahead = ahead
        del saved["ahead"]
        return saved

    @staticmethod
    def load(saved: dict[str, Any]) -> "Night":
        """Back from JSON, without the visits ahead."""
        return Night(
            **saved
            | {
                "phase": Phase(saved["phase"]),
                "tonight": Yield(**saved["tonight"]),
                "older": Yield(**saved["older"]),
            }
        )
