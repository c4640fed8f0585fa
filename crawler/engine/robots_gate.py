"""robots.txt by RFC 9309, as part of the state machine: asked for once a day and origin."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urljoin

from crawler.engine.answers import redirect_target
from crawler.engine.retries import RetryPolicy
from crawler.pages.robots import ALLOW_ALL, FORBID_ALL, RobotsRules
from crawler.pages.urls import authority_of, origin
from crawler.state.records import RobotsRow
from crawler.web.messages import Reply

MAX_HOPS = 5
MAX_ORIGINS = 10_000
MAX_SITEMAPS = 50
CACHED_SECONDS = 24 * 3600.0
CLOCKS_DIFFER_BY = 600.0


class Access(StrEnum):
    """What robots.txt of an origin came to."""

    RULES = "rules"
    """It was read, and its rules hold."""
    NO_RULES = "no_rules"
    """There is none (4xx): everything may be fetched."""
    UNAVAILABLE = "unavailable"
    """429, 5xx or no answer: nothing may be fetched."""


@dataclass(slots=True)
class RobotsTask:
    """A robots.txt in work."""

    origin: str
    url: str
    hops: int = 0
    attempts: int = 0
    wait: float = 0.0

    def save(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Known:
    rules: RobotsRules
    access: Access
    since: float

    def is_fresh(self, now: float) -> bool:
        """Whether it still holds; what is dated ahead of the clock was read under a wrong one."""
        return -CLOCKS_DIFFER_BY <= now - self.since < CACHED_SECONDS


class RobotsGate:
    """Knows what may be fetched where, and what to ask first."""

    def __init__(
        self,
        *,
        obey: bool,
        agent: str,
        retries: RetryPolicy,
        wall_clock: Callable[[], float],
        in_scope: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """`in_scope` says of a URL whether it belongs to the site."""
        self._in_scope = in_scope
        self._obey = obey
        self._agent = agent
        self._retries = retries
        self._now = wall_clock
        self._known: dict[str, _Known] = {}
        self._origins: dict[str, str] = {}
        self._new: list[RobotsRow] = []
        self.task: RobotsTask | None = None

    def known(self, url: str) -> bool:
        """Whether the rules for this URL are known and fresh."""
        if not self._obey:
            return True
        known = self._known_for(url)
        return known is not None and known.is_fresh(self._now())

    def ask(self, url: str) -> None:
        """Make robots.txt of this URL's origin the next thing to fetch."""
        where = origin(url)
        self.task = RobotsTask(where, urljoin(where + "/", "/robots.txt"))

    def allows(self, url: str) -> bool:
        """Whether a URL may be fetched by the rules known so far."""
        known = self._known_for(url) if self._obey else None
        return known is None or known.rules.allows(url)

    def unavailable(self, url: str) -> bool:
        """Whether it is forbidden only because robots.txt gave no answer."""
        known = self._known_for(url)
        return known is not None and known.access is Access.UNAVAILABLE

    def sitemaps(self, url: str) -> list[str]:
        """The sitemaps that robots.txt of this URL's origin names, a bounded number."""
        known = self._known_for(url)
        return known.rules.sitemaps[:MAX_SITEMAPS] if known else []

    def crawl_delay(self, url: str) -> float:
        """The Crawl-delay of this URL's origin; 0 when there is none."""
        known = self._known_for(url)
        return (known.rules.crawl_delay or 0.0) if known else 0.0

    def _known_for(self, url: str) -> _Known | None:
        # All URLs of a site begin alike, so the text before the path stands for the origin.
        start = url[: url.find("/", len("https://"))]
        where = self._origins.get(start)
        if where is None:
            where = origin(url)
            if len(self._origins) < MAX_ORIGINS:
                self._origins[start] = where
        return self._known.get(where)

    def receive(self, reply: Reply) -> None:
        """Take in the answer to the robots.txt that was asked for."""
        task = self.task
        if task is None:
            raise RuntimeError("no robots.txt was asked for")
        task.attempts += 1
        wait = self._retries.wait(reply, task.attempts, self._now())
        if wait is not None:
            task.wait = wait
            return
        status = reply.head.status if reply.head else 0
        if reply.failure is None and 300 <= status <= 399:
            self._redirected(task, reply)
        elif reply.failure is None and 200 <= status <= 299:
            self._settle(task.origin, Access.RULES, reply.body)
        elif reply.failure is None and 400 <= status <= 499 and status != 429:
            self._settle(task.origin, Access.NO_RULES)
        else:
            self._settle(task.origin, Access.UNAVAILABLE)

    def _redirected(self, task: RobotsTask, reply: Reply) -> None:
        target = redirect_target(task.url, reply)
        if target is None or task.hops >= MAX_HOPS:
            # RFC 9309, 2.3.1.2: after five hops it may be taken as unavailable, that is, no rules.
            self._settle(task.origin, Access.NO_RULES)
        elif not self._may_ask(task, target):
            self._settle(task.origin, Access.UNAVAILABLE)
        else:
            self.task = RobotsTask(task.origin, target, task.hops + 1)

    def _may_ask(self, task: RobotsTask, target: str) -> bool:
        """Other hosts may keep a robots.txt (RFC 9309), but not at a port of some other service."""
        authority = authority_of(target)
        if authority is None:
            return False
        same = origin(target) == task.origin
        return same or authority.default_port or self._in_scope(target)

    def _settle(self, where: str, access: Access, body: bytes = b"") -> None:
        row = RobotsRow(where, self._now(), access.value, body)
        self._learn(row)
        self._new.append(row)
        self.task = None

    def _learn(self, row: RobotsRow) -> None:
        access = Access(row.verdict)
        match access:
            case Access.RULES:
                rules = RobotsRules.from_text(row.body, self._agent)
            case Access.NO_RULES:
                rules = ALLOW_ALL
            case Access.UNAVAILABLE:
                rules = FORBID_ALL
        self._known[row.origin] = _Known(rules, access, row.fetched_at)

    def forget_unavailable(self) -> None:
        """A new run asks again where the last one got no answer."""
        self._known = {
            where: known
            for where, known in self._known.items()
            if known.access is not Access.UNAVAILABLE
        }

    def take_new(self) -> list[RobotsRow]:
        """What was learned since the last call."""
        new, self._new = self._new, []
        return new

    def load(self, rows: Iterable[RobotsRow], task: dict[str, Any] | None) -> None:
        """Bring everything back."""
        for row in rows:
            self._learn(row)
        self.task = RobotsTask(**task) if task else None
