"""Known pages that are visited again: what is new on them, or that they are gone."""

from collections.abc import Callable
from dataclasses import replace

from crawler.engine.conditions import says_unchanged
from crawler.engine.events import PageRead
from crawler.engine.first_visit import (
    body_hash,
    dates_of,
    items_listed,
    pack_links,
    page_template,
    unsigned,
    validators_of,
)
from crawler.engine.known_links import KnownLinks
from crawler.engine.ledger import Ledger
from crawler.engine.page_row import page_row
from crawler.engine.rules import Rules
from crawler.engine.task import Task
from crawler.engine.visit_end import PlannedVisits
from crawler.pages.html import PageReader
from crawler.revisit.observe import PageSeen, observe_page, observe_page_failure
from crawler.revisit.page_history import PageHistory
from crawler.revisit.visit_log import Outcome
from crawler.state.history_records import Evidence, ValidatorRow, VisitOutcome
from crawler.state.saved import SavedState
from crawler.strategies.interface import Candidate
from crawler.web.messages import Decision, Reply


class PageVisits(PlannedVisits):
    """Takes in the answers of planned visits to pages."""

    def __init__(
        self,
        ledger: Ledger,
        rules: Rules,
        state: SavedState,
        reader: PageReader,
        wall_clock: Callable[[], float],
    ) -> None:
        super().__init__(ledger, rules, state, wall_clock)
        self._reader = reader
        self._known = KnownLinks(ledger, rules.discovery, state, wall_clock)

    def receive(self, task: Task, reply: Reply) -> None:
        """Take in an answer that is not to be asked for again."""
        if not self.came(task, reply):
            return
        if reply.decision is Decision.READ:
            self._read(task, reply)
        else:
            self.gone(task, Evidence.OTHER_TYPE)

    def failed(self, task: Task, evidence: Evidence) -> None:
        """No answer that says anything about the page."""
        page = self._state.history.page(task.link.id)
        if page is not None:
            self._ledger.changes.history.pages.append(observe_page_failure(page, self._now()))
        self.finish(task, VisitOutcome.FAILED, evidence)

    def unchanged(self, task: Task, evidence: Evidence) -> None:
        """The page is as it was."""
        self._observe(task, PageSeen(self._now(), Outcome.UNCHANGED), evidence)

    def gone(self, task: Task, evidence: Evidence) -> None:
        """The page is not there, or no page any more; the files that it led to are doubtful."""
        self._known.mark_files_of(task.link.id)
        self._observe(task, PageSeen(self._now(), Outcome.GONE), evidence)

    def _read(self, task: Task, reply: Reply) -> None:
        known = self._state.history.validators(task.link.id)
        validators = validators_of(task.link.id, reply, body_hash(reply.body))
        if known is not None and known.body == validators.body:
            self._remember(validators, known)
            self.unchanged(task, Evidence.SAME_BYTES)
            return
        seen, new = self._compare(task, reply)
        is_same = seen.outcome is Outcome.UNCHANGED
        if known is not None and not is_same and says_unchanged(validators, known):
            # The next 304 would have hidden this change.
            validators = replace(validators, refuted=True)
        self._remember(validators, known)
        self._observe(task, seen, Evidence.SAME_LINKS if is_same else Evidence.OTHER_LINKS)
        self.open_frame(task, new, self._rules.discovery.next_id)

    def _compare(self, task: Task, reply: Reply) -> tuple[PageSeen, list[Candidate]]:
        """Read the page: what it showed, and the links on it that are new to the crawl."""
        ledger, link, discovery = self._ledger, task.link, self._rules.discovery
        content_type = reply.head.content_type if reply.head else ""
        page = self._reader.read(reply.body, link.url, content_type)
        history = self._state.history.page(link.id)
        before = history.outlinks if history is not None else b""
        first = discovery.next_id
        discovered = discovery.links_of(page.links, link.id, link.depth + 1, task.action)
        new = discovered.candidates
        outlinks = [unsigned(one.fingerprint) for one in page.links]
        is_same = discovery.next_id == first and pack_links(outlinks) == before
        new_links = discovery.next_id - first
        ledger.totals.skipped.update(discovered.skipped)
        ledger.totals.pages += 1
        ledger.changes.pages.append(page_row(page, link.id, task.action, new_links))
        ledger.events.append(PageRead(link.url, len(page.links), new_links))
        seen = PageSeen(
            self._now(),
            Outcome.UNCHANGED if is_same else Outcome.CHANGED,
            outlinks=outlinks,
            new_links=len(new),
            known_targets=self._known.compare(page, before, task.action, first),
            items=items_listed(new),
            dates=dates_of(reply.body, new),
        )
        return seen, new

    def _remember(self, validators: ValidatorRow, known: ValidatorRow | None) -> None:
        refuted = validators.refuted or (known is not None and known.refuted)
        self._ledger.changes.history.validators.append(replace(validators, refuted=refuted))

    def _observe(self, task: Task, seen: PageSeen, evidence: Evidence) -> None:
        link = task.link
        page = self._state.history.page(link.id) or PageHistory(
            link.id, page_template(task.action, link.url), seen.at, depth=link.depth
        )
        self._ledger.changes.history.pages.append(observe_page(page, seen))
        self.finish(task, VisitOutcome[seen.outcome.name], evidence, seen.new_links)
