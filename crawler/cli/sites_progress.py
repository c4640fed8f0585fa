"""The progress of many crawls at once on standard error: one line for all of them."""

import threading
import time
from collections.abc import Callable

from crawler.cli.output import count, tell
from crawler.cli.progress import LINE_SECONDS
from crawler.config.site import SiteConfig
from crawler.pipeline.crawl.watch import View, Watch
from crawler.pipeline.night.night import Night
from crawler.turns import Turns
from crawler.web.pacer import Hosts


class SitesProgress:
    """Adds up the crawls that it watches, and prints a line every ten seconds."""

    def __init__(
        self,
        sites: int,
        stop_requested: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sites = sites
        self._stop_requested = stop_requested
        self._clock = clock
        self._lock = threading.Lock()
        self._views: dict[str, View] = {}
        self._ended = 0
        self._printed_at = clock()
        self._hosts = Hosts()
        self._turns = Turns()

    def watch(self, site: SiteConfig, _night: Night) -> Watch:
        """What the crawl of a site calls."""

        def start(view: View) -> None:
            with self._lock:
                self._views[site.name] = view

        return Watch(
            on_start=start,
            on_tick=self._tick,
            stop_requested=self._stop_requested,
            hosts=self._hosts,
            turns=self._turns,
        )

    def end(self, _site: str) -> None:
        """A site's night is over."""
        with self._lock:
            self._ended += 1

    def _tick(self) -> None:
        with self._lock:
            if self._clock() < self._printed_at + LINE_SECONDS:
                return
            self._printed_at = self._clock()
            line = self._line()
        tell(line)

    def _line(self) -> str:
        crawls = [view.crawl for view in self._views.values()]
        runs = [crawl.totals.since(crawl.budget.start) for crawl in crawls]
        requests = sum(run.requests for run in runs)
        files = sum(run.targets for run in runs)
        over = f"{self._ended:,} of {count(self._sites, 'site')} over"
        return f"{over}; {count(requests, 'request')}; {count(files, 'file')}"
