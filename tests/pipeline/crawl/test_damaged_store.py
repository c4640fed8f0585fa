"""A store that lies is found out by who reads, and put right by the next crawl."""

from collections.abc import Callable
from pathlib import Path

import pytest

from crawler.catalog.facade import open_catalog
from crawler.config.settings import Settings
from crawler.errors import ObjectDamaged
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.validate.validator import open_validator
from crawler.state.stop import StopReason
from tests.pipeline.crawl.page_server import csv, html, serving
from tests.pipeline.crawl.test_step_watch import site_of

ROWS = "".join(f"Nord,{year},{year * 3}\n" for year in range(2000, 2020))
PAGES = {
    "/": html("<a href=/births.csv>Births</a>"),
    "/births.csv": csv(f"region,year,births\n{ROWS}"),
}


def cut(data: bytes) -> bytes:
    return data[:-7]


def altered(data: bytes) -> bytes:
    return data.replace(b"2001", b"2999")


def the_blob(settings: Settings) -> Path:
    [path] = [path for path in (Path(settings.store_place) / "blobs").rglob("*") if path.is_file()]
    return path


@pytest.mark.slow
@pytest.mark.parametrize("damage", [cut, altered])
def test_damage_is_reported_with_its_object_and_healed_by_the_next_crawl(
    settings: Settings, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    with serving(PAGES) as (address, _):
        site = site_of(address)
        acquire(site, settings, min_free_bytes=0)
        blob = the_blob(settings)
        good = blob.read_bytes()
        blob.chmod(0o644)
        blob.write_bytes(damage(good))

        with open_catalog(settings) as catalog:
            [file] = list(catalog.search("births"))
            with pytest.raises(ObjectDamaged, match=blob.name):
                catalog.get(file.id, tmp_path / "got.csv")
            assert sorted(path.name for path in tmp_path.iterdir()) == ["home"]
            with pytest.raises(ObjectDamaged, match=blob.name):
                catalog.read(file.id)
        with open_validator(settings, jobs=1) as checking:
            [unchecked] = checking.validate([1]).failures
        assert "damaged" in unchecked.sentence or "instead of" in unchecked.sentence

        again = acquire(site, settings, fresh=True, min_free_bytes=0)
        assert again.stop_reason is StopReason.FRONTIER_EMPTY
        assert blob.read_bytes() == good
    with open_catalog(settings) as catalog:
        assert catalog.get(file.id, tmp_path / "got.csv").read_bytes() == good
