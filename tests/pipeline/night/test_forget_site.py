"""Forgetting a site takes its snapshots, too, so that no other machine resumes it."""

from datetime import UTC, datetime
from pathlib import Path

from crawler.config.settings import Settings
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.night.forget_site import forget_site
from crawler.pipeline.services import open_services
from tests.end_to_end.killed_crawl import site_at

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)


def test_snapshots_go_and_a_second_time_changes_nothing(office: str, tmp_path: Path) -> None:
    settings = Settings.model_validate(
        {
            "home": tmp_path / "home",
            "store_url": (tmp_path / "store").as_uri(),
            "catalog_url": f"sqlite:///{tmp_path / 'catalog.db'}",
        }
    )
    acquire(site_at(office, budget={"requests": 5}), settings)
    with open_services(settings) as services:
        assert list(services.store.objects("state/demo/"))
        done = forget_site(settings, "demo", NOW)
        assert done.snapshots >= 2
        assert list(services.store.objects("state/demo/")) == []
    assert forget_site(settings, "demo", NOW).snapshots == 0
