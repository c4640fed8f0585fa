"""The progress of a crawl in the state store of its task, where Airflow's pages show it."""

import logging
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crawler.config.settings import Settings
    from crawler.pipeline.crawl.summary import CrawlSummary
    from crawler.pipeline.crawl.watch import View, Watch

SECONDS = 30.0
"""Between two writes: each is a request to Airflow's server."""

log = logging.getLogger(__name__)


class TaskProgress:
    """Writes where the crawl stands; an error of Airflow's store never disturbs the crawl."""

    def __init__(self, store: Any, settings: "Settings", site: str) -> None:
        self._store = store
        self._state = str(settings.state_path(site))
        self._view: View | None = None
        self._written = time.monotonic()

    def watch(self) -> "Watch":
        """The callbacks that the crawl reports to."""
        from crawler.pipeline.crawl.watch import Watch

        return Watch(on_start=self._start, on_tick=self._tick)

    def end(self, summary: "CrawlSummary") -> None:
        """Writes the counts of the slice that ended."""
        self._write(
            {
                "run_id": summary.run_id,
                "stop_reason": summary.stop_reason.value,
                "requests": summary.requests,
                "pages": summary.pages,
                "targets": summary.targets,
                "bytes": summary.bytes,
                "minutes": round(summary.minutes, 1),
                "state": self._state,
            }
        )

    def _start(self, view: "View") -> None:
        self._view = view

    def _tick(self) -> None:
        if self._view is None or time.monotonic() < self._written + SECONDS:
            return
        self._written = time.monotonic()
        crawl = self._view.crawl
        run = crawl.totals.since(crawl.budget.start)
        self._write(
            {
                "stop_reason": "",
                "requests": run.requests,
                "pages": run.pages,
                "targets": run.targets,
                "bytes": run.received,
                "minutes": round(crawl.budget.minutes, 1),
                "state": self._state,
            }
        )
        log.info("%d requests, %d pages, %d files", run.requests, run.pages, run.targets)

    def _write(self, progress: dict[str, Any]) -> None:
        if self._store is None:
            return
        try:
            self._store.set("progress", progress)
        except Exception as error:
            log.warning("the progress was not written: %s", type(error).__name__)
