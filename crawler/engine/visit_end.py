"""Visits of the night's plan: what their answers mean, and how a visit ends."""

from collections.abc import Callable
from dataclasses import replace

from crawler.engine.answers import GONE, is_redirect, is_success, redirect_target
from crawler.engine.conditions import after_not_modified, conditions_of
from crawler.engine.events import Visited
from crawler.engine.frame import Frame
from crawler.engine.ledger import Ledger
from crawler.engine.rules import Rules
from crawler.engine.task import Task
from crawler.pages.scope import Place
from crawler.state.history_records import Evidence, VisitOutcome, VisitRow
from crawler.state.saved import SavedState
from crawler.strategies.interface import Candidate
from crawler.web.messages import Reply

MAX_HOPS = 3
"""Redirections of one URL to another spelling of itself."""


def visit_of(task: Task) -> VisitRow:
    """The visit that a task is."""
    if task.visit is None:
        raise ValueError(f"not planned: {task.link.url}")
    return task.visit


class PlannedVisits:
    """Visits of one kind; what an answer means for them is decided here for all kinds."""

    def __init__(
        self, ledger: Ledger, rules: Rules, state: SavedState, wall_clock: Callable[[], float]
    ) -> None:
        self._ledger = ledger
        self._rules = rules
        self._state = state
        self._now = wall_clock

    def came(self, task: Task, reply: Reply) -> bool:
        """Take in an answer that is not to be asked for again; whether it is one to be looked at.

        The others say that nothing changed, that the URL is gone or has moved, or nothing at all.
        """
        status = reply.head.status if reply.head and reply.failure is None else 0
        if status == 304 and conditions_of(task, self._state):
            self.not_modified(task, reply)
        elif is_redirect(reply):
            evidence = self.redirected(task, reply)
            if evidence is not None:
                self.gone(task, evidence)
        elif status in GONE:
            self.gone(task, Evidence.NOT_FOUND)
        elif not is_success(reply):
            self.failed(task, Evidence.REFUSED if 300 <= status < 500 else Evidence.NO_ANSWER)
        else:
            return True
        return False

    def not_modified(self, task: Task, reply: Reply) -> None:
        """The server says 304 to what it was asked on a condition; its validators may be newer."""
        known = self._state.history.validators(task.link.id)
        if known is not None:
            self._ledger.changes.history.validators.append(after_not_modified(known, reply))
        self.unchanged(task, Evidence.NOT_MODIFIED)

    def unchanged(self, task: Task, evidence: Evidence) -> None:
        """What was there is as it was."""
        raise NotImplementedError

    def gone(self, task: Task, evidence: Evidence) -> None:
        """What was there is not there any more."""
        raise NotImplementedError

    def failed(self, task: Task, evidence: Evidence) -> None:
        """No answer that says anything came, or none was asked for."""
        raise NotImplementedError

    def finish(
        self, task: Task, outcome: VisitOutcome, evidence: Evidence, new_links: int = 0
    ) -> None:
        """Record what the visit came to. The link keeps its place in the crawl."""
        ledger, visit, at = self._ledger, visit_of(task), self._now()
        done = replace(visit, outcome=outcome, detected_by=evidence, at=at, new_links=new_links)
        ledger.changes.history.visits.append(done)
        ledger.events.append(Visited(task.link.url, visit.kind, outcome, evidence, at, new_links))
        ledger.outcome = f"{visit.kind}_{outcome}"
        ledger.task = None

    def redirected(self, task: Task, reply: Reply) -> Evidence | None:
        """Where a known URL redirects to; None when that is the same URL in another spelling.

        A new address on the site is a newly found link, and the strategy decides about it.
        """
        ledger, discovery = self._ledger, self._rules.discovery
        target = redirect_target(task.link.url, reply)
        if target is None or task.hops >= MAX_HOPS:
            return Evidence.REDIRECT_AWAY
        if self._rules.scope.place(target) in {Place.OUTSIDE, Place.EXCLUDED}:
            return Evidence.REDIRECT_AWAY
        known = discovery.id_of(target)
        if known == task.link.id:
            if target == task.link.url:
                return Evidence.REDIRECT_AWAY
            task.link = replace(task.link, url=target)
            task.hops, task.attempts, task.wait = task.hops + 1, 0, 0.0
            ledger.outcome = "redirect"
            return None
        if known is not None:
            return Evidence.REDIRECT_TO_KNOWN
        if discovery.refusal(target, task.link.depth) is not None:
            return Evidence.REDIRECT_AWAY
        hop = discovery.hop(target, task.link)
        if hop is not None:
            hop = replace(hop, page_action=task.action)
            self.open_frame(task, [hop], discovery.next_id)
        return Evidence.REDIRECT_TO_NEW

    def open_frame(self, task: Task, links: list[Candidate], end: int) -> None:
        """Let the strategy place links that the visit found."""
        if links:
            frame = Frame(task.link.id, task.link.url, task.action, end, links, is_visit=True)
            self._ledger.frames.append(frame)
