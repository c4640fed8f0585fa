"""One line on a terminal that tells how far a crawl is, written anew all the time."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from crawler.config.settings import Settings
from crawler.pipeline.report.status import SiteState, site_status

_CLEAR = "\r\x1b[K"


@contextmanager
def live_line(settings: Settings, site: str) -> Iterator[Callable[[], None]]:
    """Gives what shows the line as it is now; at the end the line is gone."""
    if not sys.stdout.isatty():
        yield lambda: None
        return
    crawled = False

    def show() -> None:
        nonlocal crawled
        found = site_status(settings, site, actions=0)
        running = found.state is SiteState.RUNNING
        crawled = crawled or running
        text = "Airflow starts ..."
        if running:
            text = f"crawl: {found.requests:,} requests, {found.targets:,} files"
        elif crawled:
            text = "validate and publish ..."
        print(f"{_CLEAR}{text}", end="", flush=True)

    try:
        yield show
    finally:
        print(_CLEAR, end="", flush=True)
