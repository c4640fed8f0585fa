"""A night of revisiting: its order, what it leaves to the frontier, and states without history."""

import json
import re
import sqlite3
from contextlib import closing

import pytest

from crawler.config.revisit import RevisitConfig
from crawler.engine.night import MAX_LEFTOVERS, MIN_LEFTOVERS, Night, Phase, Yield
from crawler.engine.night_planner import RevisitOrder
from crawler.state.crawl_state import CrawlState
from crawler.state.history_records import VisitKind, VisitRow
from crawler.state.schema import ALIVE, HISTORY, MEMORY
from crawler.state.stop import StopReason
from tests.engine.changing_site import DAY, EVERYTHING, ChangingSite, Nights, tagged
from tests.engine.crawl_run import FIRST_OF_JUNE, Clock, CrawlRun, site_config
from tests.engine.scripted_site import Script, file, page, robots, shown
from tests.engine.test_signal_visits import sitemap

FEW = RevisitConfig(name="rr", pages=2, files=1.0)
NAMES = [f"/p{number}" for number in range(200)]


def wide_site(targets: int = 0) -> ChangingSite:
    """A start page with many links; the first ones lead to a file each."""
    answers: dict[str, Script] = {"/": tagged(page("/a.csv", *NAMES)), "/a.csv": file("a")}
    for number, name in enumerate(NAMES):
        answers[name] = page(f"{name}.csv") if number >= len(NAMES) - targets else page("/")
        answers[f"{name}.csv"] = file(name)
    return ChangingSite(answers)


def test_requests_come_in_the_order_of_the_night():
    site = ChangingSite(
        {
            "/robots.txt": robots("Sitemap: https://stat.example/s.xml"),
            "/s.xml": sitemap("/", lastmod="2026-05-01"),
            "/": tagged(page("/list", "/a.csv")),
            "/list": page("/b.csv"),
            "/a.csv": tagged(file("a")),
            "/b.csv": tagged(file("b")),
        }
    )
    nights = Nights(site)
    site.change({"/list": page("/b.csv", "/c.csv"), "/c.csv": file("c")})
    nights.night()
    wanted = ["/robots.txt", "/s.xml", "/", "/list", "/c.csv", "/a.csv", "/b.csv"]
    assert [one.removeprefix("GET ") for one in site.log[-len(wanted) :]] == wanted


def test_what_a_budget_left_shares_the_night_and_waits_for_the_files():
    site = wide_site()
    nights = Nights(site, FEW, budget={"requests": 40})
    assert nights.first.stop_reason is StopReason.BUDGET_REQUESTS
    run = nights.night()
    asked = nights.asked
    before_files = asked[: asked.index("HEAD /a.csv")]
    planned = [f"GET {name}" for name in nights.visits(VisitKind.PAGE)]
    assert before_files[:2] == planned
    assert len(before_files) == 2 + MIN_LEFTOVERS
    assert len(asked) > len(before_files) + 1, "then what the frontier still holds"
    assert run.stop_reason is StopReason.BUDGET_REQUESTS


def test_leftovers_are_finished_night_by_night():
    nights = Nights(wide_site(targets=30), FEW, budget={"requests": 60})
    for _ in range(12):
        run = nights.night()
        if run.stop_reason is StopReason.FRONTIER_EMPTY:
            break
    assert run.stop_reason is StopReason.FRONTIER_EMPTY
    assert len(run.targets) == 31


def test_many_new_links_leave_room_for_the_files_that_are_due():
    site = ChangingSite({"/": page("/a.csv"), "/a.csv": tagged(file("a"))})
    nights = Nights(site, budget={"requests": 30})
    site.change({"/": page("/a.csv", *NAMES)})
    nights.night()
    assert "GET /a.csv" in nights.asked
    assert len(nights.asked) == 28


def test_early_stopping_waits_for_the_plan_and_ends_the_rest():
    stopping = {"half_life": 5, "floor": 0.5, "patience": 10}
    nights = Nights(wide_site(), early_stopping=stopping)
    assert nights.first.stop_reason is StopReason.YIELD_EXHAUSTED
    pages = len(list(nights.state.history.pages()))
    run = nights.night()
    assert run.stop_reason is StopReason.YIELD_EXHAUSTED
    assert len(nights.visits(VisitKind.PAGE)) == pages
    assert all(outcome for outcome, _ in nights.visits().values())
    assert nights.visits(VisitKind.FILE) == {"/a.csv": ("unchanged", "same bytes")}


