"""The power fails at any moment of a crawl: after one more run, everything agrees again."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.services import open_services
from crawler.state.crawl_state import CrawlState
from crawler.state.kept_files import kept_files
from crawler.state.stop import StopReason
from tests.end_to_end.power.disk import Disk, Operation, build_shim, read_log
from tests.pipeline.crawl.page_server import csv, html, serving
from tests.pipeline.crawl.test_step_watch import site_of

pytestmark = pytest.mark.slow

CUTS = int(os.environ.get("TALLYHO_TEST_POWER_CUTS", "60"))
PAGES_OF_FILES = 6
FILES_OF_A_PAGE = 5

CRAWL = """
import sys
from pathlib import Path
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.pipeline.crawl.acquire import acquire
acquire(SiteConfig.model_validate_json(sys.argv[1]), Settings(home=Path(sys.argv[2])))
"""

FILES = {
    f"/{page}/{number}.csv": csv(
        "region,year,value\n"
        + "".join(f"Nord,{y},{page * number + y}\n" for y in range(2000, 2020))
    )
    for page in range(PAGES_OF_FILES)
    for number in range(1, FILES_OF_A_PAGE + 1)
}
SITE = {
    "/": html("".join(f"<a href=/{page}/>Part {page}</a>" for page in range(PAGES_OF_FILES))),
    **{
        f"/{page}/": html(
            "".join(
                f"<a href=/{page}/{n}.csv>Table {page} {n}</a>"
                for n in range(1, FILES_OF_A_PAGE + 1)
            )
        )
        for page in range(PAGES_OF_FILES)
    },
    **FILES,
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(SITE) as (running, _):
        yield running


def logged_crawl(site: SiteConfig, home: Path, folder: Path) -> list[Operation]:
    """What a whole crawl asked the disk for."""
    environment = os.environ | {
        "LD_PRELOAD": str(build_shim(folder)),
        "POWER_ROOT": str(home),
        "POWER_LOG": str(folder / "disk.log"),
    }
    given = site.model_dump_json(exclude_unset=True)
    subprocess.run(
        [sys.executable, "-c", CRAWL, given, str(home)], check=True, env=environment, timeout=300
    )
    return read_log(folder / "disk.log")


def differences(
    settings: Settings, site: SiteConfig, files: Mapping[str, tuple[str, bytes]] = FILES
) -> list[str]:
    """What state, catalog, store, manifest and server do not agree on."""
    base = site.start_url.rstrip("/")
    expected = {base + path: hashlib.sha256(body).hexdigest() for path, (_, body) in files.items()}
    with closing(CrawlState(settings.state_path(site.name))) as state:
        in_state = [(file.url, file.download.sha256) for file in kept_files(state)]
    lines = settings.manifest_path(site.name).read_text().splitlines()
    in_manifest = [(entry["url"], entry["sha256"]) for entry in map(json.loads, lines)]
    query = "SELECT url, sha256 FROM resource JOIN version ON version.resource_id = resource.id"
    with open_services(settings) as services, services.database.reading() as session:
        in_catalog = [(row[0], row[1]) for row in session.connection().execute(text(query))]
        counts = session.connection().execute(text("SELECT url, versions FROM resource"))
        wrong = [f"versions of {url}: {versions}" for url, versions in counts if versions != 1]
    for place, listed in (("state", in_state), ("manifest", in_manifest), ("catalog", in_catalog)):
        if sorted(listed) != sorted(expected.items()):
            missing = set(expected) - {url for url, _ in listed}
            wrong.append(f"{place}: {len(listed)} files, without {sorted(missing)[:3]}")
    for sha256 in set(expected.values()):
        path = Path(settings.store_place) / "blobs" / "sha256" / sha256[:2] / sha256
        if not path.exists() or hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
            wrong.append(f"store: {sha256}")
    return wrong


def test_everything_agrees_after_one_more_run(address: str, tmp_path: Path) -> None:
    settings, site = Settings(home=tmp_path / "home"), site_of(address)
    operations = logged_crawl(site, settings.home, tmp_path)
    assert sum(operation.kind == "S" for operation in operations) > 50
    assert differences(settings, site) == []
    chance = Random(14)
    moments = sorted(chance.sample(range(1, len(operations)), CUTS))
    disk, done, failures = Disk(settings.home), 0, {}
    for moment in moments:
        for operation in operations[done:moment]:
            disk.do(operation)
        done = moment
        disk.after_failure(chance)
        summary = acquire(site, settings, min_free_bytes=0)
        assert summary.stop_reason is StopReason.FRONTIER_EMPTY
        if wrong := differences(settings, site):
            failures[moment] = wrong
    assert failures == {}
