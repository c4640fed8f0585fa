"""Who sends metrics where: OpenTelemetry's own variables decide, and without them nobody does."""

import logging
import subprocess
import sys
import threading

import pytest
from opentelemetry.sdk.metrics.export import (
    InMemoryMetricReader,
    MetricExporter,
    MetricExportResult,
    PeriodicExportingMetricReader,
)

from crawler.metrics.instrument import Instrument, Kind
from crawler.metrics.meter import Meter, count, exporter_names, made_meter
from crawler.metrics.served import SERVED
from crawler.metrics.working import FRONTIER, PAGES, WORKING


@pytest.fixture
def fresh_process(monkeypatch):
    """As at the start of a process that nobody configured."""
    import os

    for name in [name for name in os.environ if name.startswith("OTEL_")]:
        monkeypatch.delenv(name)
    made_meter.cache_clear()
    yield monkeypatch
    made_meter.cache_clear()


@pytest.mark.parametrize(
    ("environment", "names"),
    [
        ({}, []),
        ({"OTEL_METRICS_EXPORTER": "none"}, []),
        ({"OTEL_METRICS_EXPORTER": ""}, []),
        ({"OTEL_METRICS_EXPORTER": "console"}, ["console"]),
        ({"OTEL_METRICS_EXPORTER": "otlp"}, ["otlp_proto_grpc"]),
        ({"OTEL_METRICS_EXPORTER": "otlp,console"}, ["otlp_proto_grpc", "console"]),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4317"}, ["otlp_proto_grpc"]),
        (
            {
                "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://collector:4318/v1/metrics",
                "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL": "http/protobuf",
                "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc",
            },
            ["otlp_proto_http"],
        ),
        (
            {"OTEL_METRICS_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://x:4317"},
            [],
        ),
        ({"OTEL_METRICS_EXPORTER": "otlp", "OTEL_SDK_DISABLED": "true"}, []),
    ],
)
def test_variables_of_opentelemetry_say_who_is_told(environment, names):
    assert exporter_names(environment) == names


def test_nothing_is_imported_where_nobody_wants_metrics():
    script = (
        "import sys\n"
        "from crawler.metrics.meter import count, flush_metrics\n"
        "from crawler.metrics.working import PAGES\n"
        "import crawler.pipeline.crawl.acquire\n"
        "count(PAGES, 1, site='demo')\n"
        "flush_metrics()\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, env={}
    )
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("wrong", ["postcard", "otlp"])
def test_wrong_exporter_is_a_warning_and_nothing_else(fresh_process, caplog, wrong):
    fresh_process.setenv("OTEL_METRICS_EXPORTER", wrong)
    fresh_process.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "pigeon")
    with caplog.at_level(logging.WARNING):
        count(PAGES, 1, site="demo")
        count(PAGES, 1, site="demo")
    (warning,) = caplog.messages
    assert "there is no exporter of the name" in warning


def test_gauges_are_asked_for_until_they_are_forgotten():
    reader = InMemoryMetricReader()
    meter = Meter([reader])
    meter.watch("crawl", lambda gauge: [(3.0, {"site": "demo"})] if gauge is FRONTIER else [])

    def sent() -> list[float]:
        data = reader.get_metrics_data()
        found = [] if data is None else data.resource_metrics[0].scope_metrics[0].metrics
        return [point.value for one in found for point in one.data.data_points]

    assert sent() == [3.0]
    meter.forget("crawl")
    assert sent() == []
    meter.close()


def test_end_does_not_wait_for_a_collector_that_holds_on(caplog):
    let_go = threading.Event()

    class Holding(MetricExporter):
        """Has taken the metrics, and does not come back."""

        def export(self, *_: object, **__: object) -> MetricExportResult:
            let_go.wait(60)
            return MetricExportResult.SUCCESS

        def force_flush(self, timeout_millis: float = 0) -> bool:
            return True

        def shutdown(self, *_: object, **__: object) -> None: ...

    meter = Meter([PeriodicExportingMetricReader(Holding(), export_interval_millis=1e9)])
    meter.count(PAGES, 1, site="demo")
    with caplog.at_level(logging.WARNING):
        meter.flush(0.01)
    assert not let_go.is_set()
    assert caplog.messages == ["metrics were not sent within 0.01 seconds"]
    let_go.set()
    meter.close()


@pytest.mark.parametrize(
    ("kind", "unit", "name"),
    [
        (Kind.COUNTER, "{request}", "tallyho_x_requests_total"),
        (Kind.COUNTER, "By", "tallyho_x_requests_bytes_total"),
        (Kind.GAUGE, "{url}", "tallyho_x_requests"),
        (Kind.GAUGE, "", "tallyho_x_requests"),
        (Kind.GAUGE, "s", "tallyho_x_requests_seconds"),
        (Kind.HISTOGRAM, "s", "tallyho_x_requests_seconds"),
    ],
)
def test_names_in_prometheus_follow_the_rules_of_opentelemetry(kind, unit, name):
    assert Instrument("tallyho.x.requests", kind, unit, "").prometheus_name == name


def test_every_metric_has_a_name_of_its_own():
    every = [*WORKING, *SERVED]
    series = [name for one in every for name in one.series]
    assert len(set(series)) == len(series)
    assert all(one.description.endswith(".") and one.name.startswith("tallyho.") for one in every)
    assert {one.name for one in every if one.buckets} == {
        one.name for one in every if one.kind is Kind.HISTOGRAM
    }
