"""What an answer changes: pages are read, targets noted, redirects followed, failures deferred."""

from collections.abc import Callable
from dataclasses import replace
from heapq import heappush

from crawler.engine.address_visits import AddressVisits
from crawler.engine.answers import (
    HeadMeaning,
    describe,
    head_meaning,
    is_redirect,
    is_success,
    may_mean_site_is_down,
    redirect_target,
    skip_reason,
)
from crawler.engine.endless import EndlessParts
from crawler.engine.events import PageRead, Retrying, TargetKept
from crawler.engine.file_checks import FileChecks
from crawler.engine.first_visit import body_hash, first_visit, validators_of
from crawler.engine.frame import Frame
from crawler.engine.known_links import KnownLinks
from crawler.engine.ledger import Ledger
from crawler.engine.night import Phase
from crawler.engine.page_row import page_row
from crawler.engine.page_visits import PageVisits
from crawler.engine.retries import is_temporary
from crawler.engine.rules import Rules
from crawler.engine.signal_files import SignalFiles
from crawler.engine.signal_visits import SignalVisits
from crawler.engine.supporting import SupportingFiles
from crawler.engine.task import Purpose, Task
from crawler.engine.visit_end import PlannedVisits, visit_of
from crawler.pages.html import PageReader
from crawler.pages.kept_file import Download, KeptFile
from crawler.pages.mime import Classified, UrlClass
from crawler.pages.reasons import SkipReason
from crawler.pages.scope import Place
from crawler.pages.signal_kind import SignalKind
from crawler.pages.signals import SignalPlace, named_url
from crawler.state.history_records import CreditRow, Evidence, VisitKind
from crawler.state.records import LinkStatus, LinkUpdate
from crawler.state.saved import SavedState
from crawler.state.stop import StopReason
from crawler.strategies.interface import NO_ACTION, ReadPage, Strategy
from crawler.web.messages import Decision, Reply

MAX_HOPS = 10
"""Redirections in a row before a chain counts as a loop."""

_FEED_TYPES = {"application/rss+xml", "application/atom+xml"}

FAILURES_IN_A_ROW = 10
"""So many URLs without an answer, one after the other: the site is down, not its pages."""


