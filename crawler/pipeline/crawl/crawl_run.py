"""One run of a crawl: choose a link, fetch it, read it, learn from it, keep what is a target."""

import logging
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from urllib.parse import urlsplit

from crawler.catalog.upkeep.retention import Retention, apply_retention
from crawler.catalog.write.lease import Heartbeat, LeaseHeld
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.engine.crawl import Crawl
from crawler.engine.events import Event, TargetKept
from crawler.engine.stop import StopReason
from crawler.engine.totals import Totals
from crawler.errors import StorageError
from crawler.pipeline.crawl.fetching import agent_of, fetcher_for
from crawler.pipeline.crawl.keeping import Keeper
from crawler.pipeline.crawl.manifest import Manifest
from crawler.pipeline.crawl.patience import Patience, patient_spools
from crawler.pipeline.crawl.reconcile import reconcile
from crawler.pipeline.crawl.run_record import begin, died_run, new_run_id, note_minutes
from crawler.pipeline.crawl.snapshots import Snapshots
from crawler.pipeline.crawl.step_watch import StepWatch
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.pipeline.crawl.watch import View, Watch
from crawler.pipeline.services import Services
from crawler.state.crawl_state import CrawlState
from crawler.state.reports import top_actions, totals
from crawler.strategies.make import make_strategy
from crawler.web.messages import Failure, Reply, Request
from crawler.web.pacer import Interrupted, Pacer
from crawler.web.user_agent import product_token

_POISONOUS = "its answer ended the process before, or took more memory than a step may"

SECONDS_BETWEEN_NOTES = 15.0
"""How much of its budget of minutes a run can forget when its process is killed."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RunPlan:
    """Which run this is, and how long this process works on it."""

    run_id: str = ""
    """A run that the state knows under this id goes on with what is left of its budget; without an
    id a new run begins."""
    seconds: float | None = None
    """After so many seconds the process stops between two requests; the run goes on later."""
    night: str = ""
    """Whose night it is; the catalog's run tells it."""


ANY_RUN = RunPlan()


