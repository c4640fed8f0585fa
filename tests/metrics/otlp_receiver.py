"""A collector on loopback that keeps what it is sent over OTLP and HTTP."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)

Values = dict[tuple[str, ...], float]


class _Collect(BaseHTTPRequestHandler):
    server: "Collector"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.requests.append(ExportMetricsServiceRequest.FromString(body))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


class Collector(HTTPServer):
    """Takes every POST."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Collect)
        self.requests: list[ExportMetricsServiceRequest] = []

    @property
    def environment(self) -> dict[str, str]:
        """What OpenTelemetry needs to know of it."""
        return {
            "OTEL_METRICS_EXPORTER": "otlp",
            "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
            "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{self.server_address[1]}",
        }

    def sums(self, name: str, *labels: str) -> Values:
        """The last values of a counter of every process, added up by these labels."""
        latest: dict[tuple[str, tuple[tuple[str, str], ...]], float] = {}
        for process, metric in self._metrics():
            if metric.name == name:
                for point in metric.sum.data_points:
                    given = {pair.key: pair.value.string_value for pair in point.attributes}
                    latest[process, tuple(sorted(given.items()))] = point.as_int or point.as_double
        sums: Values = {}
        for (_, pairs), value in latest.items():
            key = tuple(dict(pairs)[label] for label in labels)
            sums[key] = sums.get(key, 0) + value
        return sums

    def names(self) -> set[str]:
        """Of all metrics that came."""
        return {metric.name for _, metric in self._metrics()}

    def services(self) -> set[str]:
        """Who sent them."""
        return {
            pair.value.string_value
            for request in self.requests
            for resource in request.resource_metrics
            for pair in resource.resource.attributes
            if pair.key == "service.name"
        }

    def _metrics(self) -> Iterator[tuple[str, object]]:
        for request in self.requests:
            for resource in request.resource_metrics:
                given = {p.key: p.value.string_value for p in resource.resource.attributes}
                for scope in resource.scope_metrics:
                    for metric in scope.metrics:
                        yield given.get("service.instance.id", ""), metric


@contextmanager
def collecting() -> Iterator[Collector]:
    """The collector, as long as the `with` lasts."""
    collector = Collector()
    thread = threading.Thread(target=collector.serve_forever, daemon=True)
    thread.start()
    try:
        yield collector
    finally:
        collector.shutdown()
        collector.server_close()
        thread.join()