class Reception:
    """Algorithm 4 after the request."""

    def __init__(
        self,
        ledger: Ledger,
        strategy: Strategy,
        rules: Rules,
        state: SavedState,
        wall_clock: Callable[[], float],
        supporting: SupportingFiles,
    ) -> None:
        self._ledger = ledger
        self._strategy = strategy
        self._rules = rules
        self._state = state
        self._now = wall_clock
        self._supporting = supporting
        self._reader = PageReader()
        self._endless = EndlessParts(ledger, rules, state)
        self._known = KnownLinks(ledger, rules.discovery, state, wall_clock)
        self._pages = PageVisits(ledger, rules, state, self._reader, wall_clock)
        self._files = FileChecks(ledger, rules, state, wall_clock, self._record_target)
        self._addresses = AddressVisits(ledger, rules, state, wall_clock)
        self._signal_files = SignalFiles(ledger, rules, state, wall_clock)
        self._signals = SignalVisits(ledger, rules, state, self._signal_files, wall_clock)
        self._visits: dict[VisitKind, PlannedVisits] = {
            VisitKind.PAGE: self._pages,
            VisitKind.FILE: self._files,
            VisitKind.ADDRESS: self._addresses,
            VisitKind.SIGNAL: self._signals,
        }

    def receive(
        self,
        task: Task,
        reply: Reply,
        classified: Classified | None,
        signal: SignalKind | None = None,
    ) -> None:
        """Take in the answer for the URL in work."""
        ledger = self._ledger
        task.attempts += 1
        wait = self._rules.retries.wait(reply, task.attempts, self._now())
        if wait is not None:
            task.wait = wait
            ledger.totals.retries += 1
            ledger.outcome = "retry"
            ledger.events.append(Retrying(task.link.url, wait, describe(reply)))
            return
        if not is_temporary(reply):
            ledger.failures_in_a_row = 0
        if task.purpose is Purpose.PLANNED:
            self._visited(task, reply, classified, signal)
        elif task.purpose is Purpose.SUPPORTING:
            self._supporting.receive(task, reply)
        elif task.purpose is Purpose.ASKED:
            self._answered_head(task, reply)
        elif is_redirect(reply):
            self._redirected(task, reply)
        elif not is_success(reply):
            self._failed(task, reply)
        elif signal is not None:
            self._read_signal(task, reply, signal)
        else:
            self._arrived(task, reply, classified)

    def _visited(
        self,
        task: Task,
        reply: Reply,
        classified: Classified | None,
        signal: SignalKind | None,
    ) -> None:
        """A known page or file, by the plan of the night."""
        kind = visit_of(task).kind
        if is_temporary(reply) and not (task.only_head and reply.failure is None):
            self._ledger.last_failure = describe(reply)
            self._visits[kind].failed(task, Evidence.NO_ANSWER)
            self._count_failure(reply, failed_before=False)
        elif kind is VisitKind.SIGNAL:
            self._signals.receive(task, reply, signal)
        elif kind is VisitKind.FILE:
            self._files.receive(task, reply, classified)
        elif kind is VisitKind.PAGE and reply.decision is Decision.KEEP and classified is not None:
            self._record_target(task, reply, classified)
            self._ledger.totals.targets += 1
            update = LinkUpdate(task.link.id, LinkStatus.TARGET, task.action)
            self._ledger.changes.updates.append(update)
            self._pages.gone(task, Evidence.BECAME_FILE)
        elif kind is VisitKind.PAGE:
            self._pages.receive(task, reply)
        else:
            self._addresses.receive(task, reply)

    def postponed(self, task: Task) -> bool:
        """Whether a URL is not requested, or not before all else is done."""
        return self._endless.postponed(task)

    def forbidden(self, task: Task, reason: SkipReason) -> None:
        """robots.txt does not allow the URL in work."""
        if task.purpose is Purpose.PLANNED:
            self._visits[visit_of(task).kind].failed(task, Evidence.ROBOTS)
        elif task.purpose is Purpose.SUPPORTING:
            self._supporting.forbidden(task)
        else:
            self._ledger.give_up(task, reason)

    def _arrived(self, task: Task, reply: Reply, classified: Classified | None) -> None:
        if classified is not None:
            self._strategy.learn(task.link, classified.url_class)
        if reply.decision is Decision.READ:
            self._read_page(task, reply)
        elif reply.decision is Decision.KEEP and classified is not None:
            self._keep_target(task, reply, classified)
        else:
            self._ledger.give_up(task, SkipReason.OTHER_TYPE)

    def _answered_head(self, task: Task, reply: Reply) -> None:
        """The first epoch of Algorithm 2; what tells nothing leaves the URL in the frontier."""
        ledger, strategy, url = self._ledger, self._strategy, task.link.url
        headers = reply.head.headers if reply.head else {}
        classified = self._rules.mime.classify(
            url, headers.get("content-type", ""), headers.get("content-disposition", "")
        )
        meaning = head_meaning(reply, classified.url_class)
        if meaning is HeadMeaning.DEAD:
            ledger.give_up(task, SkipReason.DEAD)
            return
        if meaning is HeadMeaning.NEITHER and classified.mime not in _FEED_TYPES:
            ledger.give_up(task, SkipReason.OTHER_TYPE)
            return
        ledger.outcome = f"head_{meaning.value}"
        if meaning is HeadMeaning.TARGET:
            strategy.learn(task.link, UrlClass.TARGET)
            ledger.task = Task(task.link, Purpose.PREDICTED)
            return
        if meaning is HeadMeaning.HTML:
            strategy.learn(task.link, UrlClass.HTML)
        elif meaning is HeadMeaning.REFUSED:
            strategy.head_refused()
        strategy.queue([task.link])
        if ledger.night is not None:
            ledger.night.queue(1)
        ledger.task = None

    def _redirected(self, task: Task, reply: Reply) -> None:
        """Follow one hop; the reward of what is found there goes to the same action."""
        ledger, discovery = self._ledger, self._rules.discovery
        target = redirect_target(task.link.url, reply)
        if target is None:
            self._lead_nowhere(task, SkipReason.BAD_REDIRECT)
            return
        if self._rules.scope.place(target) in {Place.OUTSIDE, Place.EXCLUDED}:
            self._lead_nowhere(task, SkipReason.REDIRECT_OFF_SITE)
            return
        known = discovery.id_of(target)
        if known in task.chain or target == task.link.url or task.hops >= MAX_HOPS:
            self._lead_nowhere(task, SkipReason.REDIRECT_LOOP)
            return
        hop = discovery.hop(target, task.link)
        if known is not None and (known == task.link.id or self._asked_in_vain(known)):
            # The same page by another spelling, as when the server takes a session id off; or what
            # the start page led to in an earlier run.
            hop = replace(task.link, id=known, url=target, anchor="")
        if hop is None:
            self._lead_nowhere(task, SkipReason.REDIRECT_KNOWN)
            return
        if hop.id != task.link.id:
            update = LinkUpdate(task.link.id, LinkStatus.REDIRECT, task.action)
            ledger.changes.updates.append(update)
            task.chain.append(task.link.id)
        ledger.outcome = "redirect"
        task.hops += 1
        task.link, task.attempts, task.wait = hop, 0, 0.0

    def _lead_nowhere(self, task: Task, reason: SkipReason) -> None:
        """A redirection that gives nothing new teaches as a dead link does."""
        self._strategy.learn(task.link, UrlClass.NEITHER)
        self._ledger.give_up(task, reason)

    def _asked_in_vain(self, link: int) -> bool:
        entries = self._ledger.entries
        return self._ledger.totals.nothing_read and all(link != entry.id for entry in entries)

    def _failed(self, task: Task, reply: Reply) -> None:
        ledger, reason, detail = self._ledger, skip_reason(reply), describe(reply)
        ledger.last_failure = detail
        if not is_temporary(reply):
            self._strategy.learn(task.link, UrlClass.NEITHER)
            ledger.give_up(task, reason, detail)
            return
        if task.second_chance or task.purpose is Purpose.ENTRY:
            ledger.give_up(task, reason, detail)
        else:
            ledger.outcome = "deferred"
            heappush(ledger.deferred, task.link.id)
            ledger.settle(task, LinkStatus.DEFERRED, reason.value)
        self._count_failure(reply, failed_before=task.second_chance)

    def _count_failure(self, reply: Reply, *, failed_before: bool) -> None:
        ledger, detail = self._ledger, describe(reply)
        if may_mean_site_is_down(reply, failed_before=failed_before):
            ledger.failures_in_a_row += 1
        if ledger.failures_in_a_row >= FAILURES_IN_A_ROW:
            ledger.stop(StopReason.UNREACHABLE, f"the site does not answer any more: {detail}")

    def _read_page(self, task: Task, reply: Reply) -> None:
        ledger, discovery, link = self._ledger, self._rules.discovery, task.link
        if task.purpose is Purpose.PREDICTED:
            task.action = self._strategy.adopt(link)
        content_type = reply.head.content_type if reply.head else ""
        page = self._reader.read(reply.body, link.url, content_type)
        first = discovery.next_id
        discovered = discovery.links_of(page.links, link.id, link.depth + 1, task.action)
        new_links = discovery.next_id - first
        ledger.totals.skipped.update(discovered.skipped)
        ledger.totals.pages += 1
        self._strategy.read(ReadPage(link, task.action, page, discovery.id_of_print))
        self._endless.read(page, link, discovered.candidates)
        ledger.frames.append(
            Frame(link.id, link.url, task.action, discovery.next_id, discovered.candidates)
        )
        history = ledger.changes.history
        history.pages.append(
            first_visit(
                link,
                task.action,
                page,
                reply.body,
                discovered.candidates,
                discovery.targets_among(page.links),
                self._now(),
            )
        )
        history.validators.append(validators_of(link.id, reply, body_hash(reply.body)))
        ledger.changes.pages.append(page_row(page, link.id, task.action, new_links))
        if ledger.night is not None:
            self._known.compare(page, b"", task.action, first)
        ledger.events.append(PageRead(link.url, len(page.links), new_links))
        ledger.outcome = "page"
        ledger.settle(task, LinkStatus.PAGE)

    def _read_signal(self, task: Task, reply: Reply, kind: SignalKind) -> None:
        """A sitemap or feed that a link led to: a page of links, to the strategy."""
        ledger, link = self._ledger, task.link
        self._strategy.learn(link, UrlClass.HTML)
        if task.purpose is Purpose.PREDICTED:
            task.action = self._strategy.adopt(link)
        read = self._signal_files.read(task, reply, kind)
        self._signal_files.observe(task, reply, read)
        self._signal_files.open_frames(task, read, rewarded=True)
        ledger.events.append(PageRead(link.url, len(read.outlinks), len(read.candidates)))
        ledger.outcome = "page"
        ledger.settle(task, LinkStatus.PAGE)

    def found_sitemaps(self, robots_url: str) -> None:
        """Sitemaps that a robots.txt names are links like those of a page."""
        ledger, discovery = self._ledger, self._rules.discovery
        if ledger.night is not None and ledger.night.phase is Phase.ROBOTS:
            return  # they are planned
        names = self._rules.gate.sitemaps(robots_url)
        place = SignalPlace.SITEMAP_OF_ROBOTS
        urls = [named for name in names if (named := named_url(robots_url, name, place))]
        discovered = discovery.links_of(urls, 0, 1, NO_ACTION)
        ledger.totals.skipped.update(discovered.skipped)
        if discovered.candidates:
            end = discovery.next_id
            ledger.frames.insert(
                0, Frame(0, robots_url, NO_ACTION, end, discovered.candidates, is_visit=True)
            )

    def _record_target(self, task: Task, reply: Reply, classified: Classified) -> None:
        """The newest version of the file in work."""
        if reply.file is None or reply.head is None:
            raise ValueError(f"a kept reply without its file: {task.link.url}")
        ledger, link = self._ledger, task.link
        download = Download.of(
            reply.head.headers,
            classified,
            sha256=reply.file.sha256,
            size=reply.file.size,
            fetched_at=self._now(),
        )
        action = None if task.action == NO_ACTION else task.action
        found_on = replace(self._state.found_on(link.id), action=action)
        file = KeptFile(link.id, link.url, download, found_on)
        ledger.totals.kept += download.size
        ledger.totals.groups[download.group] += 1
        ledger.changes.targets.append(file)
        self._rules.discovery.add_target(link.url)
        ledger.events.append(TargetKept(file))

    def _keep_target(self, task: Task, reply: Reply, classified: Classified) -> None:
        ledger, link = self._ledger, task.link
        self._record_target(task, reply, classified)
        ledger.totals.targets += 1
        page = self._page_with_link_to(task)
        if page:
            ledger.changes.history.credits.append(CreditRow(link.id, page))
        if task.purpose is Purpose.PREDICTED:
            ledger.frames[-1].reward += 1
            self._endless.earned(ledger.frames[-1].url)
        else:
            # A selected link that is itself a target: the classifier had not recognised it.
            if task.action != NO_ACTION:
                self._strategy.reward(task.action, 1)
            parent = self._state.link(link.id).parent if link.depth else 0
            if parent:
                self._endless.earned(self._state.link(parent).url)
        ledger.outcome = "target"
        ledger.settle(task, LinkStatus.TARGET)

    def _page_with_link_to(self, task: Task) -> int:
        """The page that shows the link in work, where redirections started; 0 for a start page."""
        if task.purpose is Purpose.PREDICTED:
            return self._ledger.frames[-1].page
        if not task.link.depth:
            return 0
        return self._state.link(task.chain[0] if task.chain else task.link.id).parent
