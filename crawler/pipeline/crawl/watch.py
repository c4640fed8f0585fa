"""How a caller follows a crawl and ends it."""

from collections.abc import Callable
from dataclasses import dataclass

from crawler.engine.crawl import Crawl
from crawler.engine.events import Event
from crawler.state.crawl_state import CrawlState


@dataclass(frozen=True, slots=True)
class View:
    """What a display may look at while the crawl runs."""

    crawl: Crawl
    state: CrawlState


@dataclass(frozen=True, slots=True)
class Watch:
    """What to call while a crawl runs."""

    on_start: Callable[[View], None] = lambda _: None
    on_event: Callable[[Event], None] = lambda _: None
    on_tick: Callable[[], None] = lambda: None
    """Called at every step, and every second of waiting."""
    stop_requested: Callable[[], bool] = lambda: False
