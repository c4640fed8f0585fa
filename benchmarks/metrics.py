"""What metrics cost: the same crawl with them, with them off, and without the code that counts.

    python -m benchmarks.metrics [--pages 150] [--pairs 9]

On: counted and sent over OTLP and HTTP every second (by default it is a minute) to a receiver in
another process. Off: as installed, where no variable of OpenTelemetry is set. Without: the crawl
does not even say what it did, which the product cannot be told; the parts are replaced here.

Runs take turns, each in a process of its own, with the library imported before. What counts is the
processor time of a run; the ratio is the median over the pairs.
"""

import argparse
import os
import statistics
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from benchmarks.safety import NAME, crawl, pairs_of, served
from crawler.config.site import SiteConfig
from crawler.metrics.meter import made_meter, process_meter
from crawler.pipeline.crawl import acquire as acquiring
from crawler.pipeline.crawl import crawl_loop


class _Receive(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


@contextmanager
def receiver() -> Iterator[int]:
    """The port of a server that takes metrics, in a process of its own."""
    server = HTTPServer(("127.0.0.1", 0), _Receive)
    child = os.fork()
    if child == 0:
        threading.Thread(target=server.serve_forever).start()
        threading.Event().wait()
    try:
        yield int(server.server_address[1])
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)


def without_counting() -> None:
    """The crawl tells nobody of its requests."""
    crawl_loop.Exchange = lambda *_: None  # type: ignore[assignment,misc]
    acquiring.metered = lambda watch, *_: nullcontext(watch)  # type: ignore[assignment]


def switched_on(port: int) -> Callable[[], None]:
    """Metrics go to this port, as the variables of OpenTelemetry say."""

    def switch_on() -> None:
        os.environ["OTEL_METRICS_EXPORTER"] = "otlp"
        os.environ["OTEL_EXPORTER_OTLP_PROTOCOL"] = "http/protobuf"
        os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] = f"http://127.0.0.1:{port}"
        os.environ["OTEL_METRIC_EXPORT_INTERVAL"] = "1000"
        made_meter.cache_clear()

    return switch_on


def print_row(name: str, ratios: list[float]) -> None:
    """The median, and how far the pairs are apart."""
    ratios = sorted(ratios)
    median = f"{statistics.median(ratios):.3f}"
    sys.stdout.write(f"| {name} | {median} | {ratios[0]:.3f} to {ratios[-1]:.3f} |\n")
    sys.stdout.flush()


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=150)
    parser.add_argument("--pairs", type=int, default=9)
    options = parser.parse_args()
    # Imported before anything is measured: it is paid once by a process, and not by a request.
    import opentelemetry.exporter.otlp.proto.http.metric_exporter
    import opentelemetry.sdk.metrics  # noqa: F401

    sys.stdout.write("| crawl | processor time | lowest and highest pair |\n|---|---:|---:|\n")
    with (
        served(options.pages) as base,
        receiver() as port,
        tempfile.TemporaryDirectory() as folder,
    ):
        site = SiteConfig.model_validate(
            {
                "start_url": f"{base}/",
                "name": NAME,
                "allow_private_hosts": True,
                "politeness": {"delay": 0, "contact": "me@example.org"},
            }
        )

        def work() -> None:
            crawl(site, Path(folder) / "home")
            meter = process_meter()
            if meter is not None:
                meter.close()

        work()
        on = pairs_of(work, switched_on(port), options.pairs)
        print_row("on, to off", [with_it.processor / off.processor for off, with_it in on])
        bare = pairs_of(work, without_counting, options.pairs)
        print_row("off, to no counting", [off.processor / none.processor for off, none in bare])
    return 0


if __name__ == "__main__":
    sys.exit(main())