def test_share_of_older_links_follows_what_they_yield():
    night = Night("n", 0.0, leftovers=80)
    assert night.share_of_next_night() == 80, "nothing was tried, nothing is learned"
    night.older, night.tonight = Yield(80, 8), Yield(100, 5)
    assert night.share_of_next_night() == 160
    night.older = Yield(80, 1)
    assert night.share_of_next_night() == 40
    night.older, night.tonight = Yield(80, 0), Yield(100, 0)
    assert night.share_of_next_night() == 40
    night.leftovers = MIN_LEFTOVERS
    assert night.share_of_next_night() == MIN_LEFTOVERS
    night.leftovers, night.older = MAX_LEFTOVERS, Yield(10, 10)
    assert night.share_of_next_night() == MAX_LEFTOVERS


def test_share_is_remembered_from_night_to_night():
    nights = Nights(wide_site(targets=200), FEW, strategy="tallyho", budget={"requests": 90})
    nights.night()
    saved = json.loads(nights.state.progress())["night"]
    assert saved["leftovers"] == 2 * MIN_LEFTOVERS
    second = nights.start()
    assert second.crawl.night is not None
    assert second.crawl.night.leftovers == 2 * MIN_LEFTOVERS


def test_night_is_saved_without_the_visits_ahead():
    night = Night("n", 5.0, Phase.FILES, position=3, last=4)
    night.plan([VisitRow(5, VisitKind.FILE, 9, "missing", "full")])
    saved = json.loads(json.dumps(night.save()))
    again = Night.load(saved)
    assert (again.phase, again.last, list(again.ahead)) == (Phase.FILES, 5, [])
    assert len(night.ahead) == 1


@pytest.mark.parametrize("days", [-400, -1, 0, 0.01, 31, 4000])
def test_night_works_with_a_clock_that_jumped(days):
    nights = Nights(wide_site(), RevisitConfig(pages=0.1, files=1.0))
    run = nights.night(days)
    assert run.stop_reason is StopReason.FRONTIER_EMPTY
    assert nights.visits(VisitKind.FILE) == {"/a.csv": ("unchanged", "same bytes")}
    again = nights.night(1)
    assert again.stop_reason is StopReason.FRONTIER_EMPTY
    assert nights.visits(VisitKind.PAGE)
    assert all(outcome == "unchanged" for outcome, _ in nights.visits(VisitKind.PAGE).values())


def _without_history(path) -> None:
    with closing(sqlite3.connect(path)) as db:
        for name in re.findall(r"CREATE TABLE (\w+)", HISTORY + MEMORY):
            db.execute(f"DROP TABLE {name}")
        for name in re.findall(r"ADD COLUMN (\w+)", ALIVE):
            db.execute(f"ALTER TABLE weight DROP COLUMN {name}")
        db.execute("ALTER TABLE link DROP COLUMN headings")
        db.execute("PRAGMA user_version = 2")
        db.commit()


def test_state_of_an_earlier_version_gets_a_sane_first_plan(tmp_path):
    names = [f"/p{number}" for number in range(40)]
    answers: dict[str, Script] = {name: page("/") for name in names}
    answers["/p7"] = page("/a.csv", "/b.csv", "/c.csv")
    answers |= {"/": page(*names)} | {f"/{name}.csv": file(name) for name in "abc"}
    site, path, clock = ChangingSite(answers), tmp_path / "stat.db", Clock()
    with closing(CrawlState(path)) as state:
        CrawlRun(site, config=site_config(), state=state, clock=clock).to_end()
    _without_history(path)
    clock.move(3 * DAY)
    site.change({"/p7": page("/a.csv", "/b.csv", "/c.csv", "/d.csv"), "/d.csv": file("d")})
    with closing(CrawlState(path)) as state:
        order = RevisitOrder("night", clock.wall, RevisitConfig(name="od-win", pages=2, files=1))
        run = CrawlRun(site, config=site_config(), state=state, clock=clock, revisit=order)
        run.to_end()
        planned = [visit for visit in state.history.visits() if visit.kind is VisitKind.PAGE]
        assert shown(state.link(planned[0].link).url) == "/p7", "it led to most files"
        assert "/d.csv" in run.targets
        history = state.history.page(planned[0].link)
        assert history is not None
        assert history.first_seen == FIRST_OF_JUNE
        assert len(list(state.history.pages())) == 41


def test_acquisition_after_an_interrupted_night_goes_on_without_its_plan():
    nights = Nights(wide_site(), EVERYTHING)
    run = nights.start()
    for _ in range(5):
        run.step()
    plain = CrawlRun(nights.site, config=nights.config, state=nights.state, clock=nights.clock)
    plain.to_end()
    assert plain.stop_reason is StopReason.FRONTIER_EMPTY
    assert nights.night().stop_reason is StopReason.FRONTIER_EMPTY
