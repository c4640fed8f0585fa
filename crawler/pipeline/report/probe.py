"""One polite look at a site: what robots.txt says, what the start page shows, what a crawl costs.

At most one robots.txt per server on the way, the start page and its redirects are requested;
nothing is repeated, nothing is stored.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from urllib.parse import urljoin

from crawler.config.site import SiteConfig
from crawler.engine.rules import rules_of
from crawler.errors import SiteUnavailable
from crawler.pages.html import Page, PageReader
from crawler.pages.mime import UrlClass
from crawler.pages.robots import ALLOW_ALL, FORBID_ALL, RobotsRules
from crawler.pages.scope import Place
from crawler.pages.urls import canonical, host_of, origin, resolve
from crawler.pipeline.crawl.fetching import agent_of, fetcher_for
from crawler.web.fetcher import Fetcher, FileSpool
from crawler.web.messages import Decision, Head, Reply, Request
from crawler.web.pacer import Pacer

MAX_REDIRECTS = 5
_FEW_LINKS = 5
_LITTLE_TEXT = 400


_Decide = Callable[[Head, bytes], Decision]


class RobotsOutcome(StrEnum):
    """The result of requesting robots.txt (RFC 9309, section 2.3.1)."""

    RULES = "rules"
    NO_RULES = "no_rules"
    """The server says that there is none."""
    UNAVAILABLE = "unavailable"
    """No answer or a server error: nothing may be fetched."""
    UNASKED = "unasked"
    """It was not requested."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What one look at a site showed."""

    site: str
    start_url: str
    requests: int
    delay: float
    """Seconds between two requests: the site file's, or a longer Crawl-delay."""
    budget_requests: int
    refusal: str = ""
    """Why the site cannot be crawled; empty when it can."""
    robots: RobotsOutcome = RobotsOutcome.UNASKED
    robots_obeyed: bool = True
    start_allowed: bool = True
    crawl_delay: float | None = None
    sitemaps: tuple[str, ...] = ()
    redirects: tuple[str, ...] = ()
    status: int | None = None
    content_type: str = ""
    failure: str = ""
    is_page: bool = False
    """Whether the start URL gave HTML; without it a crawl has nothing to follow."""
    title: str = ""
    links: int = 0
    forbidden_links: int = 0
    """Links of the site that robots.txt forbids."""
    data_links: dict[str, int] = field(default_factory=dict)
    """Links to data files that a crawl would fetch, by group, judged by their extension."""
    off_site_data: dict[str, int] = field(default_factory=dict)
    """Links to data files that lead off the site, by host; `scope.file_hosts` lets them in."""
    feeds: tuple[str, ...] = ()
    empty_without_javascript: bool = False

    @property
    def least_seconds(self) -> float:
        """The shortest time that the budget can take, by the delay alone."""
        return self.budget_requests * self.delay

    def as_dict(self) -> dict[str, object]:
        """For `--json`."""
        return {**asdict(self), "least_seconds": self.least_seconds}


def probe_site(site: SiteConfig, pacer: Pacer | None = None) -> Probe:
    """Looks at a site once; what it refuses is in the result's `refusal`."""
    look = _Look(site, fetcher_for(site, pacer or Pacer()))
    try:
        look.take()
    except SiteUnavailable as refused:
        look.refusal = refused.message
    finally:
        look.fetcher.close()
    return look.result()


