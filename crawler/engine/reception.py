"""What an answer changes: pages are read, targets noted, redirects followed, failures deferred."""

from collections.abc import Callable
from dataclasses import replace
from heapq import heappush

from crawler.engine.answers import (
    HeadMeaning,
    describe,
    head_meaning,
    is_redirect,
    is_success,
    may_mean_site_is_down,
    skip_reason,
)
from crawler.engine.events import PageRead, Retrying, TargetKept
from crawler.engine.frame import Frame
from crawler.engine.ledger import Ledger
from crawler.engine.retries import is_temporary
from crawler.engine.rules import Rules
from crawler.engine.stop import StopReason
from crawler.engine.task import Purpose, Task
from crawler.pages.html import PageReader
from crawler.pages.kept_file import Download, KeptFile
from crawler.pages.mime import Classified, UrlClass
from crawler.pages.reasons import SkipReason
from crawler.pages.scope import Place
from crawler.pages.urls import resolve
from crawler.state.records import LinkStatus, LinkUpdate, PageRow
from crawler.state.saved import SavedState
from crawler.strategies.interface import NO_ACTION, Strategy
from crawler.web.messages import Decision, Reply

MOST_HOPS = 10
"""Redirections in a row before a chain counts as a loop."""

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
    ) -> None:
        self._ledger = ledger
        self._strategy = strategy
        self._rules = rules
        self._state = state
        self._now = wall_clock
        self._reader = PageReader()

    def receive(self, task: Task, reply: Reply, classified: Classified | None) -> None:
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
        if task.purpose is Purpose.ASKED:
            self._answered_head(task, reply)
        elif is_redirect(reply):
            self._redirected(task, reply)
        elif not is_success(reply):
            self._failed(task, reply)
        else:
            self._arrived(task, reply, classified)

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
        if meaning is HeadMeaning.NEITHER:
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
        ledger.task = None

    def _redirected(self, task: Task, reply: Reply) -> None:
        """Follow one hop; the reward of what is found there goes to the same action."""
        ledger, discovery = self._ledger, self._rules.discovery
        location = reply.head.headers.get("location", "") if reply.head else ""
        target = resolve(task.link.url, location) if location else None
        if target is None:
            ledger.give_up(task, SkipReason.BAD_REDIRECT)
            return
        if self._rules.scope.place(target) in {Place.OUTSIDE, Place.EXCLUDED}:
            ledger.give_up(task, SkipReason.REDIRECT_OFF_SITE)
            return
        known = discovery.id_of(target)
        if known in task.chain or target == task.link.url or task.hops >= MOST_HOPS:
            ledger.give_up(task, SkipReason.REDIRECT_LOOP)
            return
        hop = discovery.hop(target, task.link)
        if known is not None and (known == task.link.id or self._asked_in_vain(known)):
            # The same page by another spelling, as when the server takes a session id off; or what
            # the start page led to in an earlier run.
            hop = replace(task.link, id=known, url=target, anchor="")
        if hop is None:
            ledger.give_up(task, SkipReason.REDIRECT_KNOWN)
            return
        if hop.id != task.link.id:
            update = LinkUpdate(task.link.id, LinkStatus.REDIRECT, task.action)
            ledger.changes.updates.append(update)
            task.chain.append(task.link.id)
        ledger.outcome = "redirect"
        task.hops += 1
        task.link, task.attempts, task.wait = hop, 0, 0.0

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
        if may_mean_site_is_down(reply, failed_before=task.second_chance):
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
        found = discovery.links_of(page, link.id, link.depth + 1, task.action)
        new_links = discovery.next_id - first
        ledger.totals.skipped.update(found.skipped)
        ledger.totals.pages += 1
        ledger.frames.append(
            Frame(link.id, link.url, task.action, discovery.next_id, found.candidates)
        )
        links, told = len(page.links), page.metadata
        ledger.changes.pages.append(
            PageRow(
                link=link.id,
                title=page.title,
                language=page.language,
                action=task.action,
                links=links,
                new_links=new_links,
                licence=told.licence,
                publisher=told.publisher,
                published=told.published,
            )
        )
        ledger.events.append(PageRead(link.url, links, new_links))
        ledger.outcome = "page"
        ledger.settle(task, LinkStatus.PAGE)

    def _keep_target(self, task: Task, reply: Reply, classified: Classified) -> None:
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
        ledger.totals.targets += 1
        ledger.totals.kept += download.size
        ledger.totals.groups[download.group] += 1
        ledger.changes.targets.append(file)
        if task.purpose is Purpose.PREDICTED:
            ledger.frames[-1].reward += 1
            self._rules.traps.earned(ledger.frames[-1].url)
        else:
            # A selected link that is itself a target: the classifier had not recognised it.
            if task.action != NO_ACTION:
                self._strategy.reward(task.action, 1)
            parent = self._state.link(link.id).parent if link.depth else 0
            if parent:
                self._rules.traps.earned(self._state.link(parent).url)
        ledger.events.append(TargetKept(file))
        ledger.outcome = "target"
        ledger.settle(task, LinkStatus.TARGET)
