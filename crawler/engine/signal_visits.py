"""Known sitemaps and feeds that are read again before the pages of a night are planned."""

from collections.abc import Callable, Iterable

from crawler.engine.first_visit import body_hash
from crawler.engine.ledger import Ledger
from crawler.engine.night import Phase
from crawler.engine.rules import Rules
from crawler.engine.signal_files import SignalFiles, SignalRead
from crawler.engine.signal_plan import MAX_SIGNALS, SignalReason
from crawler.engine.task import Task
from crawler.engine.visit_end import PlannedVisits
from crawler.pages.signal_kind import SignalKind
from crawler.revisit.observe import PageSeen, observe_page, observe_page_failure
from crawler.revisit.page_history import PageHistory
from crawler.revisit.visit_log import Outcome
from crawler.state.history_records import (
    Evidence,
    SourceKind,
    SourceRow,
    VisitKind,
    VisitOutcome,
    VisitRow,
)
from crawler.state.records import LinkStatus, LinkUpdate
from crawler.state.saved import SavedState
from crawler.web.messages import Reply


class SignalVisits(PlannedVisits):
    """Takes in the answers of planned visits to sitemaps and feeds."""

    def __init__(
        self,
        ledger: Ledger,
        rules: Rules,
        state: SavedState,
        files: SignalFiles,
        wall_clock: Callable[[], float],
    ) -> None:
        super().__init__(ledger, rules, state, wall_clock)
        self._files = files

    def receive(self, task: Task, reply: Reply, kind: SignalKind | None) -> None:
        """Take in an answer that is not to be asked for again."""
        if not self.came(task, reply):
            return
        if kind is None:
            self.gone(task, Evidence.OTHER_TYPE)
        else:
            self._read(task, reply, kind)

    def failed(self, task: Task, evidence: Evidence) -> None:
        """No answer that says anything."""
        self._save(observe_page_failure(self._files.history_of(task.link), self._now()))
        self.finish(task, VisitOutcome.FAILED, evidence)

    def unchanged(self, task: Task, evidence: Evidence) -> None:
        """It says what it said."""
        seen = PageSeen(self._now(), Outcome.UNCHANGED)
        self._save(observe_page(self._files.history_of(task.link), seen))
        self.finish(task, VisitOutcome.UNCHANGED, evidence)

    def gone(self, task: Task, evidence: Evidence) -> None:
        """It is not there, or no sitemap or feed."""
        seen = PageSeen(self._now(), Outcome.GONE)
        self._save(observe_page(self._files.history_of(task.link), seen))
        self._settle(task, LinkStatus.SKIPPED)
        self.finish(task, VisitOutcome.GONE, evidence)

    def _read(self, task: Task, reply: Reply, kind: SignalKind) -> None:
        known = self._state.history.validators(task.link.id)
        if known is not None and known.body == body_hash(reply.body):
            self.unchanged(task, Evidence.SAME_BYTES)
            return
        read = self._files.read(task, reply, kind)
        outcome = VisitOutcome[self._files.observe(task, reply, read).name]
        evidence = Evidence.SAME_LINKS
        if outcome is not VisitOutcome.UNCHANGED:
            only_dates = outcome is VisitOutcome.CHANGED and not read.candidates
            evidence = Evidence.OTHER_BYTES if only_dates else Evidence.OTHER_LINKS
        self._settle(task, LinkStatus.PAGE)
        self.finish(task, outcome, evidence, len(read.candidates))
        if read.is_index:
            self._plan_sitemaps(read)
        else:
            self._files.open_frames(task, read, rewarded=False)

    def redirected(self, task: Task, reply: Reply) -> Evidence | None:
        """A sitemap that moved is read at its new address, tonight."""
        before = self._rules.discovery.next_id
        frames = len(self._ledger.frames)
        evidence = super().redirected(task, reply)
        if evidence is Evidence.REDIRECT_TO_NEW:
            del self._ledger.frames[frames:]
            self._plan([SourceRow(before, SourceKind.SITEMAP)], SignalReason.MOVED)
        return evidence

    def _plan_sitemaps(self, read: SignalRead) -> None:
        """Sitemaps that the index says are new or changed are read tonight, within the limit."""
        due = [row for row in read.sitemaps if self._is_due(row)]
        self._plan(due, SignalReason.INDEX)

    def _is_due(self, row: SourceRow) -> bool:
        night = self._ledger.night
        if night is not None and any(visit.link == row.link for visit in night.ahead):
            return False
        history = self._state.history.page(row.link)
        return history is None or row.changed_at > (history.last_visit or 0.0)

    def _plan(self, sources: Iterable[SourceRow], reason: SignalReason) -> None:
        night = self._ledger.night
        if night is None or night.phase is not Phase.SIGNALS:
            return
        for source in sources:
            self._ledger.changes.history.sources.append(source)
            if night.last < MAX_SIGNALS:
                visit = VisitRow(night.last + 1, VisitKind.SIGNAL, source.link, reason.value)
                self._ledger.changes.history.visits.append(visit)
                night.plan([visit])

    def _settle(self, task: Task, status: LinkStatus) -> None:
        """A sitemap that was never a link of the crawl gets its place in it."""
        row = self._rules.discovery.unsaved(task.link.id) or self._state.link(task.link.id)
        if row.status is LinkStatus.NEW:
            self._ledger.changes.updates.append(LinkUpdate(task.link.id, status, task.action))

    def _save(self, history: PageHistory) -> None:
        """Also what never was a sitemap is no page."""
        changes = self._ledger.changes.history
        changes.pages.append(history)
        if self._state.history.source(history.id) is None:
            changes.sources.append(SourceRow(history.id, SourceKind.SITEMAP))
