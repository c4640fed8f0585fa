"""One line on a terminal that shows the progress of a crawl and is updated in place."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from crawler.config.settings import Settings
from crawler.pipeline.report.site_view import SiteState
from crawler.pipeline.report.status import site_status

_CLEAR = "\r\x1b[K"


@contextmanager
def live_line(settings: Settings, site: str) -> Iterator[Callable[[], None]]:
    """A function that updates the line; the line is cleared at the end."""
    if not sys.stdout.isatty():
        yield lambda: None
        return
    crawled = False

    def show() -> None:
        nonlocal crawled
        status = site_status(settings, site, actions=0)
        running = status.state is SiteState.RUNNING
        crawled = crawled or running
        text = "Airflow starts ..."
        if running:
            text = f"crawl: {status.requests:,} requests, {status.targets:,} files"
        elif crawled:
            text = "validate and publish ..."
        print(f"{_CLEAR}{text}", end="", flush=True)

    try:
        yield show
    finally:
        print(_CLEAR, end="", flush=True)
