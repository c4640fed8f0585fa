"""Three sites on two Celery workers that share S3 and PostgreSQL; one worker dies at work."""

import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from botocore.exceptions import ClientError

from crawler.lab.server import running_site
from crawler.lab.sites.answer import Answer
from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.site import SyntheticSite
from tests.end_to_end.killed_crawl import Asked, requests_in, seen_by
from tests.end_to_end.made_site import arrivals, closest
from tests.servers.airflow_celery import CeleryAirflow, Component
from tests.servers.postgres import PostgresServer
from tests.servers.seaweedfs import SeaweedServer
from tests.servers.valkey import ValkeyServer

pytestmark = pytest.mark.slow

SITES = ("north", "south", "west")
PAGES = {"north": 150, "south": 140, "west": 130}
DELAY = 0.3
REQUESTS = 8
"""Made by the worker after the last snapshot and before it is killed, at least."""
SECONDS = 2400
"""Enough for the slowest machine; nothing here is measured in time."""

ROWS = {
    "files": """
        SELECT resource.url, resource.file_name, resource.title, resource.format, resource.versions,
               resource.sightings, version.number, version.sha256, version.size,
               version.mime_declared, version.mime_detected, dataset.title, dataset.page_url
        FROM version JOIN resource ON resource.id = version.resource_id
                     JOIN dataset ON dataset.id = resource.dataset_id""",
    "sightings": """
        SELECT resource.url, sighting.page_url, sighting.page_title, sighting.anchor,
               sighting.tag_path, sighting.action
        FROM sighting JOIN resource ON resource.id = sighting.resource_id""",
    "verdicts": """
        SELECT resource.url, verdict.verdict, verdict.kind, verdict.rows, verdict.columns
        FROM verdict JOIN version ON version.id = verdict.version_id
                     JOIN resource ON resource.id = version.resource_id""",
    "runs": """
        SELECT site.name, crawl_run.stop_reason, crawl_run.requests, crawl_run.heads,
               crawl_run.pages, crawl_run.targets, crawl_run.new_versions
        FROM crawl_run JOIN site ON site.id = crawl_run.site_id""",
}


NOTICED = "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT"


def production() -> dict[str, str]:
    """The environment of the compose file."""
    compose = yaml.safe_load((Path(__file__).parents[2] / "docker-compose.yaml").read_text())
    environment: dict[str, str] = compose["x-environment"]
    return environment


class Watched:
    """A demo site that counts how many requests it answers at once."""

    def __init__(self, site: SyntheticSite) -> None:
        self._site = site
        self._lock = threading.Lock()
        self._now = 0
        self.most = 0

    def respond(self, path_and_query: str) -> Answer:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        time.sleep(0.01)  # long enough to be seen by another request
        answer = self._site.respond(path_and_query)
        with self._lock:
            self._now -= 1
        return answer

    def at(self, base: str) -> "Watched":
        self._site = self._site.at(base)
        return self


@dataclass(frozen=True)
class Held:
    """A lease: the home of the worker that has it, and its number."""

    home: Path
    fence: int


@dataclass
class Cluster:
    """Three sites, the shared servers, two workers, each with a home of its own."""

    airflow: CeleryAirflow
    s3: SeaweedServer
    bucket: str
    catalog_url: str
    folder: Path
    sites: dict[str, Watched]
    workers: dict[Path, Component] = field(default_factory=dict)

    def log(self, site: str) -> Path:
        return self.folder / f"{site}.jsonl"

    def leases(self) -> dict[str, Held]:
        """Who crawls, for every site that is crawled now."""
        told = self.query(
            "SELECT site.name, lease.holder, lease.fence"
            " FROM lease JOIN site ON site.id = lease.site_id WHERE lease.expires_at > now()"
        )
        return {
            site: Held(home, fence)
            for site, holder, fence in told
            for home in self.workers
            if holder.endswith(f":{home}")
        }

    def lease_end(self, site: str) -> float:
        """When the lease of a site ends, if nobody renews it."""
        ((end,),) = self.query(
            "SELECT extract(epoch FROM lease.expires_at)"
            f" FROM lease JOIN site ON site.id = lease.site_id WHERE site.name = '{site}'"
        )
        return float(end)

    def has_snapshot(self, site: str) -> bool:
        with suppress(ClientError):
            self.s3.client.head_object(Bucket=self.bucket, Key=f"tallyho/state/{site}/newest")
            return True
        return False

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.catalog_url) as connection:
            return connection.execute(statement).fetchall()


@pytest.fixture
def cluster(
    postgres: PostgresServer,
    valkey: ValkeyServer,
    seaweedfs: SeaweedServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Cluster]:
    postgres.start()
    seaweedfs.start()
    folder, catalog_url = tmp_path_factory.mktemp("night"), postgres.new_catalog()
    metadata_url, bucket = postgres.new_database(), seaweedfs.bucket()
    sites = {name: Watched(demo_site(PAGES[name])) for name in SITES}
    (folder / "sites").mkdir()
    (folder / "airflow").mkdir()
    environment = {
        "TALLYHO_SITES_DIR": str(folder / "sites"),
        "TALLYHO_CATALOG_URL": catalog_url,
        "TALLYHO_STORE_URL": f"s3://{bucket}/tallyho",
        "TALLYHO_S3_ENDPOINT": seaweedfs.endpoint,
        "TALLYHO_HOME": str(folder / "nobody"),
        "TALLYHO_SLICE_MINUTES": "0.4",
        "AWS_EC2_METADATA_DISABLED": "true",
        **seaweedfs.credentials.environment,
        # A dead worker is noticed as in production.
        NOTICED: production()[NOTICED],
    }
    with ExitStack() as stack:
        stack.callback(postgres.drop_database, metadata_url)
        stack.callback(postgres.drop_database, catalog_url)
        for name, site in sites.items():
            base = stack.enter_context(running_site(site, folder / f"{name}.jsonl"))
            write_site(folder / "sites", name, base, DELAY)
        airflow = stack.enter_context(
            CeleryAirflow(folder / "airflow", metadata_url, valkey.url, environment)
        )
        cluster = Cluster(airflow, seaweedfs, bucket, catalog_url, folder, sites)
        for name in ("one", "two"):
            home = folder / name
            cluster.workers[home] = airflow.start_worker(name, home)
        yield cluster


