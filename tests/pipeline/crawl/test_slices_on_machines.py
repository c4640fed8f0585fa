"""A night that begins on one machine and goes on on another."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crawler.catalog.read.runs import past_runs
from crawler.config.settings import Settings
from crawler.pipeline.crawl.slices import crawl_slice
from crawler.pipeline.night.night import Night, NightKind
from crawler.pipeline.night.plan import plan
from crawler.pipeline.services import open_services
from tests.end_to_end.killed_crawl import requests_in, site_at
from tests.pipeline.crawl.test_slices import NO_TIME, Died, dies_after

pytestmark = pytest.mark.slow


@pytest.fixture
def machines(tmp_path: Path) -> tuple[Settings, Settings]:
    """Two homes that share store and catalog."""
    shared = {
        "store_url": (tmp_path / "store").as_uri(),
        "catalog_url": f"sqlite:///{tmp_path / 'catalog.db'}",
    }
    one, other = (
        Settings.model_validate({"home": tmp_path / name, **shared}) for name in ("one", "other")
    )
    return one, other


def tonight(base: str, settings: Settings, days: int = 0) -> Night:
    site = site_at(base, revisit={"full_every_days": 7})
    return plan(site, settings, datetime.now(UTC) + timedelta(days=days))


def test_next_slice_may_be_worked_on_elsewhere(
    office: str, office_log: Path, machines: tuple[Settings, Settings]
) -> None:
    one, other = machines
    site = site_at(office, budget={"requests": 12})
    night = plan(site, one, datetime.now(UTC))
    for turn in range(4):
        crawl_slice(site, machines[turn % 2], night, NO_TIME)
    result = crawl_slice(site, other, night)
    assert (result.summary.requests, result.summary.run_id) == (12, night.run_id)
    assert len(set(requests_in(office_log))) == len(requests_in(office_log)) == 12


@pytest.mark.parametrize("planned_anew", [False, True])
def test_fresh_crawl_that_is_lost_with_its_machine_begins_again(
    office: str, office_log: Path, machines: tuple[Settings, Settings], planned_anew: bool
) -> None:
    one, other = machines
    crawl_slice(site_at(office), one, tonight(office, one))
    whole = requests_in(office_log)
    night = tonight(office, one, days=8)
    with pytest.raises(Died):
        crawl_slice(site_at(office), one, night, watch=dies_after(10))
    if planned_anew:
        night = tonight(office, other)
        assert night.kind is NightKind.CONTINUE
    result = crawl_slice(site_at(office), other, night)
    # It begins with what the site taught before, so the order is another one.
    assert sorted(requests_in(office_log)[len(whole) + 10 :]) == sorted(whole)
    assert (result.summary.complete, result.summary.requests) == (True, len(whole))
    with open_services(other) as services:
        assert past_runs(services.database, "demo", limit=1)[0].new_versions == 0
