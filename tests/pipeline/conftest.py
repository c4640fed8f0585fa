"""A made statistics office on loopback, and a home to acquire it into."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.config.settings import Settings
from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site


@pytest.fixture
def office_log(tmp_path: Path) -> Path:
    return tmp_path / "access.jsonl"


@pytest.fixture
def office(office_log: Path) -> Iterator[str]:
    """The address of a small demo site with an access log."""
    with running_site(demo_site(20), office_log) as address:
        yield address


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home")
