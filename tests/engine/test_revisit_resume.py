"""Exact resume of a night: whenever the process dies, it asks for what it would have asked for."""

from contextlib import closing
from pathlib import Path

import pytest

from crawler.config.revisit import RevisitConfig
from crawler.engine.budget import RunSoFar
from crawler.engine.crawl import Crawl
from crawler.engine.night_planner import RevisitOrder
from crawler.state.crawl_state import CrawlState
from crawler.strategies.make import make_strategy
from tests.engine.changing_site import DAY, ChangingSite, tagged
from tests.engine.crawl_run import AGENT, FIRST_OF_JUNE, Clock, CrawlRun, site_config
from tests.engine.resumed_crawl import Death, Deaths, at_random, never, tables_of
from tests.engine.scripted_site import HOME, Script, file, page, redirect, robots, status
from tests.engine.test_signal_visits import index, sitemap

STRATEGIES = [
    "tallyho",
    *[pytest.param(name, marks=pytest.mark.slow) for name in ("sb", "bfs", "random")],
]
CONFIG = RevisitConfig(name="rr", pages=8, files=8)


def first_site() -> dict[str, Script]:
    sections = [f"/s{number}" for number in range(5)]
    answers: dict[str, Script] = {
        "/robots.txt": robots("Disallow: /private", f"Sitemap: {HOME}/index.xml"),
        "/index.xml": index("/old.xml"),
        "/old.xml": sitemap("/s0", "/s1", lastmod="2026-05-01"),
        "/": tagged(page(*sections, "/latest", "/about", "/flaky")),
        "/latest": redirect("/may.csv"),
        "/may.csv": tagged(file("may")),
        "/about": page("/"),
        "/flaky": page("/"),
    }
    for number, section in enumerate(sections):
        names = [f"{section}/t{item}.csv" for item in range(3)]
        answers[section] = tagged(page(*names, f"{section}/more", "/"))
        answers[f"{section}/more"] = page(f"{section}/x.csv")
        answers[f"{section}/x.csv"] = file(f"x{number}")
        for name in names:
            answers[name] = tagged(file(name)) if number % 2 else file(name)
    return answers


def changed(site: ChangingSite) -> None:
    """All that can happen between two nights."""
    site.change(
        {
            "/index.xml": index("/old.xml", "/new.xml", "/moved.xml", lastmod="2026-06-02"),
            "/old.xml": sitemap("/s0", "/s1", "/s4", lastmod="2026-06-02"),
            "/new.xml": sitemap("/only-here", "/s0"),
            "/moved.xml": redirect("/newest.xml"),
            "/newest.xml": sitemap("/y.csv"),
            "/y.csv": file("y"),
            "/only-here": page("/h.csv"),
            "/h.csv": file("h"),
            "/s0": tagged(page("/s0/t0.csv", "/s0/t9.csv", "/s0/news", "/private/x", "/s1/t1.csv")),
            "/s0/t9.csv": file("nine"),
            "/s0/news": page("/s0/n1.csv", "/s0/n2", "/s1/t0.csv"),
            "/s0/n1.csv": file("n1"),
            "/s0/n2": page("/s0/n3.csv"),
            "/s0/n3.csv": [status(503), file("n3")],
            "/s1/t0.csv": tagged(file("other bytes")),
            "/s1/t1.csv": status(404),
            "/s2": status(410),
            "/s3": redirect("/s3/new-place", 301),
            "/s3/new-place": page("/s3/z.csv"),
            "/s3/z.csv": file("z"),
            "/about": redirect("/"),
            "/flaky": [status(503), status(503), page("/", "/f.csv")],
            "/f.csv": file("f"),
            "/latest": redirect("/june.csv"),
            "/june.csv": file("june"),
            "/s0/x.csv": page("/"),
        }
    )