class CrawlRun:
    """Joins the engine with fetcher, store, catalog and state.

    The order is always: file in the store, fact in the catalog, step in the state, line in the
    manifest. Killed in between, the next run repeats what was not committed, and nothing is twice.
    """

    def __init__(
        self,
        site: SiteConfig,
        settings: Settings,
        services: Services,
        state: CrawlState,
        lease: LeaseHeld,
        heartbeat: Heartbeat,
        snapshots: Snapshots | None,
        patience: Patience,
        plan: RunPlan,
    ) -> None:
        self._site = site
        self._settings = settings
        self._services = services
        self._store = services.store
        self._state = state
        self._heartbeat = heartbeat
        self._snapshots = snapshots
        self._patience = patience
        self._plan = plan
        self._began = self._noted = time.monotonic()
        self._resumed = bool(state.progress())
        # A run whose process died resumes as the same run: it is counted once, with one budget.
        known = plan.run_id or died_run(state)
        run = begin(state, known or new_run_id())
        self._id = run.run_id
        self._run = run
        self._keeper = Keeper(
            services, site, self._id, lease, goes_on=bool(known), night=plan.night
        )
        self._reconciled = reconcile(state, services, site.name, partial(self._keeper.keep, state))
        self._crawl = Crawl(
            site,
            make_strategy(site.strategy, site.seed),
            state,
            agent=product_token(agent_of(site)),
            wall_clock=time.time,
            monotonic=time.monotonic,
            run=run.so_far,
            check_stop=self._check_stop,
        )
        self._stop_requested: Callable[[], bool] = lambda: False
        self._abandoned = False

    @property
    def run_id(self) -> str:
        """The id of this run."""
        return self._id

    def to_its_end(self, watch: Watch, least_free_bytes: int) -> CrawlSummary:
        """Run until the engine stops, or somebody asks it to."""
        crawl, state = self._crawl, self._state
        self._stop_requested = watch.stop_requested
        pacer = Pacer(on_tick=watch.on_tick, stop_requested=watch.stop_requested)
        if self._resumed:
            # Nobody knows when the last request of the interrupted run went out.
            pacer.hold(urlsplit(self._site.start_url).hostname or "")
        manifest_path = self._settings.manifest_path(self._site.name)
        spools = patient_spools(self._store, self._patience)
        with (
            closing(fetcher_for(self._site, pacer)) as fetcher,
            closing(Manifest(manifest_path, state)) as manifest,
            StepWatch(state.path.with_suffix(".step")) as steps,
        ):
            watch.on_start(View(crawl, state))
            if self._run.over and self._run.stop_reason is not None:
                # It ended before, and whoever waited for that was not told.
                crawl.stop(self._run.stop_reason, self._run.stop_detail)
            first = crawl.totals.requests
            while (request := self._next_request(steps)) is not None:
                if self._must_stop(watch, least_free_bytes):
                    break
                if self._slice_is_over(crawl.totals.requests - first):
                    crawl.stop(StopReason.SLICE_ENDED)
                    break
                number = crawl.totals.requests + 1
                try:
                    if steps.is_poisonous(number, request.url):
                        reply = Reply(failure=Failure.POISONOUS, detail=_POISONOUS)
                    else:
                        reply = fetcher.fetch(request, crawl.on_headers, spools)
                except Interrupted:
                    crawl.stop(StopReason.INTERRUPTED)
                    break
                try:
                    with steps.working(number, request.url):
                        events = crawl.receive(reply)
                        self._keep(events)
                except Interrupted:
                    # The step is half done in memory: as after a crash, it is made once more.
                    self._abandoned = True
                    crawl.stop(StopReason.INTERRUPTED)
                    break
                for event in events:
                    if isinstance(event, TargetKept):
                        manifest.add(event.link)
                    watch.on_event(event)
                watch.on_tick()
                self._take_snapshot_when_due()
                self._note_minutes_when_due()
        if not self._abandoned:
            state.commit(crawl.take_changes())
        return self._finish()

    def _next_request(self, steps: StepWatch) -> Request | None:
        number = self._crawl.totals.requests + 1
        if steps.is_poisonous(number):
            self._crawl.drop_page_in_work()
        with steps.working(number):
            return self._crawl.next_request()

    def _check_stop(self) -> None:
        if self._stop_requested():
            raise Interrupted("stopped in the middle of a step")

    def _must_stop(self, watch: Watch, least_free_bytes: int) -> bool:
        self._heartbeat.check()
        if watch.stop_requested():
            self._crawl.stop(StopReason.INTERRUPTED)
            return True
        if self._store.free_bytes() < least_free_bytes:
            detail = f"less than {least_free_bytes:,} bytes are free"
            self._crawl.stop(StopReason.DISK_FULL, detail)
            return True
        return False

    def _slice_is_over(self, requests: int) -> bool:
        """Between two requests only, and never without one: a wait that is cut would start anew."""
        seconds = self._plan.seconds
        return seconds is not None and requests > 0 and time.monotonic() >= self._began + seconds

    def _note_minutes_when_due(self) -> None:
        if time.monotonic() >= self._noted + SECONDS_BETWEEN_NOTES:
            self._noted = time.monotonic()
            note_minutes(self._state, self._crawl.budget.minutes)

    def _keep(self, events: list[Event]) -> None:
        with self._state.step(self._crawl.take_changes()):
            for event in events:
                if isinstance(event, TargetKept):
                    self._patience.attempt(partial(self._keeper.keep, self._state, event.link))

    def _take_snapshot_when_due(self) -> None:
        if self._snapshots is not None and self._snapshots.due():
            try:
                self._snapshots.take(self._state, self._crawl.totals.requests)
            except StorageError as error:
                # The crawl itself notices an outage when it keeps its next file.
                log.warning("no snapshot this time: %s", error)

    def _finish(self) -> CrawlSummary:
        summary = self._summary()
        self._state.set_meta(
            {
                "stop_reason": summary.stop_reason.value,
                "stop_detail": summary.stop_detail,
                "stopped_at": datetime.now(UTC).isoformat(),
                "run_minutes": str(summary.minutes),
            }
        )
        self._patience.attempt(lambda: self._keeper.end(self._state, summary))
        if summary.stop_reason is not StopReason.SLICE_ENDED:
            self._apply_retention()
        snapshots = self._snapshots
        if snapshots is not None:
            step = self._crawl.totals.requests
            self._patience.attempt(lambda: snapshots.take(self._state, step))
        return summary

    def _apply_retention(self) -> None:
        services, kept = self._services, self._settings.retention
        retention = Retention(None if kept == "all" else kept)
        self._patience.attempt(
            lambda: apply_retention(
                services.database, services.store, retention, site=self._site.name
            )
        )

    def _summary(self) -> CrawlSummary:
        crawl, stopped = self._crawl, self._crawl.stopped
        if stopped is None:
            raise RuntimeError("the crawl ended without a reason")
        in_all = crawl.totals
        if self._abandoned:
            saved = totals(self._state)
            in_all = Totals.load(saved) if saved else Totals()
        run = in_all.since(crawl.budget.start)
        return CrawlSummary(
            site=self._site.name,
            run_id=self._id,
            strategy=self._site.strategy.name.value,
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
            files=self._settings.place_of("blobs"),
            manifest=str(self._settings.manifest_path(self._site.name)),
            in_all=in_all.save(),
            top_actions=top_actions(self._state, 5),
            resumed=self._resumed,
            recorded_anew=self._reconciled.recorded,
            fetched_again=self._reconciled.to_fetch,
        )
