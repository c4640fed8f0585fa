"""The crawl: asks for one request after the other and learns from the answers (Algorithms 3, 4)."""

from collections.abc import Callable

from crawler.config.site import SiteConfig
from crawler.engine import checkpoint
from crawler.engine.answers import describe
from crawler.engine.budget import BudgetWatch, RunSoFar
from crawler.engine.chooser import Chooser
from crawler.engine.conditions import conditions_of
from crawler.engine.events import Event, Retrying, Stopped
from crawler.engine.ledger import Ledger
from crawler.engine.night import Night, Phase
from crawler.engine.night_planner import RevisitOrder
from crawler.engine.night_tasks import NightTasks
from crawler.engine.reception import Reception
from crawler.engine.retries import pause
from crawler.engine.rules import rules_of
from crawler.engine.supporting import SupportingFiles
from crawler.engine.task import Purpose
from crawler.learning.early_stopping import YieldMonitor
from crawler.pages.mime import Classified, UrlClass
from crawler.pages.mime_groups import HTML_TYPES
from crawler.pages.reasons import SkipReason
from crawler.pages.scope import Place
from crawler.pages.signal_kind import SignalKind, signal_kind
from crawler.state.history_records import VisitKind
from crawler.state.records import Changes, LinkStatus, LinkUpdate, StepRow
from crawler.state.saved import SavedState
from crawler.state.stop import StopReason
from crawler.state.totals import Totals
from crawler.strategies.interface import Forecasting, Strategy
from crawler.web.messages import UNCONDITIONAL, Decision, Head, Method, Reply, Request


