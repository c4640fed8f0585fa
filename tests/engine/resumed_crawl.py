"""A crawl whose process dies again and again, beside one that lives to the end."""

import random
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Any, Protocol

from crawler.config.site import SiteConfig
from crawler.engine.crawl import Crawl
from crawler.lab.replay import answer_request
from crawler.lab.sites.site import SyntheticSite
from crawler.lab.sites.variants.variant import Variant
from crawler.state.crawl_state import CrawlState
from crawler.state.stop import StopReason
from crawler.strategies.make import make_strategy
from crawler.web.messages import Decision, Head, Reply, Request
from tests.engine.crawl_run import AGENT, FIRST_OF_JUNE

Tables = dict[str, list[tuple[Any, ...]]]


class Death(Enum):
    """When in a step the process dies."""

    BEFORE_SENDING = auto()
    """The next request is chosen, nothing is sent."""
    IN_FLIGHT = auto()
    """The server has the request, nobody reads the answer."""
    UNCOMMITTED = auto()
    """The answer was taken in, its changes are lost."""
    COMMITTED = auto()
    """The step is in the file."""


Deaths = Callable[[int], list[Death]]
"""How the process dies in the step with this number: not at all, once, or several times."""


class Site(Protocol):
    """What answers, and remembers what it was asked."""

    requests: list[Request]

    def reply(self, request: Request, decide: Callable[[Head, bytes], Decision]) -> Reply: ...

    def forget_after(self, requests: int) -> None: ...


class LoggedDemo:
    """The demo site, or another made one, with a log."""

    def __init__(self, site: SyntheticSite | Variant) -> None:
        self.requests: list[Request] = []
        self._site = site

    def reply(self, request: Request, decide: Callable[[Head, bytes], Decision]) -> Reply:
        self.requests.append(request)
        return answer_request(request, self._site.respond, decide)

    def forget_after(self, requests: int) -> None:
        del self.requests[requests:]


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that a crawl did and left behind."""

    requests: list[Request]
    tables: Tables
    stop_reason: StopReason
    deaths: int


def never(step: int) -> list[Death]:
    """The process lives."""
    return []


def at_random(seed: int, share: float) -> Deaths:
    """It dies in this share of the steps, sometimes twice in one."""
    rng = random.Random(seed)

    def deaths(step: int) -> list[Death]:
        if rng.random() >= share:
            return []
        return rng.choices(list(Death), k=1 if rng.random() < 0.8 else 2)

    return deaths


def crawl_with(
    deaths: Deaths, config: SiteConfig, site: Site, path: Path, *, steps_per_commit: int = 1
) -> Outcome:
    """A whole crawl over as many processes as it takes.

    Requests whose step was lost are taken out of the log, after it was seen that the next process
    begins with the same ones.
    """
    lives = _Lives(config, site, path, steps_per_commit)
    step = 0
    while lives.step(deaths(step)):
        step += 1
    return lives.outcome()


def assert_resumed_exactly(
    config: SiteConfig, sites: tuple[Site, Site], folder: Path, share: float
) -> Outcome:
    """A crawl that dies in a share of its steps decides as one that lives; the one that lived."""
    whole = crawl_with(never, config, sites[0], folder / "whole.db")
    died = crawl_with(at_random(seed=4, share=share), config, sites[1], folder / "died.db")
    assert died.requests == whole.requests
    assert died.tables == whole.tables
    assert died.deaths > 5
    return whole


class _Lives:
    """One process after the other on the same file."""

    def __init__(self, config: SiteConfig, site: Site, path: Path, steps_per_commit: int) -> None:
        self._config, self._site, self._path = config, site, path
        self._steps_per_commit = steps_per_commit
        self._deaths = 0
        self._lost: list[Request] = []
        self._begin()

    def _begin(self) -> None:
        self._state = CrawlState(self._path, steps_per_commit=self._steps_per_commit)
        self._crawl = Crawl(
            self._config,
            make_strategy(self._config.strategy, self._config.seed),
            self._state,
            agent=AGENT,
            wall_clock=lambda: FIRST_OF_JUNE,
            monotonic=lambda: 0.0,
        )

    def _die(self) -> None:
        """Without a commit, as SIGKILL does; the file keeps the steps that were committed."""
        self._deaths += 1
        self._state._db.close()
        self._begin()
        kept = next(self._state.rows("SELECT count(*) FROM step"))[0]
        self._lost = self._site.requests[kept:] + self._lost
        self._site.forget_after(kept)

    def step(self, deaths: list[Death]) -> bool:
        """A step that is tried again after each death; False when the crawl has stopped."""
        for death in deaths:
            if not self._attempt(death):
                return False
            self._die()
        return self._attempt(None)

    def _attempt(self, death: Death | None) -> bool:
        request = self._crawl.next_request()
        if death is Death.BEFORE_SENDING:
            return True
        if request is None and death not in (None, Death.COMMITTED):
            return True
        if request is not None:
            if self._lost:
                assert request == self._lost.pop(0)
            reply = self._site.reply(request, self._crawl.on_headers)
            if death is Death.IN_FLIGHT:
                return True
            self._crawl.receive(reply)
            if death is Death.UNCOMMITTED:
                return True
        self._state.commit(self._crawl.take_changes())
        return request is not None

    def outcome(self) -> Outcome:
        assert self._crawl.stopped is not None
        assert self._lost == []
        self._state.close()
        return Outcome(
            list(self._site.requests),
            tables_of(self._path),
            self._crawl.stopped.reason,
            self._deaths,
        )


def tables_of(path: Path) -> Tables:
    """Every row of every table, bit for bit."""
    with closing(CrawlState(path)) as state:
        names = [
            row[0] for row in state.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return {name: sorted(state.rows(f"SELECT * FROM {name}")) for name in names}
