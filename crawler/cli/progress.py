"""The progress of a crawl on standard error: a live display on a terminal, plain lines else."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self

from rich.console import Console, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from crawler.cli.output import (
    clean,
    count,
    duration,
    shortened,
    size_text,
    tell,
    write_at_once,
)
from crawler.cli.stop_signals import stop_signals
from crawler.cli.summary import by_format
from crawler.config.site import SiteConfig
from crawler.engine.events import Event, PageRead, Retrying, Skipped, TargetKept
from crawler.pages.robots import RobotsRules
from crawler.pages.urls import origin
from crawler.pipeline.crawl.fetching import agent_of
from crawler.pipeline.crawl.watch import View, Watch
from crawler.state.reports import ActionReport, top_actions

REFRESH_SECONDS = 0.25
ACTIONS_SECONDS = 1.0
LINE_SECONDS = 10.0
LINE_REQUESTS = 500
_SHARE_OF_TIME = 50
"""Looking up the actions takes at most one part in this many of the time."""


STOPPING = "stopping after this request; press Ctrl-C again to stop at once"


@contextmanager
def watched(site: SiteConfig) -> "Iterator[tuple[PlainLines, Watch]]":
    """Shows the progress of a run over a site; Ctrl-C asks it to stop."""
    with (
        progress_for(site) as progress,
        stop_signals(lambda: progress.say_at_once(STOPPING)) as stop_requested,
    ):
        yield progress, progress.watch(stop_requested)


def progress_for(site: SiteConfig) -> "PlainLines":
    """A live display when standard error is a terminal that can show one, else plain lines."""
    if not sys.stderr.isatty():
        return PlainLines(site)
    console = Console(stderr=True)
    return PlainLines(site) if console.is_dumb_terminal else LiveDisplay(site, console)


class PlainLines:
    """One line at the start, one every ten seconds or 500 requests, one at the end."""

    def __init__(self, site: SiteConfig, clock: Callable[[], float] = time.monotonic) -> None:
        self._site = site
        self._clock = clock
        self._view: View | None = None
        self._reported_at = 0.0
        self._reported_requests = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def watch(self, stop_requested: Callable[[], bool]) -> Watch:
        """What the crawl calls to report its progress."""
        return Watch(
            on_start=self._start,
            on_event=self._happened,
            on_tick=self._tick,
            stop_requested=stop_requested,
        )

    def say_at_once(self, text: str) -> None:
        """Say something from within a signal handler."""
        write_at_once(f"{text}\n")

    def end(self, sentence: str) -> None:
        """Say why the run ended."""
        tell(f"{self._site.name}: stopped: {sentence}")

    def _start(self, view: View) -> None:
        self._view = view
        self._reported_at, self._reported_requests = self._clock(), view.crawl.totals.requests
        site, budget = self._site, self._site.budget
        before = view.crawl.totals.requests
        verb = f"resuming after {count(before, 'request')}" if before else "crawling"
        limits = f"up to {count(budget.requests, 'request')}, {duration(budget.minutes * 60)}"
        tell(f"{site.name}: {verb}: {site.start_url} with strategy {site.strategy.name}, {limits}")

    def _happened(self, event: Event) -> None:
        pass

    def _tick(self) -> None:
        if self._view is None:
            return
        now, requests = self._clock(), self._view.crawl.totals.requests
        due = now - self._reported_at >= LINE_SECONDS
        if due or requests - self._reported_requests >= LINE_REQUESTS:
            self._reported_at, self._reported_requests = now, requests
            facts = dict(figures(self._view))
            tell(f"{self._site.name}: " + "; ".join(f"{k} {v}" for k, v in facts.items()))


class LiveDisplay(PlainLines):
    """The figures of a running crawl in one place, redrawn at most four times a second."""

    def __init__(
        self,
        site: SiteConfig,
        console: Console,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(site, clock)
        self._wait = HostWait(site, clock)
        self._actions: list[ActionReport] = []
        self._actions_due = 0.0
        self._drawn_at = 0.0
        self._last_event = ""
        self._notice = ""
        # No thread: it would read the crawl in the middle of a step.
        starting = Text(f"{site.name}: starting …")
        self._live = Live(starting, console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> Self:
        self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def say_at_once(self, text: str) -> None:
        """Say something from within a signal handler: over the last line of the display."""
        self._notice = text
        write_at_once(f"\r\x1b[2K{text}")

    def end(self, sentence: str) -> None:
        """Say why the run ended, unless the summary says it on the same terminal."""
        if not sys.stdout.isatty():
            super().end(sentence)

    def _start(self, view: View) -> None:
        self._view = view
        self._tick()

    def _happened(self, event: Event) -> None:
        self._wait.happened(event)
        self._last_event = event_text(event) or self._last_event

    def _tick(self) -> None:
        now = self._clock()
        if self._view is None or now - self._drawn_at < REFRESH_SECONDS:
            return
        if now >= self._actions_due:
            self._look_up(self._view)
        self._live.update(self._drawn(self._view), refresh=True)
        self._drawn_at = self._clock()

    def _look_up(self, view: View) -> None:
        start = self._clock()
        self._actions = top_actions(view.state, 3)
        self._wait.look_up(view)
        end = self._clock()
        self._actions_due = end + max(ACTIONS_SECONDS, _SHARE_OF_TIME * (end - start))

    def _drawn(self, view: View) -> RenderableType:
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="bold", no_wrap=True)
        grid.add_column(no_wrap=True, overflow="ellipsis")
        width = max(self._live.console.width - 36, 20)
        rows = [("site", f"{self._site.name} {self._site.start_url}"), *figures(view)]
        for action in self._actions:
            path = shortened(action.path, width)
            rows.append(("action", f"{action.mean:6.2f} targets a link  {path}"))
        rows += [("wait", self._wait.text()), ("last", self._last_event)]
        if self._notice:
            rows.append(("stop", self._notice))
        for label, value in rows:
            # Text, not str: a title such as "[red]" is no markup.
            grid.add_row(label, Text(clean(value)))
        return grid


class HostWait:
    """How long the next request waits for its host."""

    def __init__(self, site: SiteConfig, clock: Callable[[], float]) -> None:
        self._site = site
        self._clock = clock
        self._delay = site.politeness.delay
        self._until = 0.0
        self._why = ""

    def happened(self, event: Event) -> None:
        """A request that will be repeated waits; any other event ends that wait."""
        self._until = 0.0
        if isinstance(event, Retrying):
            self._until, self._why = self._clock() + event.wait, event.detail

    def look_up(self, view: View) -> None:
        """Learn the Crawl-delay of the start page's server, once robots.txt is there."""
        if not self._site.politeness.robots:
            return
        for row in view.state.robots():
            if row.origin == origin(self._site.start_url) and row.body:
                asked = RobotsRules.from_text(row.body, agent_of(self._site)).crawl_delay or 0.0
                self._delay = max(self._site.politeness.delay, asked)

    def text(self) -> str:
        """The wait in words."""
        left = self._until - self._clock()
        if left > 0:
            return f"{duration(left)} before the next try ({self._why})"
        return f"{duration(self._delay)} between two requests to a host"


