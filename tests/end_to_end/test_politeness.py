"""Politeness as the server sees it: from the arrivals in its access log."""

import math
import time
from collections import Counter
from dataclasses import dataclass
from email.utils import formatdate, parsedate_to_datetime
from itertools import pairwise
from pathlib import Path

import pytest

from crawler.lab.server import Site, running_site
from crawler.lab.sites.answer import Answer
from crawler.lab.sites.demo import demo_site
from crawler.pages.robots import RobotsRules
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.state.stop import StopReason
from tests.end_to_end.desk import Desk
from tests.end_to_end.made_site import (
    Arrival,
    Impatient,
    MadeSite,
    arrivals,
    busy,
    closest,
    file,
    page,
    robots,
)

pytestmark = pytest.mark.slow

DELAY = 0.05
CONTACT = "mailto:crawling@example.org"
DEMO = demo_site(pages=60)


@dataclass(frozen=True, slots=True)
class Crawled:
    base: str
    seen: list[Arrival]
    summary: CrawlSummary


def crawl(folder: Path, site: Site, **values: object) -> Crawled:
    """One crawl to its end, with the server's access log."""
    log, desk = folder / "access.jsonl", Desk(folder)
    with running_site(site, log) as base:
        desk.describe(base, **values)
        summary = desk.acquire()
    return Crawled(base, arrivals(log), summary)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    """The whole demo site, crawled with a delay, by the strategy that asks with HEAD too."""
    politeness = {"delay": DELAY, "contact": CONTACT}
    return crawl(tmp_path_factory.mktemp("demo"), DEMO, politeness=politeness, strategy="sb")


def test_whole_crawl_keeps_the_delay_between_any_two_requests(demo: Crawled) -> None:
    assert demo.summary.stop_reason is StopReason.FRONTIER_EMPTY
    assert demo.summary.targets == len(list(DEMO.target_paths()))
    assert {seen.method for seen in demo.seen} == {"GET", "HEAD"}
    assert closest(demo.seen) >= DELAY


def test_summary_counts_what_the_server_saw(demo: Crawled) -> None:
    methods = Counter(seen.method for seen in demo.seen)
    assert demo.summary.requests == len(demo.seen)
    assert demo.summary.heads == methods["HEAD"]


def test_no_url_is_asked_for_twice(demo: Crawled) -> None:
    asked = Counter((seen.method, seen.path) for seen in demo.seen)
    assert asked.most_common(1)[0][1] == 1


def test_nothing_that_robots_txt_forbids_is_asked_for(demo: Crawled) -> None:
    rules = RobotsRules.from_text(DEMO.respond("/robots.txt").body, "Tallyho")
    assert demo.seen[0].path == "/robots.txt"
    assert demo.summary.skipped["robots"] > 0
    assert [seen.path for seen in demo.seen if not rules.allows(demo.base + seen.path)] == []


def test_every_request_says_who_asks_and_whom_to_write_to(demo: Crawled) -> None:
    for agent in {seen.agent for seen in demo.seen}:
        assert agent.startswith("Tallyho/")
        assert CONTACT in agent


def test_retry_after_is_waited_for_before_anything_else_is_asked(tmp_path: Path) -> None:
    refused = {
        list(DEMO.page_paths())[-1]: busy(429, "2"),
        next(DEMO.target_paths()): busy(503, "2"),
    }
    site = Impatient(DEMO, refused)
    crawled = crawl(tmp_path, site, politeness={"delay": 0.01, "backoff": 0.01}, strategy="bfs")

    refusals = [pair for pair in pairwise(crawled.seen) if pair[0].status in (429, 503)]
    assert sorted(before.path for before, _ in refusals) == sorted(refused)
    for before, after in refusals:
        assert (after.method, after.path, after.status) == (before.method, before.path, 200)
        assert after.at - before.at >= 2
    assert crawled.summary.targets == len(list(DEMO.target_paths()))
    assert crawled.summary.retries == len(refused)


def test_retry_after_that_names_a_moment_is_waited_for(tmp_path: Path) -> None:
    named: list[str] = []

    def refusal() -> Answer:
        named.append(formatdate(math.ceil(time.time()) + 1, usegmt=True))
        return busy(503, named[-1])

    site = Impatient(MadeSite({"/": page("/a.csv"), "/a.csv": file("1")}), {"/a.csv": refusal})
    politeness = {"delay": 0, "backoff": 0}
    crawled = crawl(tmp_path, site, politeness=politeness, strategy="bfs")

    asked = [seen for seen in crawled.seen if seen.path == "/a.csv"]
    assert [seen.status for seen in asked] == [503, 200]
    assert asked[1].wall >= parsedate_to_datetime(named[0]).timestamp()


def test_retry_after_counts_also_when_the_url_is_given_up(tmp_path: Path) -> None:
    """The server asked for a pause; that the URL is not tried again does not end it."""
    pages = {"/": page("/busy", "/a", "/b"), "/a": page(), "/b": page()}
    site = MadeSite({**pages, "/busy": busy(429, "1")})
    politeness = {"delay": 0, "backoff": 0, "retries": 1}
    crawled = crawl(tmp_path, site, politeness=politeness, strategy="bfs")

    refusals = [pair for pair in pairwise(crawled.seen) if pair[0].status == 429]
    assert len(refusals) == 3, "two tries, and two more at the end, of which one is the last"
    for refused, after in refusals:
        assert after.at - refused.at >= 1
    assert crawled.summary.skipped == {"server_error": 1}


def test_longer_crawl_delay_of_robots_txt_wins(tmp_path: Path) -> None:
    site = MadeSite(
        {
            "/robots.txt": robots("Crawl-delay: 0.3"),
            "/": page("/a", "/b.csv"),
            "/a": page("/c.csv"),
            "/b.csv": file("b"),
            "/c.csv": file("c"),
        }
    )
    crawled = crawl(tmp_path, site, politeness={"delay": 0.01})

    assert crawled.summary.targets == 2
    assert closest(crawled.seen) >= 0.3


def test_shorter_crawl_delay_of_robots_txt_changes_nothing(tmp_path: Path) -> None:
    files = {f"/{number}.csv": file(str(number)) for number in range(4)}
    site = MadeSite({"/robots.txt": robots("Crawl-delay: 0.01"), "/": page(*files), **files})
    crawled = crawl(tmp_path, site, politeness={"delay": 0.2})

    assert crawled.summary.targets == len(files)
    assert closest(crawled.seen) >= 0.2


def test_delay_is_kept_after_failures_and_between_runs(tmp_path: Path) -> None:
    files = {f"/{number}.csv": file(str(number)) for number in range(4)}
    site = Impatient(
        MadeSite({"/": page(*files), **files}),
        {"/1.csv": busy(500, ""), "/2.csv": busy(503, "")},
        times=2,
    )
    log, desk = tmp_path / "access.jsonl", Desk(tmp_path)
    with running_site(site, log) as base:
        politeness = {"delay": 0.2, "backoff": 0, "retries": 1}
        desk.describe(base, politeness=politeness, budget={"requests": 3}, strategy="bfs")
        runs = [desk.acquire()]
        while not runs[-1].complete:
            runs.append(desk.acquire())

    assert len(runs) > 2
    assert runs[-1].in_all["targets"] == len(files)
    assert closest(arrivals(log)) >= 0.2
