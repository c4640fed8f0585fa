"""The project as a newcomer meets it: its commands, its lock files."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RUNTIME_LOCK = ROOT / "requirements.txt"
DEV_LOCK = ROOT / "requirements-dev.txt"
BUILD_LOCK = ROOT / "requirements-build.txt"
DEPENDENCY = re.compile(r'\s+"(?P<name>[\w.-]+)\S*",\s*(?P<reason># \S.*)?')
PIN = re.compile(r"[\w.-]+==[\w.+!-]+( ; .+)?")


def pins(lock: Path) -> set[str]:
    lines = [line.removesuffix("\\").rstrip() for line in lock.read_text().splitlines()]
    return {line for line in lines if line and not line.lstrip().startswith(("#", "--hash="))}


def pinned_names(lock: Path) -> set[str]:
    return {pin.partition("==")[0] for pin in pins(lock)}


def direct_dependencies(*key: str) -> list[str]:
    found = tomllib.loads((ROOT / "pyproject.toml").read_text())
    for part in key:
        found = found[part]
    return [re.split(r"[^\w.-]", dependency)[0].lower() for dependency in found]


def test_first_screen_of_the_readme_has_the_two_commands():
    screen = "\n".join((ROOT / "README.md").read_text().splitlines()[:60])
    assert "make run" in screen
    assert "make test" in screen


def test_ci_gets_a_browser_and_calls_make_test():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    lines = script.read_text().splitlines()
    assert lines[:2] == ["#!/usr/bin/env bash", "set -euo pipefail"]
    assert lines[2].startswith("cd ")
    for program, package in (("chromium", "chromium"), ("ip", "iproute2")):
        assert f"command -v {program} >/dev/null || missing+=({package})" in lines
    assert any("apt-get install" in line and "missing" in line for line in lines)
    assert lines[-1] == "make test"


def test_make_alone_tells_every_target():
    told = subprocess.run(["make", "-C", ROOT], capture_output=True, text=True, check=True).stdout
    for target in (
        "run",
        "up",
        "down",
        "test",
        "test-fast",
        "lint",
        "bench",
        "lock",
        "clean",
        "backup",
        "restore",
    ):
        assert re.search(rf"^make {target} ", told, re.MULTILINE)


def made(*words: str) -> "subprocess.CompletedProcess[str]":
    """What make would do; nothing is run."""
    command = ["make", "--dry-run", "-C", ROOT, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_make_backs_up_and_restores():
    assert re.search(r"tallyho backup \"backups/[\dT-]+\" *$", made("backup").stdout, re.MULTILINE)
    reused = made("backup", "FOLDER=/b/2", "REUSE=/b/1").stdout
    assert 'tallyho backup "/b/2" --reuse "/b/1"' in reused
    assert 'tallyho restore "/b/2"' in made("restore", "FOLDER=/b/2").stdout
    assert '"/b/2" --overwrite' in made("restore", "FOLDER=/b/2", "OVERWRITE=1").stdout
    unnamed = made("restore")
    assert unnamed.returncode == 2
    assert "make restore FOLDER=" in unnamed.stderr


def test_every_direct_dependency_has_its_reason():
    lines = (ROOT / "pyproject.toml").read_text().splitlines()
    reasons = {
        match["name"].lower(): match["reason"]
        for line in lines
        if (match := DEPENDENCY.match(line))
    }
    for name in (
        *direct_dependencies("project", "dependencies"),
        *direct_dependencies("dependency-groups", "dev"),
    ):
        assert reasons.get(name), f"{name} has no reason in pyproject.toml"


def test_every_direct_dependency_is_locked():
    assert set(direct_dependencies("project", "dependencies")) <= pinned_names(RUNTIME_LOCK)
    assert set(direct_dependencies("dependency-groups", "dev")) <= pinned_names(DEV_LOCK)


def test_locks_pin_every_line_to_one_version():
    loose = [line for line in pins(RUNTIME_LOCK) | pins(DEV_LOCK) if not PIN.fullmatch(line)]
    assert not loose


@pytest.mark.parametrize("lock", [RUNTIME_LOCK, DEV_LOCK, BUILD_LOCK], ids=lambda path: path.name)
def test_every_pin_has_the_hashes_of_its_files(lock: Path) -> None:
    blocks = re.split(r"^(?=[A-Za-z0-9])", lock.read_text(), flags=re.MULTILINE)
    without = [
        block.split()[0] for block in blocks if "==" in block and "--hash=sha256:" not in block
    ]
    assert without == []
    assert not re.search(
        r"^\s*(-i|--index|--extra-index|--find-links|.* @ )", lock.read_text(), re.M
    )


def test_build_lock_has_the_build_tool_that_the_project_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert set(project["build-system"]["requires"]) <= {
        pin.split(" ")[0] for pin in pins(BUILD_LOCK)
    }


def test_dev_lock_contains_the_runtime_lock():
    assert pins(RUNTIME_LOCK) <= pins(DEV_LOCK)


def test_licence_is_the_one_that_the_metadata_names():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["license"] == "Apache-2.0"
    text = (ROOT / "LICENSE").read_text()
    assert "Apache License\n                           Version 2.0, January 2004" in text
    assert text.rstrip().endswith("limitations under the License.")
