"""/metrics: how the sites stand, in the text format of Prometheus."""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from fastapi import APIRouter, Response
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector

from crawler.catalog.facade import Catalog
from crawler.errors import StorageError
from crawler.metrics import served as metric
from crawler.metrics.instrument import Instrument, Kind
from crawler.metrics.served import SERVED
from crawler.pipeline.report.site_figures import Figure, site_figures

MIN_SECONDS = 15.0
SHARE_OF_TIME = 20
"""Reading takes at most one part in this many of the time, however often somebody asks."""
PATIENCE = 30.0
"""How long a question waits for another one that reads the figures."""

log = logging.getLogger(__name__)


def metrics_route(catalog: Catalog, sites_dir: Path | None) -> APIRouter:
    """The route over one catalog."""
    routes = APIRouter(include_in_schema=False)
    page = MetricsPage(lambda: site_figures(catalog, sites_dir, datetime.now(UTC)))

    @routes.get("/metrics", name="metrics")
    def metrics() -> Response:
        return Response(page.text(), media_type=CONTENT_TYPE_PLAIN_0_0_4)

    return routes


class MetricsPage:
    """The page, read anew at most every 15 seconds and by one thread at a time."""

    def __init__(
        self,
        read: Callable[[], list[Figure]],
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self._read = read
        self._clock = clock
        self._wall_clock = wall_clock
        self._one_at_a_time = threading.Lock()
        self._text = b""
        self._due = 0.0

    def text(self) -> bytes:
        """The page; StorageError when another question reads the figures for too long."""
        if not self._one_at_a_time.acquire(timeout=PATIENCE):
            raise StorageError("the figures are still being read")
        try:
            if not self._text or self._clock() >= self._due:
                begun = self._clock()
                self._text = _encoded(self._figures())
                ended = self._clock()
                self._due = ended + max(MIN_SECONDS, SHARE_OF_TIME * (ended - begun))
            return self._text
        finally:
            self._one_at_a_time.release()

    def _figures(self) -> Iterator[Figure]:
        begun = self._clock()
        try:
            sites, answers = self._read(), True
        except StorageError as error:
            # Old figures would hide that nobody can read new ones.
            log.warning("/metrics: %s", error)
            sites, answers = [], False
        yield metric.CATALOG_UP, (), float(answers)
        yield metric.BUILD, (version("tallyho"),), 1.0
        yield metric.COLLECTED, (), self._wall_clock()
        yield metric.COLLECTING, (), self._clock() - begun
        yield from sites


def _encoded(figures: Iterable[Figure]) -> bytes:
    families = {one.name: _family(one) for one in SERVED}
    for instrument, labels, value in figures:
        families[instrument.name].add_metric(labels, value)
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Families([family for family in families.values() if family.samples]))
    return generate_latest(registry)


def _family(instrument: Instrument) -> CounterMetricFamily | GaugeMetricFamily:
    kind = CounterMetricFamily if instrument.kind is Kind.COUNTER else GaugeMetricFamily
    return kind(instrument.prometheus_name, instrument.description, labels=instrument.labels)


class _Families(Collector):
    """Metrics that are known already."""

    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        """All of them."""
        return self._families
