"""The loop of a crawl: choose a link, fetch it, read it, learn from it, keep what is a target."""

import logging
import time
from contextlib import closing, nullcontext
from dataclasses import replace
from functools import partial
from shutil import disk_usage
from urllib.parse import urlsplit

from crawler.catalog.upkeep.retention import apply_retention
from crawler.config.revisit import RevisitConfig
from crawler.config.strategy import AcebotConfig
from crawler.engine.budget import RunSoFar
from crawler.engine.crawl import Crawl
from crawler.engine.events import Event, FileLinked, TargetKept, Visited
from crawler.engine.night_planner import RevisitOrder, settle_histories
from crawler.errors import StorageError
from crawler.pipeline.crawl.browser import browser_for
from crawler.pipeline.crawl.context import CrawlContext, RunPlan
from crawler.pipeline.crawl.fetching import agent_of, fetcher_for
from crawler.pipeline.crawl.keeping import Keeper
from crawler.pipeline.crawl.manifest import Manifest
from crawler.pipeline.crawl.outage import retrying_spools
from crawler.pipeline.crawl.reconcile import reconcile
from crawler.pipeline.crawl.site_patterns import patterns_to_follow, save_patterns
from crawler.pipeline.crawl.step_watch import StepTooLarge, StepWatch
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.pipeline.crawl.watch import Exchange, View
from crawler.state.records import Changes
from crawler.state.reports import top_actions
from crawler.state.run import RunKind, RunRecord, new_run_id
from crawler.state.stop import StopReason
from crawler.strategies.make import make_strategy
from crawler.strategies.pattern_set import PatternSet
from crawler.turns import waiting
from crawler.web.messages import Failure, Reply, Request
from crawler.web.pacer import Interrupted, Pacer

SECONDS_TO_FINISH_A_STEP = 1.0
"""How long a step may still work after the run was asked to stop."""
SECONDS_BETWEEN_RECORDS = 15.0
"""How much of its budget of minutes a run can forget when its process is killed."""

_POISONOUS = "its answer ended the process before, or took more memory than a step may"

log = logging.getLogger(__name__)


def run_crawl(
    context: CrawlContext,
    plan: RunPlan,
    min_free_bytes: int,
    revisit: RevisitConfig | None = None,
) -> CrawlSummary:
    """Run the loop to its end, also past pages that take more memory than a step may."""
    while True:
        loop = CrawlLoop(context, plan, min_free_bytes, revisit)
        try:
            return loop.run()
        except StepTooLarge:
            # The run resumes from its last committed step, and skips that URL.
            plan = replace(plan, run_id=loop.run_id)


