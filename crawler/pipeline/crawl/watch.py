"""How a caller follows a crawl and ends it."""

from collections.abc import Callable
from dataclasses import dataclass

from crawler.engine.crawl import Crawl
from crawler.engine.events import Event
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.state.crawl_state import CrawlState
from crawler.turns import Turns
from crawler.web.messages import Reply, Request
from crawler.web.pacer import Hosts


@dataclass(frozen=True, slots=True)
class View:
    """What a display may look at while the crawl runs."""

    crawl: Crawl
    state: CrawlState


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request, what came of it, and how long that took in seconds."""

    request: Request
    reply: Reply
    waited: float
    """To be polite, before it was sent."""
    took: float
    """From then on to the end of the answer."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What to call while a crawl runs."""

    on_start: Callable[[View], None] = lambda _: None
    on_exchange: Callable[[Exchange], None] = lambda _: None
    """Called when the step of a request is committed, before its events are told."""
    on_event: Callable[[Event], None] = lambda _: None
    on_end: Callable[[CrawlSummary], None] = lambda _: None
    """Called when a run or a slice of it has ended and is recorded."""
    on_tick: Callable[[], None] = lambda: None
    """Called at every step, and twice a second while it waits."""
    stop_requested: Callable[[], bool] = lambda: False
    hosts: Hosts | None = None
    """Shared by crawls that run at once, so that two of them never ask one host at once."""
    turns: Turns | None = None
    """Shared by crawls that run at once, so that one of them works while the others wait."""