def figures(view: View) -> Iterator[tuple[str, str]]:
    """The figures of this run so far, with what is left of its budget."""
    watch = view.crawl.budget
    budget, run = watch.budget, view.crawl.totals.since(watch.start)
    left = max(budget.requests - run.requests, 0)
    yield "requests", f"{run.requests:,} ({left:,} left)"
    yield "targets", by_format(run.targets, dict(run.groups.most_common()))
    # What this run gave. The average of early stopping starts at one, before anything was found.
    yield "yield", f"{run.targets / max(run.requests, 1):.3f} new targets a request"
    yield "pages", f"{run.pages:,}"
    limit = f" of {size_text(budget.bytes)}" if budget.bytes else ""
    yield "bytes", f"{size_text(run.received)}{limit}"
    used, rest = watch.minutes * 60, max(budget.minutes - watch.minutes, 0) * 60
    yield "time", f"{duration(used)} ({duration(rest)} left)"


def event_text(event: Event) -> str:
    """What happened, in one line; empty for what is not worth one."""
    match event:
        case TargetKept(file=file):
            return f"kept {file.download.group}, {size_text(file.download.size)}: {file.url}"
        case PageRead(url=url, new_links=new):
            return f"read, {count(new, 'new link')}: {url}"
        case Skipped(url=url, reason=reason):
            return f"skipped, {reason}: {url}"
        case Retrying(url=url, detail=detail):
            return f"to be repeated, {detail}: {url}"
        case _:
            return ""
