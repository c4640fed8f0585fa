"""A crawl of a scripted site: the engine, a state file in memory and a clock that tests move."""

import json
from dataclasses import dataclass
from typing import Any

from crawler.config.site import SiteConfig
from crawler.engine.crawl import Crawl
from crawler.engine.events import Event, Skipped
from crawler.engine.night_planner import RevisitOrder
from crawler.state.crawl_state import IN_MEMORY, CrawlState
from crawler.state.records import LinkRow
from crawler.state.stop import StopReason
from crawler.state.totals import Totals
from crawler.strategies.interface import Strategy
from crawler.strategies.make import make_strategy
from crawler.web.messages import Request
from tests.engine.scripted_site import HOME, ScriptedSite, shown

AGENT = "tallyho"
FIRST_OF_JUNE = 1780315200.0


@dataclass(slots=True)
class Clock:
    """Both clocks of a crawl; they stand still until somebody moves them."""

    wall: float = FIRST_OF_JUNE
    monotonic: float = 0.0

    def move(self, seconds: float) -> None:
        """Let time pass."""
        self.wall += seconds
        self.monotonic += seconds


def site_config(**fields: Any) -> SiteConfig:
    """The scripted site, without early stopping unless a test wants it."""
    plain = {"start_url": f"{HOME}/", "name": "stat", "early_stopping": False, "strategy": "bfs"}
    return SiteConfig.model_validate(plain | fields)


class CrawlRun:
    """One run over a site; a second one on the same state goes on where the first ended."""

    def __init__(
        self,
        site: ScriptedSite,
        strategy: Strategy | None = None,
        *,
        config: SiteConfig | None = None,
        state: CrawlState | None = None,
        clock: Clock | None = None,
        revisit: RevisitOrder | None = None,
    ) -> None:
        config = config or site_config()
        self.site = site
        self.strategy = strategy or make_strategy(config.strategy, config.seed)
        self.state = state or CrawlState(IN_MEMORY)
        self.clock = clock or Clock()
        self.events: list[Event] = []
        self.crawl = Crawl(
            config,
            self.strategy,
            self.state,
            agent=AGENT,
            wall_clock=lambda: self.clock.wall,
            monotonic=lambda: self.clock.monotonic,
            revisit=revisit,
        )

    def step(self) -> Request | None:
        """One request and its answer; None when the crawl has stopped."""
        request = self.crawl.next_request()
        if request is not None:
            self.events += self.crawl.receive(self.site.reply(request, self.crawl.on_headers))
        self.state.commit(self.crawl.take_changes())
        return request

    def steps(self, count: int) -> None:
        """So many requests."""
        for _ in range(count):
            assert self.step() is not None

    def to_end(self) -> "CrawlRun":
        """All requests until the crawl stops."""
        while self.step() is not None:
            pass
        return self

    @property
    def stop_reason(self) -> StopReason:
        """Why it stopped."""
        assert self.crawl.stopped is not None
        return self.crawl.stopped.reason

    @property
    def totals(self) -> Totals:
        """The counts of the crawl."""
        return self.crawl.totals

    @property
    def skipped(self) -> dict[str, int]:
        """URLs by the reason they were skipped for."""
        return dict(self.crawl.totals.skipped)

    @property
    def skips(self) -> list[tuple[str, str]]:
        """URLs that were asked for in vain, with the reason, in their order."""
        found = [event for event in self.events if isinstance(event, Skipped)]
        return [(shown(event.url), event.reason.value) for event in found]

    @property
    def links(self) -> dict[str, LinkRow]:
        """Every known URL as the state has it, by path."""
        return {shown(row.url): row for row in self.state.links(0, 1 << 40)}

    @property
    def targets(self) -> list[str]:
        """What was kept, by path."""
        rows = self.state.rows("SELECT url FROM target JOIN link ON id = link ORDER BY link")
        return sorted(shown(url) for (url,) in rows)

    @property
    def progress(self) -> dict[str, Any]:
        """The small rest of the state."""
        return dict(json.loads(self.state.progress()))


def crawl_all(site: ScriptedSite, strategy: Strategy | None = None, /, **fields: Any) -> CrawlRun:
    """A whole crawl of a site, with these fields in its YAML."""
    return CrawlRun(site, strategy, config=site_config(**fields)).to_end()