class CrawlLoop:
    """Joins the engine with fetcher, store, catalog and state, for one run.

    The order is always: file in the store, fact in the catalog, step in the state, line in the
    manifest. Killed in between, the next run repeats what was not committed, and nothing is twice.
    """

    def __init__(
        self,
        context: CrawlContext,
        plan: RunPlan,
        min_free_bytes: int,
        revisit: RevisitConfig | None = None,
    ) -> None:
        site, state = context.site, context.state
        self._context = context
        self._plan = plan
        self._min_free_bytes = min_free_bytes
        self._started = self._recorded = time.monotonic()
        self._resumed = bool(state.progress())
        last = state.run()
        kind = RunKind.ACQUIRE if revisit is None else RunKind.REVISIT
        # A run whose process died resumes as the same run: it is counted once, with one budget.
        known = plan.run_id or _died_run(last, kind)
        self._before = last if last is not None and last.run_id == known else None
        self._run = _started_run(context, known, self._before, kind)
        state.set_run(self._run)
        self._keeper = Keeper(
            context.services,
            site,
            self._run.run_id,
            context.lease,
            resumes=bool(known),
            night=plan.night,
            kind=kind,
            now=context.now,
        )
        self._reconciled = reconcile(state, context.services, site.name, self._keeper.keep)
        if self._reconciled.to_fetch and self._before is None:
            # The files that are fetched again count as files of this run.
            self._run = replace(self._run, start=state.totals())
            state.set_run(self._run)
        self._crawl = Crawl(
            site,
            make_strategy(site.strategy, site.seed, self._patterns(), browser_for(site.strategy)),
            state,
            agent=agent_of(site),
            wall_clock=context.wall_clock,
            monotonic=time.monotonic,
            run=RunSoFar(self._run.start, self._run.minutes),
            check_stop=self._check_stop,
            revisit=self._order(revisit) if revisit is not None else None,
        )
        self._abandoned = False
        self._step_started = time.monotonic()

    def _patterns(self) -> PatternSet | None:
        """What a new crawl follows without a sample; a resumed one has it in its state."""
        if self._resumed:
            return None
        site, store = self._context.site, self._context.services.store
        return self._context.retry.attempt(lambda: patterns_to_follow(site, store))

    def _order(self, config: RevisitConfig) -> RevisitOrder:
        started = self._run.started_at or self._context.now()
        return RevisitOrder(
            self._run.run_id,
            started.timestamp(),
            config,
            self._context.site.seed,
            self._keeper.taken_down(),
        )

    @property
    def run_id(self) -> str:
        """The id of this run."""
        return self._run.run_id

    def run(self) -> CrawlSummary:
        """Crawl until the engine stops, or the run is asked to."""
        context, crawl = self._context, self._crawl
        site, state, watch = context.site, context.state, context.watch
        pacer = Pacer(on_tick=watch.on_tick, stop_requested=watch.stop_requested, hosts=watch.hosts)
        if self._resumed:
            # The time of the last request of the interrupted run is unknown.
            pacer.hold(urlsplit(site.start_url).hostname or "")
        spools = retrying_spools(context.services.store, context.retry)
        with (
            closing(fetcher_for(site, pacer)) as fetcher,
            closing(Manifest(context.settings.manifest_path(site.name), state)) as manifest,
            StepWatch(state.path.with_suffix(".step")) as steps,
            watch.turns.working() if watch.turns else nullcontext(),
        ):
            watch.on_start(View(crawl, state))
            before = self._before
            if before is not None and before.stop_reason is not None and before.over:
                # Called again after its end: it reports the same end once more.
                crawl.stop(before.stop_reason, before.stop_detail)
            first = crawl.totals.requests
            while (request := self._next_request(steps)) is not None:
                stop, detail = self._why_to_stop(crawl.totals.requests - first)
                if stop is not None:
                    crawl.stop(stop, detail)
                    break
                number = crawl.totals.requests + 1
                asked, waited = time.monotonic(), pacer.waited
                try:
                    if steps.is_poisonous(number, request.url):
                        reply = Reply(failure=Failure.POISONOUS, detail=_POISONOUS)
                    else:
                        reply = fetcher.fetch(request, crawl.on_headers, spools)
                except Interrupted:
                    crawl.stop(StopReason.INTERRUPTED)
                    break
                self._step_started = time.monotonic()
                try:
                    with steps.working(number, request.url):
                        events = crawl.receive(reply)
                        self._keep(events)
                except Interrupted:
                    # The step is half done in memory: as after a crash, it is made once more.
                    self._abandoned = True
                    crawl.stop(StopReason.INTERRUPTED)
                    break
                waited = pacer.waited - waited
                took = max(self._step_started - asked - waited, 0.0)
                watch.on_exchange(Exchange(request, reply, waited, took))
                for event in events:
                    if isinstance(event, TargetKept):
                        manifest.add(event.file)
                    watch.on_event(event)
                watch.on_tick()
                self._take_snapshot_when_due()
                self._record_minutes_when_due()
        if not self._abandoned:
            state.commit(crawl.take_changes())
            if crawl.night is not None:
                # A changed file has its old line, too; and what the visits led to is known now.
                Manifest(context.settings.manifest_path(site.name), state).close()
                state.commit(Changes(history=settle_histories(state, crawl.night.first_link)))
        return self._finish()

    def _next_request(self, steps: StepWatch) -> Request | None:
        number = self._crawl.totals.requests + 1
        if steps.is_poisonous(number):
            self._crawl.drop_page_in_work()
        with steps.working(number):
            return self._crawl.next_request()

    def _check_stop(self) -> None:
        """An ordinary step is finished; one that works for long is abandoned, and made again."""
        works_long = time.monotonic() > self._step_started + SECONDS_TO_FINISH_A_STEP
        if works_long and self._context.watch.stop_requested():
            raise Interrupted("stopped in the middle of a step")

    def _why_to_stop(self, requests: int) -> tuple[StopReason | None, str]:
        """A reason to stop before the next request that the engine does not know of."""
        self._context.heartbeat.check()
        if self._context.watch.stop_requested():
            return StopReason.INTERRUPTED, ""
        if (place := self._full_disk()) is not None:
            detail = f"less than {self._min_free_bytes:,} bytes are free for {place}"
            return StopReason.DISK_FULL, detail
        seconds = self._plan.seconds
        # Never without a request: a wait that is cut short would start from its beginning.
        if seconds is not None and requests > 0 and time.monotonic() >= self._started + seconds:
            return StopReason.SLICE_ENDED, ""
        return None, ""

    def _full_disk(self) -> str | None:
        """What has no room: the files, or the state, which may be on another disk."""
        if self._context.services.store.free_bytes() < self._min_free_bytes:
            return self._context.settings.store_place
        states = self._context.state.path.parent
        return str(states) if disk_usage(states).free < self._min_free_bytes else None

    def _record_minutes_when_due(self) -> None:
        if time.monotonic() >= self._recorded + SECONDS_BETWEEN_RECORDS:
            self._recorded = time.monotonic()
            self._run = replace(self._run, minutes=self._crawl.budget.minutes)
            self._context.state.set_run(self._run)

    def _keep(self, events: list[Event]) -> None:
        state, retry = self._context.state, self._context.retry
        with state.step(self._crawl.take_changes()):
            for event in events:
                if isinstance(event, TargetKept):
                    retry.attempt(partial(self._keeper.keep, event.file))
                elif isinstance(event, Visited | FileLinked):
                    retry.attempt(partial(self._keeper.record, event))

    def _take_snapshot_when_due(self) -> None:
        snapshots = self._context.snapshots
        if snapshots is not None and snapshots.due():
            try:
                with waiting():
                    snapshots.take(self._context.state, self._crawl.totals.requests)
            except StorageError as error:
                # The crawl itself notices an outage when it keeps its next file.
                log.warning("no snapshot this time: %s", error)

    def _finish(self) -> CrawlSummary:
        summary, state, retry = self._summary(), self._context.state, self._context.retry
        self._run = replace(
            self._run,
            stop_reason=summary.stop_reason,
            stop_detail=summary.stop_detail,
            stopped_at=self._context.now(),
            minutes=summary.minutes,
        )
        # The catalog first: a process that dies in between resumes the run, and ends it once more.
        # The other way round the run would be over here and open there for good.
        retry.attempt(lambda: self._keeper.end(state, summary))
        state.set_run(self._run)
        if summary.stop_reason is not StopReason.SLICE_ENDED:
            retry.attempt(self._apply_retention)
            retry.attempt(self._save_patterns)
        snapshots = self._context.snapshots
        if snapshots is not None:
            step = self._crawl.totals.requests
            retry.attempt(lambda: snapshots.take(state, step))
        self._context.watch.on_end(summary)
        return summary

    def _save_patterns(self) -> None:
        if isinstance(self._context.site.strategy, AcebotConfig):
            store, name = self._context.services.store, self._context.site.name
            save_patterns(self._context.state, store, name)

    def _apply_retention(self) -> None:
        services, kept = self._context.services, self._context.settings.retention
        apply_retention(services.database, services.store, kept, site=self._context.site.name)

    def _summary(self) -> CrawlSummary:
        context, crawl, stopped = self._context, self._crawl, self._crawl.stopped
        if stopped is None:
            raise RuntimeError("the crawl ended without a reason")
        in_all = context.state.totals() if self._abandoned else crawl.totals
        run = in_all.since(crawl.budget.start)
        return CrawlSummary(
            site=context.site.name,
            run_id=self._run.run_id,
            strategy=context.site.strategy.name.value,
            stop_reason=stopped.reason,
            stop_detail=stopped.detail,
            requests=run.requests,
            heads=run.heads,
            pages=run.pages,
            targets=run.targets,
            bytes=run.received,
            target_bytes=run.kept,
            retries=run.retries,
            skipped=dict(run.skipped.most_common()),
            formats=dict(run.groups.most_common()),
            minutes=crawl.budget.minutes,
            files=context.settings.place_of("blobs"),
            manifest=str(context.settings.manifest_path(context.site.name)),
            in_all=in_all.save(),
            top_actions=top_actions(context.state, 5),
            resumed=self._resumed,
            recorded_again=self._reconciled.recorded,
            fetched_again=self._reconciled.to_fetch,
        )


def _died_run(last: RunRecord | None, kind: RunKind) -> str:
    """The id of the last run if its process died in it; empty otherwise."""
    died = last is not None and last.kind is kind and last.stop_reason is None
    return last.run_id if last is not None and died else ""


def _started_run(
    context: CrawlContext, run_id: str, last: RunRecord | None, kind: RunKind
) -> RunRecord:
    """The record of a run that starts now, or of the last one when it is resumed."""
    run = last or RunRecord(
        run_id or new_run_id(context.now()),
        context.state.totals(),
        kind,
        started_at=context.now(),
    )
    fence = context.lease.fence
    return replace(run, stop_reason=None, stop_detail="", stopped_at=None, fence=fence)