class Crawl:
    """A state machine without I/O: `next_request`, `on_headers`, `receive`.

    What `next_request` decides belongs to the step that the answer completes: until the changes of
    that step are committed, a restarted crawl decides the same again.
    """

    def __init__(
        self,
        site: SiteConfig,
        strategy: Strategy,
        state: SavedState,
        *,
        agent: str,
        wall_clock: Callable[[], float],
        monotonic: Callable[[], float],
        run: RunSoFar | None = None,
        check_stop: Callable[[], None] = lambda: None,
        revisit: RevisitOrder | None = None,
    ) -> None:
        """`check_stop` is called from within long work, and may raise to abandon the step.

        What an abandoned step changed in memory must not be committed.
        """
        self._site = site
        self._strategy = strategy
        self._forecasting = strategy if isinstance(strategy, Forecasting) else None
        self._now = wall_clock
        self._rules = rules_of(site, agent, wall_clock, check_stop)
        self._ledger = Ledger()
        self._supporting = SupportingFiles(self._ledger, strategy, self._rules)
        self._reception = Reception(
            self._ledger, strategy, self._rules, state, wall_clock, self._supporting
        )
        self._classified: Classified | None = None
        self._signal: SignalKind | None = None
        self._state = state
        checkpoint.load(state, self._ledger, self._rules, strategy)
        run = run or RunSoFar(self._ledger.totals)
        self.budget = BudgetWatch(site.budget, run.start, monotonic, run.minutes)
        tasks = None
        if revisit is not None:
            checkpoint.start_night(state, self._ledger, revisit.run_id, revisit.at)
            tasks = NightTasks(revisit, self._ledger, strategy, self._rules, state, site.start_url)
        self._chooser = Chooser(
            self._ledger,
            strategy,
            state,
            tasks,
            self._requests_left,
            self._supporting,
            self._rules.more_of_the_same.gives_nothing,
        )
        if self._rules.discovery.next_id == 1:
            self._enter()
        self._check_entrance()

    @property
    def totals(self) -> Totals:
        """Counts since the crawl began, over all its runs."""
        return self._ledger.totals

    @property
    def stopped(self) -> Stopped | None:
        """Why this run is over, once it is."""
        return self._ledger.stopped

    @property
    def night(self) -> Night | None:
        """The night of revisiting that this run is; None in an acquisition."""
        return self._ledger.night

    def _enter(self) -> None:
        entries = self._ledger.entries
        for url in (self._site.start_url, *self._site.start_also):
            entry = self._rules.discovery.entry(url)
            if all(entry.id != other.id for other in entries):
                entries.append(entry)

    def next_request(self) -> Request | None:
        """The next request to make, or None when the crawl has stopped."""
        ledger, gate = self._ledger, self._rules.gate
        while ledger.stopped is None:
            over = self._over()
            if over is not None:
                ledger.stop(over, self._why(over))
            elif gate.task is not None:
                return self._request(gate.task.url, Method.GET, gate.task.wait)
            elif ledger.task is None and self._night_needs_robots():
                gate.ask(self._site.start_url)
            elif ledger.task is None:
                ledger.task = self._chooser.next_task()
                if ledger.task is None:
                    self._stop_at_the_end()
            elif not gate.known(ledger.task.link.url):
                gate.ask(ledger.task.link.url)
            elif gate.allows(ledger.task.link.url):
                if self._reception.postponed(ledger.task):
                    continue
                return self._request(ledger.task.link.url, ledger.task.method, ledger.task.wait)
            else:
                silent = gate.unavailable(ledger.task.link.url)
                reason = SkipReason.ROBOTS_UNAVAILABLE if silent else SkipReason.ROBOTS
                self._reception.forbidden(ledger.task, reason)
        return None

    def _night_needs_robots(self) -> bool:
        night = self._ledger.night
        starts = night is not None and night.phase is Phase.ROBOTS
        return starts and not self._rules.gate.known(self._site.start_url)

    def _requests_left(self) -> int:
        return self.budget.requests_left(self._ledger.totals)

    def _over(self) -> StopReason | None:
        waiting = self._rules.gate.task or self._ledger.task
        wait = max(waiting.wait if waiting else 0.0, self._ledger.pause)
        over = self.budget.over(self._ledger.totals, wait)
        night, monitor = self._ledger.night, self._rules.monitor
        if over is not None or monitor is None:
            return over
        self._consider_forecast(monitor)
        if not monitor.exhausted:
            return None
        # A revisit does at least what is planned.
        waits = night is not None and night.before_frontier
        return None if waits else StopReason.YIELD_EXHAUSTED

    def _why(self, over: StopReason) -> str:
        monitor = self._rules.monitor
        if over is not StopReason.YIELD_EXHAUSTED or monitor is None:
            return ""
        return monitor.why(self._ledger.totals.targets)

    def _consider_forecast(self, monitor: YieldMonitor) -> None:
        """Ask what is expected before a link is followed; a later night follows what is new."""
        ledger = self._ledger
        if ledger.night is not None or ledger.task is None or not ledger.task.is_new_choice:
            return
        if not ledger.totals.targets:
            return
        if ledger.task.postponed:
            monitor.consider_rest(len(ledger.postponed) + 1, ledger.totals.requests)
        elif self._forecasting is not None:
            monitor.consider(self._forecasting.forecast(), ledger.totals.targets)

    def _request(self, url: str, method: Method, wait: float) -> Request:
        delay = max(self._site.politeness.delay, self._rules.gate.crawl_delay(url))
        task = self._ledger.task if self._rules.gate.task is None else None
        conditions = conditions_of(task, self._state) if task else UNCONDITIONAL
        return Request(url, method, delay, max(wait, self._ledger.pause), conditions)

    def on_headers(self, head: Head, first: bytes) -> Decision:
        """What to do with the body: HTML is read, a target kept, anything else not read."""
        if self._rules.gate.task is not None:
            return Decision.READ
        task = self._ledger.task
        if task is not None and task.purpose is Purpose.SUPPORTING:
            return self._supporting.decide(head)
        disposition = head.headers.get("content-disposition", "")
        classified = self._rules.mime.classify(head.url, head.content_type, disposition, first)
        self._classified = classified
        is_page = classified.url_class is UrlClass.HTML
        is_signal = is_page and classified.mime not in HTML_TYPES
        planned = task.visit.kind if task is not None and task.visit is not None else None
        if planned is VisitKind.FILE:
            # A page where a file was is not read; a sitemap that was once kept stays a file.
            is_file = is_signal or classified.url_class is UrlClass.TARGET
            return Decision.KEEP if is_file else Decision.DROP
        if classified.url_class is UrlClass.TARGET:
            return Decision.KEEP
        if not is_page or self._rules.scope.place(head.url) is not Place.SITE:
            return Decision.DROP
        if is_signal or planned is VisitKind.SIGNAL:
            self._signal = signal_kind(first)
        return Decision.DROP if is_signal and planned is VisitKind.PAGE else Decision.READ

    def receive(self, reply: Reply) -> list[Event]:
        """Take in what came of the last request; its changes are then ready to be committed."""
        ledger, totals = self._ledger, self._ledger.totals
        targets, link, method = totals.targets, 0, Method.GET
        planned = postponed = False
        totals.requests += 1
        totals.received += reply.received
        if self._rules.gate.task is not None:
            self._receive_robots(reply)
        elif ledger.task is not None:
            link, method = ledger.task.link.id, ledger.task.method
            planned, postponed = ledger.task.purpose is Purpose.PLANNED, ledger.task.postponed
            if method is Method.HEAD:
                totals.heads += 1
            else:
                totals.gets += 1
            classified, self._classified = self._classified, None
            signal, self._signal = self._signal, None
            self._reception.receive(ledger.task, reply, classified, signal)
        ledger.pause = pause(reply, self._now())
        if ledger.night is not None:
            ledger.night.count(1, totals.targets - targets)
        if self._rules.monitor is not None and not planned:
            self._rules.monitor.observe(1, totals.targets - targets, postponed=postponed)
        ledger.changes.steps.append(
            StepRow(
                number=totals.requests,
                link=link,
                method=method.value,
                status=reply.head.status if reply.head else 0,
                outcome=ledger.outcome,
                targets=totals.targets,
                received=totals.received,
            )
        )
        return ledger.take_events()

    def _receive_robots(self, reply: Reply) -> None:
        ledger, gate = self._ledger, self._rules.gate
        asked = gate.task.url if gate.task else ""
        gate.receive(reply)
        ledger.outcome = "robots"
        ledger.last_failure = describe(reply)
        if gate.task is None:
            self._reception.found_sitemaps(asked)
            self._check_entrance()
        elif gate.task.wait:
            ledger.totals.retries += 1
            ledger.events.append(Retrying(gate.task.url, gate.task.wait, describe(reply)))

    def _check_entrance(self) -> None:
        """Without a start page that may be fetched nothing else may be either.

        Stopping here, and not link by link, keeps the frontier for the day the site lets us in.
        """
        gate = self._rules.gate
        entries = (self._site.start_url, *self._site.start_also)
        if any(gate.allows(url) or not gate.known(url) for url in entries):
            return
        if gate.unavailable(self._site.start_url):
            detail = f"robots.txt gives no answer ({self._ledger.last_failure}), "
            self._ledger.stop(StopReason.UNREACHABLE, detail + "so nothing may be fetched")
        else:
            self._ledger.stop(StopReason.FORBIDDEN, "robots.txt forbids the start page")

    def _stop_at_the_end(self) -> None:
        totals = self._ledger.totals
        if not totals.nothing_read:
            self._ledger.stop(StopReason.FRONTIER_EMPTY)
            return
        # A site may be down for a night: the next run begins with the start pages again.
        self._enter()
        if SkipReason.ROBOTS in totals.skipped:
            self._ledger.stop(StopReason.FORBIDDEN, "robots.txt forbids the start page")
        else:
            reasons = ", ".join(totals.skipped) or self._ledger.last_failure
            detail = f"the start page cannot be read ({self._ledger.last_failure or reasons})"
            self._ledger.stop(StopReason.UNREACHABLE, detail)

    def drop_page_in_work(self) -> None:
        """Skip the links of the page whose links are being placed: placing them cost too much."""
        if not self._ledger.frames:
            return
        frame = self._ledger.frames[-1]
        reason = SkipReason.POISONOUS.value
        for link in frame.links[frame.position :]:
            update = LinkUpdate(link.id, LinkStatus.SKIPPED, reason=reason)
            self._ledger.changes.updates.append(update)
            self._ledger.totals.skipped[reason] += 1
        frame.position = len(frame.links)

    def stop(self, reason: StopReason, detail: str = "") -> None:
        """End this run from outside: interrupted, disk full."""
        self._ledger.stop(reason, detail)

    def take_changes(self) -> Changes:
        """All that changed since the last call, to be committed in one transaction."""
        changes, self._ledger.changes = self._ledger.changes, Changes()
        checkpoint.complete(changes, self._ledger, self._rules, self._strategy)
        return changes
