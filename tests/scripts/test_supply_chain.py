"""Digests of base images are renewed by a command; a stand-in for docker notes what it is asked."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DIGEST = "sha256:" + "0123456789abcdef" * 4
FAKE_DOCKER = """#!/bin/sh
echo "$@" >> {log}
echo {answer}
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "scripts", tmp_path / "checkout" / "scripts")
    for name in ("Dockerfile", "docker-compose.yaml"):
        shutil.copy(ROOT / name, tmp_path / "checkout")
    return tmp_path / "checkout"


def renew(checkout: Path, answer: str) -> "subprocess.CompletedProcess[str]":
    folder = checkout.parent / "bin"
    folder.mkdir(exist_ok=True)
    docker = folder / "docker"
    docker.write_text(FAKE_DOCKER.format(log=checkout.parent / "log", answer=answer))
    docker.chmod(0o755)
    return subprocess.run(
        [sys.executable, checkout / "scripts" / "supply_chain.py", "images"],
        env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_image_gets_the_digest_that_docker_tells(checkout: Path) -> None:
    result = renew(checkout, DIGEST)
    assert result.returncode == 0, result.stderr
    compose = (checkout / "docker-compose.yaml").read_text()
    for image in ("postgres:18.6", "valkey/valkey:9.1.2", "chrislusf/seaweedfs:4.48"):
        assert f"image: {image}@{DIGEST}\n" in compose
    dockerfile = (checkout / "Dockerfile").read_text()
    for image in ("PYTHON=python:3.11.14-slim-bookworm", "BUILDER=python:3.11.14-bookworm"):
        assert f"ARG {image}@{DIGEST}\n" in dockerfile
    asked = (checkout.parent / "log").read_text().splitlines()
    assert len(asked) == 5
    other = DIGEST[:-1] + "0"
    renew(checkout, other)
    assert DIGEST not in (checkout / "docker-compose.yaml").read_text()
    assert f"postgres:18.6@{other}\n" in (checkout / "docker-compose.yaml").read_text()


def test_an_answer_that_is_no_digest_changes_nothing(checkout: Path) -> None:
    before = (checkout / "docker-compose.yaml").read_text()
    result = renew(checkout, "toomanyrequests")
    assert result.returncode == 1
    assert "toomanyrequests" in result.stderr
    assert (checkout / "docker-compose.yaml").read_text() == before
