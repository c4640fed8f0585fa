"""What a crawl records in the catalog, and what it does not keep a second time."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.catalog import open_catalog
from crawler.catalog.upkeep.removal import remove
from crawler.config.settings import Settings
from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.services import open_services
from tests.end_to_end.killed_crawl import site_at

pytestmark = pytest.mark.slow


@pytest.fixture
def base() -> Iterator[str]:
    with running_site(demo_site(60)) as address:
        yield address


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home")


def test_catalog_has_every_file_with_the_page_it_came_from(base: str, settings: Settings) -> None:
    summary = acquire(site_at(base), settings)
    with open_catalog(settings) as catalog:
        found = catalog.search("", limit=100)
        assert sum(len(item.files) for item in found) == summary.targets
        assert all(item.page_url.startswith(base) for item in found)


def test_second_crawl_of_an_unchanged_site_makes_no_new_version(
    base: str, settings: Settings
) -> None:
    first = acquire(site_at(base), settings)
    second = acquire(site_at(base), settings, fresh=True)
    assert second.targets == first.targets
    with open_services(settings) as services, services.database.reading() as session:
        versions = session.connection().exec_driver_sql("SELECT count(*) FROM version").scalar()
        new = session.connection().exec_driver_sql(
            "SELECT new_versions FROM crawl_run ORDER BY started_at"
        )
        assert versions == first.targets
        assert [row[0] for row in new] == [first.targets, 0]


def test_file_that_was_taken_down_is_not_kept_again(base: str, settings: Settings) -> None:
    acquire(site_at(base), settings)
    with open_catalog(settings) as catalog:
        found = catalog.search("", limit=100)
        shared = Counter(file.sha256 for item in found for file in item.files)
        item = next(item for item in found if shared[item.sha256] == 1)
    with open_services(settings) as services:
        remove(services.database, services.store, item.id, "asked for by the publisher")
        assert not services.store.exists(item.sha256)
        acquire(site_at(base), settings, fresh=True)
        assert not services.store.exists(item.sha256)
    with open_catalog(settings) as catalog:
        assert all(file.id != item.id for found in catalog.search("") for file in found.files)


def test_run_is_recorded_with_its_curve_and_best_actions(base: str, settings: Settings) -> None:
    summary = acquire(site_at(base), settings)
    with open_services(settings) as services, services.database.reading() as session:
        row = (
            session.connection()
            .exec_driver_sql("SELECT id, stop_reason, requests, targets, curve FROM crawl_run")
            .one()
        )
    assert row[:4] == (summary.run_id, "frontier_empty", summary.requests, summary.targets)
    assert f"[{summary.requests}, {summary.targets}]" in row[4]
