"""Crawls into S3 and PostgreSQL: killed, cut off, and carried on by another machine."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from crawler.catalog.upkeep.verify import verify
from crawler.config.settings import Settings
from crawler.errors import ExitCode, StorageError
from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.site import SyntheticSite
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.services import open_services
from tests.end_to_end.killed_crawl import Crawler, requests_in, seen_by, served, site_at
from tests.servers.postgres import PostgresServer
from tests.servers.seaweedfs import SeaweedServer


@dataclass(frozen=True)
class Shared:
    """A bucket and a database of a test's own."""

    s3: SeaweedServer
    postgres: PostgresServer
    bucket: str
    catalog_url: str

    def settings(self, home: Path) -> Settings:
        return Settings(
            home=home,
            store_url=f"s3://{self.bucket}/tallyho",
            s3_endpoint=self.s3.endpoint,
            catalog_url=SecretStr(self.catalog_url),
        )


@pytest.fixture
def shared(
    seaweedfs: SeaweedServer, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Shared]:
    for name, value in seaweedfs.credentials.environment.items():
        monkeypatch.setenv(name, value)
    url = postgres.new_catalog()
    yield Shared(seaweedfs, postgres, seaweedfs.bucket(), url)
    postgres.start()
    seaweedfs.start()
    postgres.drop_database(url)


def truth_of(demo: SyntheticSite) -> dict[str, str]:
    return {path: sha256(demo.respond(path).body).hexdigest() for path in demo.target_paths()}


def assert_everything_agrees(demo: SyntheticSite, shared: Shared, settings: Settings) -> None:
    truth = truth_of(demo)
    lines = settings.manifest_path("demo").read_text().splitlines()
    manifest = [json.loads(line) for line in lines]
    assert sorted("/" + entry["url"].split("/", 3)[3] for entry in manifest) == sorted(truth)
    with psycopg.connect(shared.catalog_url) as connection:
        versions = connection.execute(
            "SELECT resource.url, version.number, version.sha256"
            " FROM version JOIN resource ON resource.id = version.resource_id"
        ).fetchall()
    recorded = {"/" + url.split("/", 3)[3]: digest for url, _, digest in versions}
    assert len(versions) == len(recorded)
    assert recorded == truth
    with open_services(settings) as services:
        assert {blob.sha256 for blob in services.store.blobs()} == set(truth.values())
        assert verify(services.database, services.store, deep=True).problems == []


@pytest.mark.slow
def test_fifty_kills_lose_nothing_and_store_nothing_twice(shared: Shared, tmp_path: Path) -> None:
    demo = demo_site(600)
    log, settings = tmp_path / "access.jsonl", shared.settings(tmp_path / "home")
    with served(demo, log) as base:
        crawler = Crawler(site_at(base), settings, log, shared.s3.credentials.environment)
        crawler.kill_again_and_again(50, 900)
        crawler.to_the_end()
    assert len(requests_in(log)) <= 1040 + 50 + 5
    assert_everything_agrees(demo, shared, settings)


@pytest.mark.slow
def test_another_machine_goes_on_from_the_snapshot(shared: Shared, tmp_path: Path) -> None:
    demo = demo_site(60)
    log = tmp_path / "access.jsonl"
    with served(demo, log) as base:
        acquire(site_at(base, budget={"requests": 40}), shared.settings(tmp_path / "first"))
        begun = requests_in(log)
        second = shared.settings(tmp_path / "second")
        summary = acquire(site_at(base), second)
        asked = requests_in(log)
    assert summary.resumed
    assert summary.complete
    assert not set(begun) & set(asked[len(begun) :])
    assert_everything_agrees(demo, shared, second)


def wait_for(log: Path, requests: int) -> None:
    while seen_by(log) < requests:
        time.sleep(0.002)


# The crawl is the one in a thread of its own: a server ends with the thread that started it.


@pytest.mark.slow
@pytest.mark.parametrize("which", ["s3", "postgres"])
def test_long_outage_ends_the_crawl_and_the_next_run_completes_it(
    which: str, shared: Shared, tmp_path: Path
) -> None:
    demo = demo_site(60)
    log, settings = tmp_path / "access.jsonl", shared.settings(tmp_path / "home")
    server = shared.s3 if which == "s3" else shared.postgres
    with served(demo, log) as base, ThreadPoolExecutor() as pool:
        site = site_at(base, politeness={"delay": 0.01})
        crawling = pool.submit(acquire, site, settings, max_outage=3)
        wait_for(log, 40)
        server.stop()
        with pytest.raises(StorageError) as caught:
            crawling.result()
        assert caught.value.exit_code is ExitCode.STORAGE
        server.start()
        assert acquire(site, settings).complete
    assert_everything_agrees(demo, shared, settings)


@pytest.mark.slow
@pytest.mark.parametrize("which", ["s3", "postgres"])
def test_short_outage_is_waited_for(which: str, shared: Shared, tmp_path: Path) -> None:
    demo = demo_site(60)
    log, settings = tmp_path / "access.jsonl", shared.settings(tmp_path / "home")
    server = shared.s3 if which == "s3" else shared.postgres
    with served(demo, log) as base, ThreadPoolExecutor() as pool:
        site = site_at(base, politeness={"delay": 0.01})
        crawling = pool.submit(acquire, site, settings)
        wait_for(log, 40)
        server.stop()
        time.sleep(2)
        server.start()
        assert crawling.result().complete
    assert_everything_agrees(demo, shared, settings)
