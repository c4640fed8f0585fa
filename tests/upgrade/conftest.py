"""Homes of the version before: each test unpacks a copy for itself."""

import json
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from crawler.cli import app
from crawler.config.settings import Settings
from tests.upgrade.make_homes import site_file

HERE = Path(__file__).parent
VERSION = "0.1"


@dataclass(frozen=True)
class OldHome:
    """A home that the version before made."""

    folder: Path

    @property
    def settings(self) -> Settings:
        return Settings(home=self.folder / "home", sites_dir=self.folder / "sites")

    def describe(self, proxy: str, strategy: str) -> None:
        """The site file as it was, but for the port of the proxy."""
        site_file(self.folder / "sites", proxy, strategy)

    def run(self, *arguments: str) -> Result:
        """A command of this version, which must succeed."""
        places = {
            "TALLYHO_HOME": str(self.folder / "home"),
            "TALLYHO_SITES_DIR": str(self.folder / "sites"),
        }
        result = CliRunner().invoke(app, list(arguments), env=places)
        assert result.exit_code == 0, result.output
        return result

    def json(self, *arguments: str) -> Any:
        """What a command prints for scripts."""
        return json.loads(self.run(*arguments, "--json").stdout)

    def manifest(self) -> list[dict[str, Any]]:
        """The lines of the manifest."""
        lines = (self.folder / "home" / "manifests" / "office.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]


@pytest.fixture
def old_home(tmp_path: Path) -> Callable[[str], OldHome]:
    """Unpacks a home by its name."""

    def unpack(name: str) -> OldHome:
        with tarfile.open(HERE / f"{VERSION}-{name}.tar.xz") as archive:
            archive.extractall(tmp_path, filter="data")
        return OldHome(tmp_path)

    return unpack
