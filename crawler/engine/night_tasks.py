"""The tasks of a night of revisiting, in their order."""

from dataclasses import replace
from urllib.parse import urljoin

from crawler.engine.ledger import Ledger
from crawler.engine.night import Night, Phase
from crawler.engine.night_planner import NightPlanner, RevisitOrder, settle_histories
from crawler.engine.rules import Rules
from crawler.engine.signal_plan import MAX_SIGNALS, SignalReason, due_sources
from crawler.engine.task import Purpose, Task
from crawler.revisit.night_plan import CheckMethod
from crawler.state.history_records import Evidence, VisitKind, VisitOutcome, VisitRow
from crawler.state.records import LinkRow, LinkStatus
from crawler.state.saved import SavedState
from crawler.strategies.interface import Candidate, Strategy

_FILES = (VisitKind.ADDRESS, VisitKind.FILE)


class NightTasks:
    """Says which planned visit comes next, and makes the plan when its turn has come."""

    def __init__(
        self,
        order: RevisitOrder,
        ledger: Ledger,
        strategy: Strategy,
        rules: Rules,
        state: SavedState,
        start_url: str,
    ) -> None:
        self._order = order
        self._ledger = ledger
        self._strategy = strategy
        self._rules = rules
        self._state = state
        self._start_url = start_url
        self._planner = NightPlanner(state, order)

    def next_task(self, night: Night) -> Task | None:
        """The next planned visit; None when it is the frontier's turn, or all is done."""
        if night.phase is Phase.ROBOTS:
            self._start(night)
        if night.phase is Phase.SIGNALS:
            visit = night.take(VisitKind.SIGNAL)
            if visit is not None:
                return self._task(visit)
            self._plan(night)
        if night.phase is Phase.PAGES:
            visit = night.take(VisitKind.PAGE)
            if visit is not None:
                return self._task(visit)
            night.phase = Phase.NEW_LINKS
        return self._next_file(night) if night.phase is Phase.FILES else None

    def _next_file(self, night: Night) -> Task | None:
        while (visit := night.take(*_FILES)) is not None:
            task = self._task(visit)
            if visit.kind is not VisitKind.FILE or not self._order.taken_down(task.link.url):
                return task
            skipped = replace(visit, outcome=VisitOutcome.SKIPPED, detected_by=Evidence.TAKEN_DOWN)
            self._ledger.changes.history.visits.append(skipped)
        night.phase = Phase.FRONTIER
        return None

    def frontier_is_done(self, night: Night) -> None:
        """The frontier had its share: the files are next."""
        night.leftovers = night.share_of_next_night()
        night.phase = Phase.FILES

    def _start(self, night: Night) -> None:
        """Settle what the last night left, and plan the signals."""
        changes = self._ledger.changes.history
        changes.pages += settle_histories(self._state, night.first_link_before).pages
        changes.credited = changes.new_plan = True
        night.first_link = self._rules.discovery.next_id
        night.phase = Phase.SIGNALS
        self._plan_signals(night)

    def _plan_signals(self, night: Night) -> None:
        """Sitemaps and feeds that are due, and sitemaps that were never read."""
        history = self._state.history
        known = list(history.sources())
        reasons = {source.link: SignalReason.DUE for source in due_sources(known, night.at)}
        named = self._rules.gate.sitemaps(self._start_url)
        for url in named:
            self._add_unread(reasons, url, SignalReason.ROBOTS)
        if not known and not named:
            place = urljoin(self._start_url, "/sitemap.xml")
            self._add_unread(reasons, place, SignalReason.USUAL_PLACE)
        visits = [
            VisitRow(number, VisitKind.SIGNAL, link, reason.value)
            for number, (link, reason) in enumerate(list(reasons.items())[:MAX_SIGNALS], 1)
        ]
        self._ledger.changes.history.visits.extend(visits)
        night.plan(visits)

    def _add_unread(self, reasons: dict[int, SignalReason], url: str, reason: SignalReason) -> None:
        link = self._rules.discovery.sitemap(url)
        if link is not None and self._row(link).status is LinkStatus.NEW:
            reasons.setdefault(link, reason)

    def _plan(self, night: Night) -> None:
        changes = self._ledger.changes.history
        visits = self._planner.plan(night.last + 1, changes)
        changes.visits.extend(visits)
        night.plan(visits)
        night.phase = Phase.PAGES

    def _task(self, visit: VisitRow) -> Task:
        self._strategy.forget_selection()
        row = self._row(visit.link)
        path = self._state.tag_path(row.tag_path)
        link = Candidate(row.id, row.url, row.depth, path, row.anchor, page=row.parent)
        only_head = visit.method == CheckMethod.LENGTH
        return Task(link, Purpose.PLANNED, row.action, visit=visit, only_head=only_head)

    def _row(self, link: int) -> LinkRow:
        return self._rules.discovery.unsaved(link) or self._state.link(link)
