"""What a crawl is doing at this moment: the part of its state that the engine's parts share."""

from collections import deque
from dataclasses import dataclass, field

from crawler.engine.events import Event, Skipped, Stopped
from crawler.engine.frame import Frame
from crawler.engine.night import Night
from crawler.engine.postponed import PostponedLinks
from crawler.engine.task import Task
from crawler.pages.reasons import SkipReason
from crawler.state.records import Changes, LinkStatus, LinkUpdate
from crawler.state.stop import StopReason
from crawler.state.totals import Totals
from crawler.strategies.interface import Candidate


@dataclass(slots=True)
class Ledger:
    """The URL in work, the pages whose links are being placed, the counts, and the open step."""

    totals: Totals = field(default_factory=Totals)
    task: Task | None = None
    frames: list[Frame] = field(default_factory=list)
    night: Night | None = None
    """The night of revisiting that this run is; None in an acquisition."""
    last_night: Night | None = None
    """The one of an earlier run."""
    entries: deque[Candidate] = field(default_factory=deque)
    """Start pages that were not asked for yet."""
    deferred: list[int] = field(default_factory=list)
    """Links that gave no answer, for a second chance at the end; a heap, so that their order does
    not depend on when each of them failed."""
    postponed: PostponedLinks = field(default_factory=PostponedLinks)
    """Links whose like gave nothing, for the very end."""
    pause: float = 0.0
    """Seconds until the next request, whatever it asks for: the last answer said Retry-After."""
    failures_in_a_row: int = 0
    last_failure: str = ""
    stopped: Stopped | None = None
    outcome: str = ""
    """What the last answer came to, for the log of steps."""
    events: list[Event] = field(default_factory=list)
    changes: Changes = field(default_factory=Changes)

    def settle(self, task: Task, status: LinkStatus, reason: str = "") -> None:
        """The URL in work is done with."""
        self.changes.updates.append(LinkUpdate(task.link.id, status, task.action, reason=reason))
        self.task = None

    def give_up(self, task: Task, reason: SkipReason, detail: str = "") -> None:
        """The URL in work is of no use. Its action keeps the selection and gets no reward."""
        self.outcome = reason.value
        self.totals.skipped[reason.value] += 1
        self.events.append(Skipped(task.link.url, reason, detail))
        self.settle(task, LinkStatus.SKIPPED, reason.value)

    def stop(self, reason: StopReason, detail: str = "") -> None:
        """The crawl is over, for this run at least."""
        if self.stopped is None:
            self.stopped = Stopped(reason, detail)
            self.events.append(self.stopped)

    def take_events(self) -> list[Event]:
        """What happened since the last call."""
        events, self.events = self.events, []
        return events
