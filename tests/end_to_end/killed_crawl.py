"""Crawls in processes of their own, killed at random moments, seen from the server's side."""

import json
import multiprocessing
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.lab.sites.site import SyntheticSite
from crawler.pipeline.crawl.acquire import acquire

# Children are forked from a process that has everything imported: fifty starts in seconds.
FORKSERVER = multiprocessing.get_context("forkserver")
FORKSERVER.set_forkserver_preload(
    [
        "crawler.pipeline.crawl.acquire",
        "crawler.strategies.roach",
        "crawler.strategies.sleeping_bandit",
        "crawler.strategies.acebot",
        "crawler.strategies.tallyho",
        "boto3",
        "psycopg",
    ]
)

Asked = tuple[str, str]
"""Method and path."""


@contextmanager
def served(demo: SyntheticSite, log: Path) -> Iterator[str]:
    """The demo site in a process of its own, with an access log."""
    port = _free_port()
    command = [sys.executable, "-m", "crawler", "lab", "serve", "demo", "--port", str(port)]
    pages = demo.name.split("-")[-2]
    command += ["--pages", pages, "--access-log", str(log)]
    if demo.kind.unique_ids:
        command.append("--unique-ids")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            assert "Serving" in server.stdout.readline()
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def site_at(base: str, **more: object) -> SiteConfig:
    """The demo site as a site file would describe it."""
    return SiteConfig.model_validate(
        {
            "name": "demo",
            "start_url": f"{base}/",
            "allow_private_hosts": True,
            "politeness": {"delay": 0.0},
            "early_stopping": False,
            "seed": 7,
            **more,
        }
    )


def requests_in(log: Path) -> list[Asked]:
    """What the server was asked for."""
    entries = map(json.loads, log.read_text().splitlines())
    return [(entry["method"], entry["path"]) for entry in entries]


def seen_by(log: Path) -> int:
    """How many requests the server has seen."""
    return log.read_bytes().count(b"\n") if log.exists() else 0


def crawl(site: SiteConfig, settings: Settings, environment: Mapping[str, str]) -> None:
    """The body of a crawling process; credentials come by its environment."""
    os.environ.update(environment)
    acquire(site, settings)


class Crawler:
    """Starts, kills and finishes crawls of one site into one home."""

    def __init__(
        self,
        site: SiteConfig,
        settings: Settings,
        log: Path,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._arguments = (site, settings, dict(environment or {}))
        self._log = log

    def start(self) -> multiprocessing.process.BaseProcess:
        """A crawling process."""
        process = FORKSERVER.Process(target=crawl, args=self._arguments)
        process.start()
        return process

    def to_the_end(self) -> None:
        """Crawl until nothing is left."""
        process = self.start()
        process.join()
        assert process.exitcode == 0

    def kill_again_and_again(self, kills: int, requests: int) -> list[int]:
        """Kill the crawl at random moments; how many requests were seen at each restart."""
        before = seen_by(self._log)
        chance = random.Random(2026)
        starts = []
        for moment in sorted(chance.sample(range(1, requests - 1), kills)):
            process = self.start()
            while seen_by(self._log) - before < moment and process.is_alive():
                time.sleep(0.001)
            time.sleep(chance.random() * 0.006)  # anywhere in a step: fetching, storing, committing
            process.kill()
            process.join()
            assert process.exitcode == -signal.SIGKILL, "the crawl was over before it was killed"
            time.sleep(0.1)  # a request that was in flight reaches the log of the living server
            starts.append(seen_by(self._log) - before)
        return starts


def without_repetitions(requests: list[Asked], starts: list[int]) -> list[Asked]:
    """Take off the one request per restart that may have been in flight when the kill came."""
    repeated = {start for start in starts if requests[start] == requests[start - 1]}
    return [request for index, request in enumerate(requests) if index not in repeated]
