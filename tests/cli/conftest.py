"""A made statistics office on loopback, and a desk to crawl it from."""

import json
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from crawler.cli import app
from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site

OFFICE = demo_site(pages=60)


@dataclass(frozen=True)
class Office:
    """The demo site, as it is served."""

    base: str
    log: Path
    targets: int

    def asked(self, method: str = "GET") -> list[str]:
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [line["path"] for line in lines if line["method"] == method]


@dataclass(frozen=True)
class Desk:
    """A home and a folder of site files of their own."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def environment(self) -> dict[str, str]:
        return {
            "TALLYHO_HOME": str(self.home),
            "TALLYHO_SITES_DIR": str(self.folder / "sites"),
            "TALLYHO_STORE_URL": "",
            "TALLYHO_LOG_LEVEL": "",
        }

    def add_site(self, name: str, base: str, **values: object) -> None:
        folder = self.folder / "sites"
        folder.mkdir(exist_ok=True)
        site = {
            "start_url": f"{base}/",
            "allow_private_hosts": True,
            "politeness": {"delay": 0, "retries": 0},
            **values,
        }
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(site))

    def run(self, *arguments: str) -> Any:
        return CliRunner().invoke(app, list(arguments), env=self.environment)

    def json(self, *arguments: str) -> Any:
        return json.loads(self.run(*arguments, "--json").stdout)

    def link(self, column: str, value: object) -> str:
        """The URL of some link of the demo's crawl state."""
        state = sqlite3.connect(self.home / "state" / "demo.db")
        try:
            query = f"SELECT url FROM link WHERE {column} = ? ORDER BY id"
            return str(state.execute(query, (value,)).fetchone()[0])
        finally:
            state.close()


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    for name in [name for name in os.environ if name.startswith("TALLYHO_")]:
        monkeypatch.delenv(name)
    return Desk(tmp_path)


@pytest.fixture
def office(desk: Desk) -> Iterator[Office]:
    """The office with an access log of its own; the desk knows it as `demo`."""
    log = desk.folder / "access.jsonl"
    with running_site(OFFICE, log) as base:
        desk.add_site("demo", base)
        yield Office(base, log, len(list(OFFICE.target_paths())))


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desk whose crawl of `demo` is complete; tests only read it."""
    desk = Desk(tmp_path_factory.mktemp("finished"))
    with running_site(OFFICE) as base:
        desk.add_site("demo", base)
        assert desk.run("crawl", "demo").exit_code == 0
    return desk
