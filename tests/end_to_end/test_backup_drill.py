"""The drill: back up while a crawl runs, destroy everything, restore, verify, go on."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import create_engine, text

from crawler.lab.sites.demo import demo_site
from tests.end_to_end.killed_crawl import requests_in, seen_by, served
from tests.servers.postgres import PostgresServer
from tests.servers.seaweedfs import SeaweedServer

ROOT = Path(__file__).parents[2]
PAGES = 150
VERSIONS = """
    SELECT resource.url, version.number, version.sha256
    FROM version JOIN resource ON resource.id = version.resource_id
"""


class Place:
    """An installation by its settings, and how to destroy all of it."""

    def __init__(self, folder: Path, environment: dict[str, str], destroy: Callable[[], None]):
        self.folder = folder
        self._destroy = destroy
        self._environment = {
            **{name: value for name, value in os.environ.items() if "TALLYHO" not in name},
            "PYTHONPATH": str(ROOT),
            "TALLYHO_HOME": str(folder / "home"),
            "TALLYHO_SITES_DIR": str(folder / "sites"),
            **environment,
        }

    def start(self, *words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "crawler", *words],
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def ask(self, *words: str) -> Any:
        with self.start(*words, "--json") as command:
            told, errors = command.communicate()
        assert command.returncode == 0, errors
        return json.loads(told)

    def write_site(self, base: str, *, delay: float) -> None:
        values = {
            "start_url": f"{base}/",
            "allow_private_hosts": True,
            "politeness": {"delay": delay},
            "early_stopping": False,
            "seed": 7,
        }
        (self.folder / "sites").mkdir(parents=True, exist_ok=True)
        (self.folder / "sites" / "demo.yaml").write_text(yaml.safe_dump(values))

    def destroy(self) -> None:
        for part in ("home", "sites"):
            shutil.rmtree(self.folder / part)
        self._destroy()

    def versions(self) -> list[tuple[str, int, str]]:
        home = f"sqlite:///{self.folder}/home/catalog.db"
        url = self._environment.get("TALLYHO_CATALOG_URL", home)
        engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
        with engine.connect() as connection:
            rows = [tuple(row) for row in connection.execute(text(VERSIONS))]
        engine.dispose()
        return rows


@pytest.fixture
def embedded(tmp_path: Path) -> Place:
    """The defaults: SQLite and a folder, all below one home."""
    return Place(tmp_path / "place", {}, lambda: None)


@pytest.fixture
def shared(seaweedfs: SeaweedServer, postgres: PostgresServer, tmp_path: Path) -> Iterator[Place]:
    """PostgreSQL and SeaweedFS."""
    postgres.start()
    seaweedfs.start()
    url, bucket, client = postgres.new_catalog(), seaweedfs.bucket(), seaweedfs.client

    def destroy() -> None:
        postgres.drop_database(url)
        name = url.rpartition("/")[2]
        postgres.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
        for page in client.get_paginator("list_objects_v2").paginate(Bucket=bucket):
            for entry in page.get("Contents", ()):
                client.delete_object(Bucket=bucket, Key=entry["Key"])
        client.delete_bucket(Bucket=bucket)
        client.create_bucket(Bucket=bucket)

    environment = {
        "TALLYHO_CATALOG_URL": url,
        "TALLYHO_STORE_URL": f"s3://{bucket}/tallyho",
        "TALLYHO_S3_ENDPOINT": seaweedfs.endpoint,
        "AWS_EC2_METADATA_DISABLED": "true",
        **seaweedfs.credentials.environment,
    }
    yield Place(tmp_path / "place", environment, destroy)
    postgres.start()
    postgres.drop_database(url)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["embedded", "shared"])
def test_nothing_is_lost_and_crawls_go_on(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    place: Place = request.getfixturevalue(kind)
    site, log, backup = demo_site(PAGES), tmp_path / "access.jsonl", tmp_path / "backup"
    truth = {path: sha256(site.respond(path).body).hexdigest() for path in site.target_paths()}
    with served(site, log) as base:
        place.write_site(base, delay=0.2)
        crawl = place.start("crawl", "demo")
        while seen_by(log) < 40:
            assert crawl.poll() is None, crawl.communicate()
            time.sleep(0.05)
        known = requests_in(log)[:-1]  # the last one may not have been recorded yet
        made = place.ask("backup", str(backup))
        assert crawl.poll() is None, "the crawl ended before the backup did"
        assert made["missing"] == []
        crawl.kill()
        crawl.communicate()
        until = len(requests_in(log))

        place.destroy()
        restored = place.ask("restore", str(backup))
        assert restored["missing"] == []
        assert restored["blobs"] == made["blobs"] > 0
        assert place.ask("catalog", "verify", "--deep")["total"] == 0
        before = place.versions()
        assert 0 < len(before) < len(truth)

        place.write_site(base, delay=0)
        summary = place.ask("crawl", "demo")
        assert summary["stop_reason"] == "frontier_empty"
        # It went on: what the state knew when it was backed up was not asked for again.
        assert not set(known) & set(requests_in(log)[until:])
    assert place.ask("catalog", "verify", "--deep")["total"] == 0
    after = place.versions()
    assert {"/" + url.split("/", 3)[3]: digest for url, _, digest in after} == truth
    assert {number for _, number, _ in after} == {1}
    assert set(before) <= set(after)