class NightOfLives:
    """A night over as many processes as it takes, each on the state that the last one left."""

    def __init__(self, path: Path, strategy: str, requests: int = 20_000) -> None:
        self.path = path
        self.site = ChangingSite(first_site())
        self.config = site_config(
            strategy=strategy, seed=3, budget={"requests": requests}, politeness={"retries": 1}
        )
        with closing(CrawlState(path)) as state:
            CrawlRun(self.site, config=self.config, state=state, clock=Clock()).to_end()
            order = RevisitOrder("before", FIRST_OF_JUNE + DAY, CONFIG, seed=3)
            clock = Clock(FIRST_OF_JUNE + DAY)
            run = CrawlRun(
                self.site, config=self.config, state=state, clock=clock, revisit=order
            ).to_end()
            self.start = RunSoFar(run.totals.copy())
        changed(self.site)
        self.site.requests.clear()
        self.site.forget_after(0)
        self.deaths = 0
        self.now = FIRST_OF_JUNE + 2 * DAY

    def begin(self) -> None:
        """A process starts; the plan is for the time that the run was started at."""
        self.state = CrawlState(self.path)
        order = RevisitOrder("night", FIRST_OF_JUNE + 2 * DAY, CONFIG, seed=3)
        self.crawl = Crawl(
            self.config,
            make_strategy(self.config.strategy, self.config.seed),
            self.state,
            agent=AGENT,
            wall_clock=lambda: self.now,
            monotonic=lambda: 0.0,
            run=self.start,
            revisit=order,
        )

    def run(self, deaths: Deaths) -> dict[str, list[tuple[object, ...]]]:
        """To the end of the night; every table of the state after it."""
        self.begin()
        before = self._steps()
        step = 0
        while self._step(deaths(step), before):
            step += 1
        self.state.close()
        return tables_of(self.path)

    def _step(self, deaths: list[Death], before: int) -> bool:
        for death in deaths:
            if not self._attempt(death):
                return False
            self.state._db.close()
            self.deaths += 1
            self.begin()
            self.site.forget_after(self._steps() - before)
        return self._attempt(None)

    def _steps(self) -> int:
        return int(next(self.state.rows("SELECT count(*) FROM step"))[0])

    def _attempt(self, death: Death | None) -> bool:
        request = self.crawl.next_request()
        if death is Death.BEFORE_SENDING:
            return True
        if request is None and death not in (None, Death.COMMITTED):
            return True
        if request is not None:
            reply = self.site.reply(request, self.crawl.on_headers)
            if death is Death.IN_FLIGHT:
                return True
            self.crawl.receive(reply)
            if death is Death.UNCOMMITTED:
                return True
        self.state.commit(self.crawl.take_changes())
        return request is not None


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("requests", [20_000, 30], ids=["whole", "budget"])
def test_night_that_dies_in_every_step_is_the_same_night(tmp_path, strategy, requests):
    whole = NightOfLives(tmp_path / "whole.db", strategy, requests)
    tables = whole.run(never)
    assert {"changed", "unchanged", "gone"} <= {row[6] for row in tables["visit"]}
    died = NightOfLives(tmp_path / "died.db", strategy, requests)
    found = died.run(at_random(seed=5, share=1.0))
    assert died.deaths > len(whole.site.requests) / 2
    assert died.site.requests == whole.site.requests
    for name, rows in tables.items():
        assert found[name] == rows, name


@pytest.mark.parametrize("death", Death)
def test_night_that_dies_in_the_same_moment_of_every_step(tmp_path, death):
    whole = NightOfLives(tmp_path / "whole.db", "tallyho")
    tables = whole.run(never)
    died = NightOfLives(tmp_path / "died.db", "tallyho")
    assert died.run(lambda _: [death]) == tables
    assert died.site.requests == whole.site.requests


def test_clock_that_jumps_in_the_middle_of_a_night_changes_no_request(tmp_path):
    whole = NightOfLives(tmp_path / "whole.db", "tallyho")
    whole.run(never)
    jumping = NightOfLives(tmp_path / "jumps.db", "tallyho")

    def jump(step: int) -> list[Death]:
        jumping.now = FIRST_OF_JUNE + 2 * DAY + (-1) ** step * step * 3600.0
        return [Death.COMMITTED]

    jumping.run(jump)
    asked = [one for one in jumping.site.log if not one.endswith("robots.txt")]
    assert asked == [one for one in whole.site.log if not one.endswith("robots.txt")]
