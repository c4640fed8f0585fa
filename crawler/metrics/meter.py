"""The metrics of this process, sent by OpenTelemetry as its environment variables say.

Without them nothing is imported, and nothing is counted.
"""

import logging
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points, version
from typing import TYPE_CHECKING, Any

from crawler.metrics.instrument import Instrument, Kind
from crawler.metrics.working import WORKING

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics.export import MetricReader

FLUSH_SECONDS = 5.0
"""How long the end of a command or task may wait for a collector that does not answer."""
_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_METRICS_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_BY_PROTOCOL = {"grpc": "otlp_proto_grpc", "http/protobuf": "otlp_proto_http"}

log = logging.getLogger(__name__)

Reading = tuple[float, dict[str, str]]
"""The value of a gauge, and its labels."""


class Meter:
    """The instruments of a process; several threads may use it."""

    def __init__(self, readers: "Iterable[MetricReader]") -> None:
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource

        resource = Resource.create({} if _names_service() else {SERVICE_NAME: "tallyho"})
        # Ours alone: Airflow may have a provider of its own in this process.
        self._provider = MeterProvider(
            metric_readers=[*readers], resource=resource, shutdown_on_exit=False
        )
        self._meter = self._provider.get_meter("tallyho", version("tallyho"))
        self._lock = threading.Lock()
        self._gauges: dict[object, Callable[[Instrument], Iterable[Reading]]] = {}
        self._made = {instrument.name: self._make(instrument) for instrument in WORKING}

    def count(self, instrument: Instrument, number: float, **labels: str) -> None:
        """Add to a counter."""
        self._made[instrument.name].add(number, labels)

    def record(self, instrument: Instrument, value: float, **labels: str) -> None:
        """Put a value into a histogram."""
        self._made[instrument.name].record(value, labels)

    def watch(self, key: object, read: Callable[[Instrument], Iterable[Reading]]) -> None:
        """Ask for the values of gauges whenever they are sent, until `forget`."""
        with self._lock:
            self._gauges[key] = read

    def forget(self, key: object) -> None:
        """What is over has no gauges any more."""
        with self._lock:
            self._gauges.pop(key, None)

    def flush(self, seconds: float = FLUSH_SECONDS) -> None:
        """Send what was counted; a collector that is away is told of in the log and no more."""
        # Exporters repeat what failed for as long as they like, whatever they are told.
        sending = threading.Thread(target=self._send, name="metrics", daemon=True)
        sending.start()
        sending.join(seconds)
        if sending.is_alive():
            log.warning("metrics were not sent within %g seconds", seconds)

    def _send(self) -> None:
        try:
            self._provider.force_flush()
        except Exception as error:
            log.warning("metrics were not sent: %s", error)

    def close(self) -> None:
        """Send the rest, and end the thread that sends."""
        self._provider.shutdown()

    def _make(self, instrument: Instrument) -> Any:
        name, unit, told = instrument.name, instrument.unit, instrument.description
        match instrument.kind:
            case Kind.COUNTER:
                return self._meter.create_counter(name, unit, told)
            case Kind.HISTOGRAM:
                return self._meter.create_histogram(
                    name, unit, told, explicit_bucket_boundaries_advisory=instrument.buckets
                )
            case Kind.GAUGE:
                return self._meter.create_observable_gauge(
                    name, [self._asks(instrument)], unit, told
                )

    def _asks(self, instrument: Instrument) -> Callable[[Any], Iterable[Any]]:
        from opentelemetry.metrics import Observation

        def ask(_: object) -> Iterable[Observation]:
            with self._lock:
                asked = list(self._gauges.values())
            for read in asked:
                for value, labels in read(instrument):
                    yield Observation(value, labels)

        return ask


# Sites that begin at once must not make a meter each: only the last one would be sent.
_MAKING = threading.Lock()


def process_meter() -> Meter | None:
    """The meter of this process; None where nobody wants metrics."""
    with _MAKING:
        return made_meter()


@cache
def made_meter() -> Meter | None:
    """The same, made by the first who asks: for one thread alone."""
    names = exporter_names(os.environ)
    if not names:
        return None
    try:
        return Meter([_reader(name) for name in names])
    except Exception as error:
        # Metrics are for people who look on: a mistake there must not end a night.
        log.warning("metrics are not sent (OTEL_METRICS_EXPORTER=%s): %s", ",".join(names), error)
        return None


def count(instrument: Instrument, number: float, **labels: str) -> None:
    """Add to a counter of this process, if it sends metrics."""
    meter = process_meter()
    if meter is not None and number:
        meter.count(instrument, number, **labels)


def flush_metrics() -> None:
    """Send what was counted, where anything was: before a process ends."""
    meter = process_meter() if made_meter.cache_info().currsize else None
    if meter is not None:
        meter.flush()


def exporter_names(environment: Mapping[str, str]) -> list[str]:
    """The exporters that OpenTelemetry's own variables ask for; none by default."""
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return []
    asked = environment.get("OTEL_METRICS_EXPORTER", "").strip()
    if not asked and any(environment.get(name) for name in _ENDPOINTS):
        asked = "otlp"
    names = [name.strip() for name in asked.split(",")]
    protocol = next((environment[name] for name in _PROTOCOLS if environment.get(name)), "grpc")
    otlp = _BY_PROTOCOL.get(protocol.strip(), protocol)
    return [otlp if name == "otlp" else name for name in names if name not in ("", "none")]


def find_exporter(name: str) -> EntryPoint | None:
    """Where an exporter is installed; None when there is none of that name."""
    return next(iter(entry_points(group="opentelemetry_metrics_exporter", name=name)), None)


def _reader(name: str) -> "MetricReader":
    from opentelemetry.sdk.metrics.export import MetricReader, PeriodicExportingMetricReader

    found = find_exporter(name)
    if found is None:
        raise ValueError(f"there is no exporter of the name {name}")
    made = found.load()()
    # An exporter for Prometheus reads by itself.
    return made if isinstance(made, MetricReader) else PeriodicExportingMetricReader(made)


def _names_service() -> bool:
    named = "service.name=" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    return named or bool(os.environ.get("OTEL_SERVICE_NAME"))