def write_site(folder: Path, name: str, base: str, delay: float) -> None:
    values = {
        "start_url": f"{base}/",
        "schedule": "@once",
        "targets": ["csv"],  # what counts here is the crawl; validating takes longer
        "allow_private_hosts": True,
        "politeness": {"delay": delay},
        "early_stopping": False,
        "seed": 7,
    }
    (folder / f"{name}.yaml").write_text(yaml.safe_dump(values))


def uninterrupted(cluster: Cluster) -> dict[str, list[tuple[Any, ...]]]:
    """The same nights in one process on one machine, from the same servers, in no time."""
    folder, home = cluster.folder / "fast", cluster.folder / "alone"
    folder.mkdir()
    for file in (cluster.folder / "sites").iterdir():
        site = yaml.safe_load(file.read_text())
        write_site(folder, file.stem, site["start_url"].rstrip("/"), 0)
    root = str(Path(__file__).parents[2])
    own = {"TALLYHO_HOME": str(home), "TALLYHO_SITES_DIR": str(folder), "PYTHONPATH": root}
    others = {name: value for name, value in os.environ.items() if "TALLYHO" not in name}
    command = [sys.executable, "-m", "crawler", "nightly"]
    done = subprocess.run(
        command, env={**others, **own}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(home / "catalog.db")) as catalog:
        return {name: sorted_rows(catalog.execute(query)) for name, query in ROWS.items()}


def sorted_rows(rows: Any) -> list[tuple[Any, ...]]:
    return sorted(map(tuple, rows), key=repr)


def went_back(seen: list[Asked], straight: list[Asked]) -> int:
    """How many requests were made twice by a crawl that went back to a snapshot once at most."""
    again = len(seen) - len(straight)
    same = [one == other for one, other in zip(seen, straight, strict=False)]
    until = same.index(False) if False in same else len(straight)
    assert seen[until:] == straight[until - again :]
    return again


def in_the_middle_of_a_slice(cluster: Cluster) -> tuple[str, Path]:
    """A site, and its worker, that has made some requests since the snapshot of another slice."""
    at_first: dict[tuple[str, int], int] = {}
    found: list[tuple[str, Path]] = []

    def is_there() -> bool:
        for site, held in cluster.leases().items():
            seen = seen_by(cluster.log(site))
            if cluster.has_snapshot(site):
                first = at_first.setdefault((site, held.fence), seen)
                if seen >= first + REQUESTS:
                    found.append((site, held.home))
        return bool(found)

    cluster.airflow.wait_for(is_there, "a crawl goes on after its first slice", SECONDS)
    return found[0]


def test_other_worker_finishes_what_a_killed_one_had_begun(cluster: Cluster) -> None:
    airflow = cluster.airflow
    runs = {name: airflow.first_run_of(f"acquire__{name}") for name in SITES}

    def all_at_work() -> bool:
        leases = cluster.leases().values()
        return len(leases) == len(SITES) and {each.home for each in leases} == set(cluster.workers)

    airflow.wait_for(all_at_work, "three crawls at once on two workers", SECONDS)
    victim, home = in_the_middle_of_a_slice(cluster)
    cluster.workers[home].kill()
    # The dead keep their leases for a while.
    disturbed = {site for site, held in cluster.leases().items() if held.home == home}
    assert victim in disturbed
    ended = cluster.lease_end(victim)

    def is_resumed() -> bool:
        held = cluster.leases().get(victim)
        return held is not None and held.home != home

    airflow.wait_for(is_resumed, "another worker has the site", SECONDS)
    # Printed, not asserted: the machine may be as busy as it likes.
    print(f"resumed {time.time() - ended:.0f} s after the end of the lease")

    def all_over() -> bool:
        return all(
            airflow.state_of(f"acquire__{name}", run) in ("success", "failed")
            for name, run in runs.items()
        )

    airflow.wait_for(all_over, "all nights are over", SECONDS)
    states = {name: airflow.state_of(f"acquire__{name}", run) for name, run in runs.items()}
    assert set(states.values()) == {"success"}, airflow.logs()
    assert airflow.tries_of(f"acquire__{victim}", runs[victim])["crawl"] > 1

    night = {name: requests_in(cluster.log(name)) for name in SITES}
    for name, site in cluster.sites.items():
        assert closest(arrivals(cluster.log(name))) >= DELAY
        assert site.most == 1
    found = {name: sorted_rows(cluster.query(query)) for name, query in ROWS.items()}
    for name, rows in uninterrupted(cluster).items():
        assert found[name] == rows
    for name, seen in night.items():
        straight = requests_in(cluster.log(name))[len(seen) :]
        again = went_back(seen, straight)
        assert again == 0 or name in disturbed
        assert again >= REQUESTS or name != victim
