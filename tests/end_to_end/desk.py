"""A home and a site file of its own, and three ways to crawl: a call, the command, a process."""

import json
import os
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from typer.testing import CliRunner, Result

from crawler.cli import app
from crawler.config.load import find_site
from crawler.config.settings import Settings
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.crawl.summary import CrawlSummary

SITE = "office"


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything below one folder; the site is always called `office`."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def settings(self) -> Settings:
        return Settings(home=self.home, sites_dir=self.folder / "sites")

    @property
    def environment(self) -> dict[str, str]:
        own = {"TALLYHO_HOME": str(self.home), "TALLYHO_SITES_DIR": str(self.folder / "sites")}
        others = {k: v for k, v in os.environ.items() if not k.startswith("TALLYHO_")}
        return others | own

    def describe(self, base: str, **values: object) -> None:
        """Write the site file; a second time replaces it."""
        (self.folder / "sites").mkdir(exist_ok=True)
        site = {"start_url": f"{base}/", "allow_private_hosts": True, **values}
        (self.folder / "sites" / f"{SITE}.yaml").write_text(yaml.safe_dump(site))

    def acquire(self, **options: Any) -> CrawlSummary:
        """Crawl in this process."""
        return acquire(find_site(SITE, self.settings.sites_dir), self.settings, **options)

    def command(self, *options: str) -> Result:
        """Crawl with the command, in this process."""
        return CliRunner().invoke(app, ["crawl", SITE, *options], env=self.environment)

    def run(self, *arguments: str) -> str:
        """What a command prints."""
        return CliRunner().invoke(app, list(arguments), env=self.environment).stdout

    def json(self, *arguments: str) -> Any:
        """What a command prints for scripts."""
        return json.loads(self.run(*arguments, "--json"))

    def process(self, *options: str) -> "subprocess.Popen[str]":
        """Crawl with the command, in a process of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "crawler", "crawl", SITE, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
        )

    def manifest(self) -> list[dict[str, Any]]:
        lines = (self.home / "manifests" / f"{SITE}.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Ask the crawl state, or change it as time would."""
        state = sqlite3.connect(self.home / "state" / f"{SITE}.db")
        try:
            rows = state.execute(sql, values).fetchall()
            state.commit()
            return rows
        finally:
            state.close()
