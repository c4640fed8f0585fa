"""One view of a site: the same from the machine that crawled it and from every other one."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from crawler.config.settings import Settings
from crawler.lab.server import running_site
from crawler.lab.sites.answer import Answer, answer
from crawler.lab.sites.demo import demo_site
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.report.explain import explain
from crawler.pipeline.report.look import look_into_catalog
from crawler.pipeline.report.next_night import next_night
from crawler.pipeline.report.site_view import SiteFile, SiteState, SiteView, site_views
from crawler.pipeline.report.status import all_statuses, site_status
from tests.end_to_end.killed_crawl import site_at

NOW = datetime(2026, 11, 16, 3, 30, tzinfo=UTC)


@pytest.fixture
def machines(tmp_path: Path) -> tuple[Settings, Settings]:
    """Two homes that share store and catalog."""
    shared = {
        "store_url": (tmp_path / "store").as_uri(),
        "catalog_url": f"sqlite:///{tmp_path / 'catalog.db'}",
        "sites_dir": tmp_path / "sites",
    }
    (tmp_path / "sites").mkdir()
    one, other = (
        Settings.model_validate({"home": tmp_path / name, **shared}) for name in ("one", "other")
    )
    return one, other


def views_of(settings: Settings) -> dict[str, SiteView]:
    known = look_into_catalog(settings)
    return {view.name: view for view in site_views(known, settings.sites_dir, NOW)}


def test_machine_that_did_not_crawl_tells_the_same(machines: tuple[Settings, Settings]) -> None:
    one, other = machines
    with running_site(demo_site(20)) as base:
        site = site_at(base)
        summary = acquire(site, one)
    assert site_status(other, "demo") == site_status_elsewhere(one, other)
    (recorded,) = all_statuses(other, [], look_into_catalog(other))
    assert (recorded.state, recorded.requests) == (SiteState.COMPLETE, summary.requests)
    assert (recorded.targets, recorded.frontier) == (summary.targets, None)
    told = explain(other, site, f"{base}/")
    assert (told.crawled, told.why) == (True, explain(one, site, f"{base}/").why)
    assert next_night(site, other, NOW.timestamp()) == next_night(site, one, NOW.timestamp())
    assert not other.state_path("demo").exists()


def site_status_elsewhere(one: Settings, other: Settings) -> object:
    """What the machine that crawled says, with the paths of the other one."""
    told = site_status(one, "demo")
    return replace(told, manifest=str(other.manifest_path("demo")))


def test_older_state_of_this_machine_does_not_hide_a_newer_run(
    machines: tuple[Settings, Settings],
) -> None:
    one, other = machines
    with running_site(demo_site(20)) as base:
        acquire(site_at(base, budget={"requests": 5}), other)
        summary = acquire(site_at(base), one)
    assert summary.complete
    (recorded,) = all_statuses(other, [], look_into_catalog(other))
    assert (recorded.state, recorded.run_id) == (SiteState.COMPLETE, summary.run_id)
    assert recorded.requests == summary.in_all["requests"]
    assert site_status(other, "demo").state is SiteState.COMPLETE


class Forbids:
    """A site that lets nobody in."""

    def at(self, base: str) -> "Forbids":
        return self

    def respond(self, path_and_query: str) -> Answer:
        return answer(b"User-agent: *\nDisallow: /\n", "text/plain")


def test_every_kind_of_site_is_told_with_what_comes_next(
    machines: tuple[Settings, Settings],
) -> None:
    one, other = machines
    start = {"start_url": "https://stats.example.org/"}
    files = {
        "new": start | {"schedule": "0 4 * * *", "budget": {"requests": 70}},
        "off": start | {"enabled": False},
        "wrong": start | {"budget": {"requests": "many"}},
    }
    for name, values in files.items():
        (one.sites_dir / f"{name}.yaml").write_text(yaml.safe_dump(values))
    with running_site(Forbids()) as base:
        for _ in range(2):
            acquire(site_at(base), one)
    views = views_of(other)
    assert {name: view.site_file for name, view in views.items()} == {
        "demo": SiteFile.MISSING,
        "new": SiteFile.ENABLED,
        "off": SiteFile.DISABLED,
        "wrong": SiteFile.INVALID,
    }
    new, demo = views["new"], views["demo"]
    assert (new.state, new.last_run) == (SiteState.NEVER_CRAWLED, None)
    assert new.next_run == datetime(2026, 11, 16, 4, 0, tzinfo=UTC)
    assert (new.budget, new.budget_left) == (70, 70)
    assert views["off"].next_run is None
    assert "wrong.yaml:2: budget.requests: must be a whole number" in views["wrong"].problem
    assert (demo.state, demo.failed_runs) == (SiteState.STOPPED, 2)
    assert demo.last_error.startswith("robots.txt forbids")
    assert [one.new_versions for one in demo.yields] == [0, 0]
