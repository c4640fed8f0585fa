"""Nights of revisiting against a real server, with every manner of saying what has changed."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sqlalchemy import text

from crawler.catalog.upkeep.removal import remove
from crawler.config.revisit import RevisitConfig
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.engine.conditions import FULL_EVERY
from crawler.errors import ConfigError
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.crawl.context import RunPlan
from crawler.pipeline.crawl.revisit import RevisitSummary, planned_visits, revisit
from crawler.pipeline.services import open_services
from crawler.revisit.file_schedule import FULL_CHECK_EVERY
from crawler.state.crawl_state import CrawlState
from crawler.state.run import RunKind
from crawler.state.stop import StopReason
from tests.pipeline.changing_server import (
    HTML,
    ChangingServer,
    Manners,
    Served,
    listing,
    serving,
)

pytestmark = pytest.mark.slow

OLD, NEW, LONGER = b"year,births\n2024,17\n", b"year,births\n2024,18\n", b"year\n2024\n2025\n"
EVERYTHING = RevisitConfig(name="rr", pages=1.0, files=1.0)
FIRST_NIGHT = datetime(2026, 6, 1, 2, 0, tzinfo=UTC)


class Site:
    """A site on a real server, its home, and a clock that says which night it is."""

    def __init__(self, server: ChangingServer, home: Path) -> None:
        self.server = server
        self.settings = Settings(home=home)
        self.night_number = 0
        self.site = SiteConfig.model_validate(
            {
                "name": "stat",
                "start_url": f"{server.base}/",
                "allow_private_hosts": True,
                "politeness": {"delay": 0.0, "retries": 0},
                "early_stopping": False,
            }
        )

    def clock(self) -> float:
        return (FIRST_NIGHT + timedelta(days=self.night_number)).timestamp()

    def crawl(self) -> None:
        summary = acquire(self.site, self.settings, wall_clock=self.clock)
        assert summary.stop_reason is StopReason.FRONTIER_EMPTY
        self.server.take_log()

    def night(self, plan: RunPlan | None = None, days: int = 1, **more: object) -> RevisitSummary:
        self.night_number += days
        plan = plan or RunPlan()
        return revisit(
            self.site, self.settings, plan, config=EVERYTHING, wall_clock=self.clock, **more
        )

    def evidence(self, path: str) -> tuple[str, str]:
        """What the last night found out about a path, and how."""
        with closing(CrawlState(self.settings.state_path("stat"))) as state:
            for visit in state.history.visits():
                if state.link(visit.link).url == self.server.base + path:
                    return visit.outcome.value, visit.detected_by.value
        raise AssertionError(f"{path} was not planned")

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with open_services(self.settings) as services, services.database.reading() as session:
            return [tuple(row) for row in session.connection().execute(text(query))]

    @property
    def versions(self) -> int:
        return len(self.rows("SELECT id FROM version"))

    @property
    def gone(self) -> bool:
        return self.rows("SELECT id FROM resource WHERE gone_since IS NOT NULL") != []


@pytest.fixture
def server() -> Iterator[ChangingServer]:
    paths = {"/": listing("/a.csv", "/about"), "/about": listing("/"), "/a.csv": Served(OLD)}
    with serving(ChangingServer(paths)) as running:
        yield running


@pytest.fixture
def site(server: ChangingServer, tmp_path: Path) -> Site:
    return Site(server, tmp_path)


@pytest.mark.parametrize(
    ("manners", "evidence"),
    [
        (Manners.ETAG, "not modified"),
        (Manners.WEAK_ETAG, "not modified"),
        (Manners.LAST_MODIFIED, "not modified"),
        (Manners.LAST_MODIFIED_NEVER, "not modified"),
        (Manners.ALWAYS_304, "not modified"),
        (Manners.LAST_MODIFIED_NOW, "same bytes"),
        (Manners.NOTHING, "same length"),
        (Manners.NO_HEAD, "same bytes"),
    ],
)
def test_unchanged_site_gets_no_version_whatever_its_server_says(site, server, manners, evidence):
    server.manners = manners
    site.crawl()
    night = site.night()
    assert site.evidence("/a.csv") == ("unchanged", evidence)
    assert site.evidence("/")[0] == "unchanged"
    assert site.versions == 1
    assert (night.visited, night.checked_files) == (2, 1)
    assert night.not_modified == (3 if evidence == "not modified" else 0)
    assert night.changes.new == night.changes.changed == night.changes.gone == ()


@pytest.mark.parametrize(
    ("manners", "body", "nights"),
    [
        (Manners.ETAG, NEW, 1),
        (Manners.WEAK_ETAG, NEW, 1),
        (Manners.LAST_MODIFIED, LONGER, 1),
        (Manners.LAST_MODIFIED_NOW, NEW, 1),
        (Manners.NOTHING, LONGER, 1),
        (Manners.NO_HEAD, NEW, 1),
        (Manners.NOTHING, NEW, FULL_CHECK_EVERY),
        pytest.param(Manners.LAST_MODIFIED_NEVER, NEW, FULL_EVERY + 1, marks=pytest.mark.slow),
        pytest.param(Manners.ALWAYS_304, NEW, FULL_EVERY + 1, marks=pytest.mark.slow),
    ],
)
def test_changed_file_is_a_new_version_within_nights(site, server, manners, body, nights):
    server.manners = manners
    site.crawl()
    server.paths["/a.csv"] = Served(body)
    for _ in range(nights - 1):
        assert site.night().changes.changed == ()
    night = site.night()
    assert site.evidence("/a.csv") == ("changed", "other bytes")
    assert len(night.changes.changed) == 1
    assert site.versions == 2
    (line,) = site.settings.manifest_path("stat").read_text().splitlines()
    assert sha256(body).hexdigest() in line


@pytest.mark.parametrize(
    ("served", "evidence"),
    [
        (Served(b"", HTML, 404), "not found"),
        (Served(b"", HTML, 410), "not found"),
        (Served(b"<html><body>Page not found</body></html>", HTML), "page instead of file"),
        (Served(location="/", status=302), "redirect to known page"),
        (Served(location="/about", status=301), "redirect to known page"),
    ],
)
def test_missing_file_is_gone_after_two_nights_and_cleared_when_it_is_back(
    site, server, served, evidence
):
    site.crawl()
    server.paths["/a.csv"] = served
    assert site.night().changes.gone == ()
    assert site.evidence("/a.csv") == ("gone", evidence)
    assert not site.gone
    assert len(site.night().changes.gone) == 1
    assert site.gone
    assert site.versions == 1
    assert site.night().changes.gone == (), "it is gone already"
    server.paths["/a.csv"] = Served(OLD)
    site.night_number += 40
    site.night()
    assert site.evidence("/a.csv") == ("unchanged", "not modified")
    assert not site.gone


def test_file_that_is_missing_for_one_night_is_not_gone(site, server):
    site.crawl()
    present = server.paths.pop("/a.csv")
    site.night()
    server.paths["/a.csv"] = present
    site.night()
    server.paths.pop("/a.csv")
    site.night()
    assert not site.gone


def test_new_file_behind_a_new_page_is_found_and_its_sighting_is_recorded(site, server):
    site.crawl()
    server.paths["/about"] = listing("/", "/news", "/a.csv")
    server.paths["/news"] = listing("/b.csv")
    server.paths["/b.csv"] = Served(NEW)
    night = site.night()
    assert len(night.changes.new) == 1
    assert server.take_log() == [
        "GET /",
        "GET /about",
        "GET /news",
        "GET /b.csv",
        "GET /a.csv",
    ]
    pages = site.rows("SELECT page_url FROM sighting ORDER BY page_url")
    base = server.base
    assert pages == [(f"{base}/",), (f"{base}/about",), (f"{base}/news",)]
    told = night.as_dict()
    assert told["new"] == list(night.changes.new)
    assert {"visited", "not_modified", "checked_files", "changed", "gone"} <= set(told)


def test_night_is_a_run_of_its_own_kind(site):
    site.crawl()
    site.night(RunPlan(run_id="night-1", night="manual"))
    assert site.rows("SELECT kind, night FROM crawl_run WHERE id = 'night-1'") == [
        ("revisit", "manual")
    ]
    with closing(CrawlState(site.settings.state_path("stat"))) as state:
        run = state.run()
        assert run is not None
        assert (run.run_id, run.kind) == ("night-1", RunKind.REVISIT)


def test_night_that_ended_reports_the_same_end_again_and_asks_nothing(site, server):
    site.crawl()
    first = site.night(RunPlan(run_id="night-1"))
    server.take_log()
    again = site.night(RunPlan(run_id="night-1"))
    assert server.take_log() == []
    assert again.crawl.stop_reason is first.crawl.stop_reason
    assert again.visited == first.visited


def test_file_that_was_taken_down_is_not_fetched_again(site, server):
    server.paths["/"] = listing("/a.csv", "/b.csv", "/about")
    server.paths["/b.csv"] = Served(NEW)
    site.crawl()
    with open_services(site.settings) as services:
        (found,) = site.rows("SELECT id FROM resource WHERE url LIKE '%/a.csv'")
        remove(services.database, services.store, int(str(found[0])), reason="asked to")
    site.night()
    assert [one for one in server.take_log() if one.endswith(".csv")] == ["GET /b.csv"]


def test_conditions_are_not_sent_to_another_origin(site, server, tmp_path):
    with serving(ChangingServer({"/a.csv": Served(NEW)})) as other:
        site.site = site.site.model_copy(
            update={
                "scope": site.site.scope.model_copy(
                    update={"file_hosts": ("any", urlsplit(other.base).netloc)}
                )
            }
        )
        site.crawl()
        server.paths["/a.csv"] = Served(location=f"{other.base}/a.csv", status=302)
        site.night()
        assert other.conditions
        assert not any(other.conditions)


def test_night_that_ends_before_its_plan_reports_no_visits_of_the_night_before(site, server):
    site.crawl()
    assert site.night().visited == 2
    server.paths["/robots.txt"] = Served(b"User-agent: *\nDisallow: /\n", "text/plain")
    night = site.night(days=3)
    assert night.crawl.stop_reason is StopReason.FORBIDDEN
    assert (night.visited, night.checked_files, night.not_modified) == (0, 0, 0)


def test_pages_of_a_night_can_be_named(site, server):
    site.crawl()
    night = site.night(pages=1)
    assert night.visited == 1


def test_site_that_was_never_crawled_cannot_be_revisited(site):
    with pytest.raises(ConfigError, match="crawl it first"):
        site.night()


def test_what_a_night_will_look_at_is_known_before(site):
    site.crawl()
    with closing(CrawlState(site.settings.state_path("stat"))) as state:
        planned = planned_visits(state, EVERYTHING, site.clock())
        assert [(visit.kind.value, visit.reason) for visit in planned] == [
            ("page", "in turn"),
            ("page", "in turn"),
            ("file", "change rate"),
        ]
        assert list(state.history.visits()) == []