class _Look:
    """The steps of one look, and what they have shown so far."""

    def __init__(self, site: SiteConfig, fetcher: Fetcher) -> None:
        self.site = site
        self.fetcher = fetcher
        self.refusal = ""
        self._agent = agent_of(site)
        rules = rules_of(site, self._agent, time.time)
        self._scope, self._mime = rules.scope, rules.mime
        self._rules: dict[str, RobotsRules] = {}
        self._outcome = RobotsOutcome.UNASKED
        self._no_robots = ""
        self._requests = 0
        self._redirects: list[str] = []
        self._status: int | None = None
        self._content_type = ""
        self._failure = ""
        self._start_allowed = True
        self._url = site.start_url
        self._page: Page | None = None
        self._body = b""

    def take(self) -> None:
        """Requests robots.txt and the start page; SiteUnavailable if it cannot be crawled."""
        seen = {canonical(self._url)}
        while True:
            self._ask_robots(self._url)
            reply = self._fetch(self._url, self._page_decision)
            self._status = reply.head.status if reply.head else None
            if reply.failure is not None or reply.head is None:
                self._failure = str(reply.failure or "")
                raise SiteUnavailable(f"{self._url} gives no answer: {reply.detail}")
            if not 300 <= reply.head.status < 400:
                break
            self._url = self._next_hop(reply.head)
            if canonical(self._url) in seen:
                raise SiteUnavailable(f"the start page redirects in a circle: {self._url}")
            seen.add(canonical(self._url))
        if not 200 <= reply.head.status < 300:
            raise SiteUnavailable(f"{self._url} answers with status {reply.head.status}")
        self._content_type = reply.head.content_type
        if reply.decision is not Decision.READ:
            return
        self._body = reply.body
        self._page = PageReader().read(reply.body, self._url, reply.head.content_type)

    def _next_hop(self, head: Head) -> str:
        target = resolve(head.url, head.headers.get("location", ""))
        if target is None or "location" not in head.headers:
            raise SiteUnavailable("the start page redirects to nowhere")
        self._redirects.append(target)
        if len(self._redirects) > MAX_REDIRECTS:
            raise SiteUnavailable(f"the start page redirects more than {MAX_REDIRECTS} times")
        if self._scope.place(target) is not Place.SITE:
            raise SiteUnavailable(
                f"the start page redirects to {target}, which is not part of the site; "
                "change start_url, or add the host to scope.hosts"
            )
        return target

    def _ask_robots(self, url: str) -> None:
        """Reads the rules of every server on the way before anything else is requested."""
        server = origin(url)
        if server not in self._rules:
            self._rules[server], self._outcome = self._read_robots(urljoin(url, "/robots.txt"))
        self._start_allowed = self._rules[server].allows(url)
        if self._start_allowed or not self.site.politeness.robots:
            return
        if self._outcome is RobotsOutcome.UNAVAILABLE:
            raise SiteUnavailable(
                f"robots.txt of {server} gives no usable answer ({self._no_robots}), "
                "so nothing may be fetched"
            )
        raise SiteUnavailable(f"robots.txt forbids {url}")

    def _read_robots(self, url: str) -> tuple[RobotsRules, RobotsOutcome]:
        for _ in range(MAX_REDIRECTS + 1):
            reply = self._fetch(url, _read_all)
            head = reply.head
            if reply.failure is not None or head is None:
                self._failure, self._no_robots = str(reply.failure or ""), reply.detail
                return FORBID_ALL, RobotsOutcome.UNAVAILABLE
            if head.status == 429 or head.status >= 500:
                self._no_robots = f"status {head.status}"
                return FORBID_ALL, RobotsOutcome.UNAVAILABLE
            if 200 <= head.status < 300:
                return RobotsRules.from_text(reply.body, self._agent), RobotsOutcome.RULES
            target = resolve(url, head.headers.get("location", ""))
            if not 300 <= head.status < 400 or target is None:
                break
            url = target
        return ALLOW_ALL, RobotsOutcome.NO_RULES

    def _fetch(self, url: str, decide: _Decide) -> Reply:
        self._requests += 1
        return self.fetcher.fetch(Request(url, delay=self._delay), decide, _no_spool)

    def _page_decision(self, head: Head, first: bytes) -> Decision:
        disposition = head.headers.get("content-disposition", "")
        classified = self._mime.classify(head.url, head.content_type, disposition, first)
        return Decision.READ if classified.url_class is UrlClass.HTML else Decision.DROP

    @property
    def _delay(self) -> float:
        asked = [rules.crawl_delay or 0.0 for rules in self._rules.values()]
        obeyed = asked if self.site.politeness.robots else []
        return max([self.site.politeness.delay, *obeyed])

    def result(self) -> Probe:
        """What was seen."""
        rules = self._rules.get(origin(self._url), ALLOW_ALL)
        links = [link.url for link in self._page.links] if self._page else []
        on_site = [url for url in links if self._scope.place(url) is Place.SITE]
        data, elsewhere = self._data_links(links)
        return Probe(
            site=self.site.name,
            start_url=self.site.start_url,
            requests=self._requests,
            delay=self._delay,
            budget_requests=self.site.budget.requests,
            refusal=self.refusal,
            robots=self._outcome,
            robots_obeyed=self.site.politeness.robots,
            start_allowed=self._start_allowed,
            crawl_delay=rules.crawl_delay,
            sitemaps=tuple(rules.sitemaps),
            redirects=tuple(self._redirects),
            status=self._status,
            content_type=self._content_type,
            failure=self._failure,
            is_page=self._page is not None,
            title=self._page.title if self._page else "",
            links=len(links),
            forbidden_links=sum(not rules.allows(url) for url in on_site),
            data_links=data,
            off_site_data=elsewhere,
            feeds=tuple(self._page.feeds) if self._page else (),
            empty_without_javascript=self._is_empty_without_javascript(),
        )

    def _data_links(self, links: list[str]) -> tuple[dict[str, int], dict[str, int]]:
        fetched: Counter[str] = Counter()
        elsewhere: Counter[str] = Counter()
        for url in links:
            group = self._mime.data_extension(url)
            place = self._scope.place(url)
            if group is None or place is Place.EXCLUDED:
                continue
            if place is Place.OUTSIDE:
                elsewhere[host_of(url)] += 1
            else:
                fetched[group] += 1
        return dict(fetched.most_common()), dict(elsewhere.most_common())

    def _is_empty_without_javascript(self) -> bool:
        return (
            self._page is not None
            and len(self._page.links) < _FEW_LINKS
            and self._page.text_length < _LITTLE_TEXT
            and b"<script" in self._body.lower()
        )


def _read_all(_head: Head, _first: bytes) -> Decision:
    return Decision.READ


def _no_spool() -> FileSpool:
    raise AssertionError("a probe keeps no file")
