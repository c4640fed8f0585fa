"""The metrics of a crawl, counted where its progress passes: nothing, where nobody wants them."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http import HTTPStatus
from typing import TypeVar

from crawler.catalog.write.heartbeat import Heartbeat
from crawler.engine.events import Event, TargetKept, Visited
from crawler.metrics import working as metric
from crawler.metrics.instrument import Instrument
from crawler.metrics.meter import Meter, Reading, process_meter
from crawler.pipeline.crawl.snapshots import Snapshots
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.pipeline.crawl.watch import Exchange, View, Watch
from crawler.state.records import LinkStatus
from crawler.state.reports import counts_by_status
from crawler.state.totals import Totals
from crawler.web.messages import Reply

SECONDS_BETWEEN_LOOKS = 15.0
SHARE_OF_TIME = 200
"""Counting the frontier takes at most one part in this many of the time."""
_KNOWN = {int(status) for status in HTTPStatus}

Told = TypeVar("Told")


@contextmanager
def metered(
    watch: Watch, site: str, heartbeat: Heartbeat, snapshots: Snapshots | None
) -> Iterator[Watch]:
    """The watch of a crawl that counts as well, if this process sends metrics."""
    meter = process_meter()
    if meter is None:
        yield watch
        return
    figures = CrawlFigures(meter, site, heartbeat, snapshots)
    meter.watch(figures, figures.read)
    try:
        yield figures.beside(watch)
    finally:
        meter.forget(figures)


class CrawlFigures:
    """The figures of one crawl on their way to the meter of the process."""

    def __init__(
        self,
        meter: Meter,
        site: str,
        heartbeat: Heartbeat,
        snapshots: Snapshots | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._meter = meter
        self._site = site
        self._heartbeat = heartbeat
        self._snapshots = snapshots
        self._clock = clock
        self._view: View | None = None
        self._told = Totals()
        self._gauges: dict[Instrument, float] = {}
        self._due = 0.0

    def beside(self, watch: Watch) -> Watch:
        """A watch that calls another one as well."""
        return replace(
            watch,
            on_start=_both(self._start, watch.on_start),
            on_exchange=_both(self._exchanged, watch.on_exchange),
            on_event=_both(self._happened, watch.on_event),
            on_end=_both(self._end, watch.on_end),
        )

    def read(self, gauge: Instrument) -> Iterator[Reading]:
        """The value of a gauge now; called by the thread that sends."""
        labels = {"site": self._site}
        if gauge is metric.LEASE:
            yield self._heartbeat.remaining(), labels
        elif gauge is metric.SNAPSHOT_AGE and self._snapshots is not None:
            yield self._snapshots.age(), labels
        elif (value := self._gauges.get(gauge)) is not None:
            yield value, labels

    def _start(self, view: View) -> None:
        self._view = view
        self._told = view.crawl.totals.copy()
        self._look(view)

    def _exchanged(self, exchange: Exchange) -> None:
        meter, site, reply = self._meter, self._site, exchange.reply
        method = exchange.request.method.value
        meter.count(metric.REQUESTS, 1, site=site, method=method, status=status_of(reply))
        meter.record(metric.WAIT, exchange.waited, site=site)
        meter.record(metric.REQUEST_DURATION, exchange.took, site=site)
        if self._view is not None:
            self._count(self._view.crawl.totals)
            if self._clock() >= self._due:
                self._look(self._view)

    def _happened(self, event: Event) -> None:
        meter, site = self._meter, self._site
        match event:
            case TargetKept(file=file):
                meter.count(metric.FILES, 1, site=site, format=file.download.group)
                meter.record(metric.FILE_SIZE, file.download.size, site=site)
            case Visited(kind=kind, outcome=outcome):
                meter.count(metric.VISITS, 1, site=site, kind=kind.value, outcome=outcome.value)

    def _end(self, summary: CrawlSummary) -> None:
        if self._view is not None:
            self._count(self._view.crawl.totals)
        reason = summary.stop_reason.value
        self._meter.count(metric.RUNS, 1, site=self._site, stop_reason=reason)

    def _count(self, totals: Totals) -> None:
        """What the crawl's own totals grew by: the same figures as in its summary."""
        told, meter, site = self._told, self._meter, self._site
        for instrument, now, before in (
            (metric.RETRIES, totals.retries, told.retries),
            (metric.RECEIVED, totals.received, told.received),
            (metric.PAGES, totals.pages, told.pages),
        ):
            if now > before:
                meter.count(instrument, now - before, site=site)
        told.retries, told.received, told.pages = totals.retries, totals.received, totals.pages
        if totals.skipped != told.skipped:
            for reason, number in (totals.skipped - told.skipped).items():
                meter.count(metric.SKIPPED, number, site=site, reason=reason)
            told.skipped = Counter(totals.skipped)

    def _look(self, view: View) -> None:
        """Read what the thread that sends must not: state and engine belong to this one."""
        begun, crawl = self._clock(), view.crawl
        run = crawl.totals.since(crawl.budget.start)
        gauges = {
            metric.FRONTIER: float(counts_by_status(view.state).get(LinkStatus.FRONTIER, 0)),
            metric.YIELD: run.targets / max(run.requests, 1),
        }
        if crawl.night is not None and crawl.night.last:
            gauges[metric.COVERAGE] = 1 - len(crawl.night.ahead) / crawl.night.last
        self._gauges = gauges
        ended = self._clock()
        self._due = ended + max(SECONDS_BETWEEN_LOOKS, SHARE_OF_TIME * (ended - begun))


def _both(first: Callable[[Told], None], then: Callable[[Told], None]) -> Callable[[Told], None]:
    def call(told: Told) -> None:
        first(told)
        then(told)

    return call


def status_of(reply: Reply) -> str:
    """The status code or the kind of failure; a server cannot make up more of them."""
    if reply.failure is not None:
        return reply.failure.value
    if reply.head is None:
        return "none"
    status = reply.head.status
    return str(status) if status in _KNOWN else f"{status // 100 % 10}xx"
