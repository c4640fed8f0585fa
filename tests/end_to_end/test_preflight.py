"""Store, catalog and disk are asked before the website: what cannot be kept is not asked for."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from crawler.cli import app
from crawler.errors import ExitCode
from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site
from tests.end_to_end.desk import Desk
from tests.servers.seaweedfs import SeaweedServer


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def log(desk: Desk) -> Iterator[Path]:
    """The demo site is served while the test runs; its access log."""
    path = desk.folder / "access.jsonl"
    with running_site(demo_site(pages=20), path) as base:
        desk.describe(base, politeness={"delay": 0})
        yield path


@pytest.fixture
def closed_port() -> Iterator[int]:
    """Bound by nobody who listens, so that every connection is refused."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


def crawl(desk: Desk, **settings: str) -> Result:
    environment = desk.environment | {f"TALLYHO_{name}": each for name, each in settings.items()}
    return CliRunner().invoke(app, ["crawl", "office"], env=environment)


@pytest.mark.usefixtures("s3_bucket")
def test_wrong_s3_endpoint_is_named_and_the_website_is_not_asked(
    desk: Desk, log: Path, closed_port: int
) -> None:
    endpoint = f"http://127.0.0.1:{closed_port}"
    result = crawl(desk, STORE_URL="s3://statistics/store", S3_ENDPOINT=endpoint)
    assert result.exit_code == ExitCode.STORAGE
    assert f"s3://statistics/store/check at {endpoint}: no answer" in result.stderr
    assert not log.read_text()


@pytest.mark.usefixtures("s3_bucket")
def test_server_that_is_no_object_store_is_told(desk: Desk, log: Path) -> None:
    with running_site(demo_site(pages=3), desk.folder / "other.jsonl") as other:
        result = crawl(desk, STORE_URL="s3://statistics/store", S3_ENDPOINT=other)
    assert result.exit_code == ExitCode.STORAGE
    assert f"at {other}" in result.stderr
    assert not log.read_text()


def test_missing_bucket_and_the_key_used_are_named(
    desk: Desk, log: Path, seaweedfs: SeaweedServer, s3_bucket: str
) -> None:
    absent = f"{s3_bucket}-absent"
    result = crawl(desk, STORE_URL=f"s3://{absent}/store", S3_ENDPOINT=seaweedfs.endpoint)
    key = seaweedfs.credentials.access_key
    assert result.exit_code == ExitCode.STORAGE
    assert f"s3://{absent}/store/check at {seaweedfs.endpoint}: there is no such bucket" in (
        result.stderr
    )
    assert f"the access key used ends in '{key[-4:]}'" in result.stderr
    assert key not in result.stderr
    assert not log.read_text()


def test_catalog_that_does_not_answer_is_named_with_its_user(
    desk: Desk, log: Path, closed_port: int
) -> None:
    result = crawl(desk, CATALOG_URL=f"postgresql://clerk:hush@127.0.0.1:{closed_port}/statistics")
    assert result.exit_code == ExitCode.STORAGE
    address = f"postgresql://127.0.0.1:{closed_port}/statistics"
    assert f"catalog {address} (user clerk): " in result.stderr
    assert "hush" not in result.stderr
    assert not log.read_text()


def test_catalog_without_tables_is_told_before_the_website_is_asked(
    desk: Desk, log: Path, postgres_url: str
) -> None:
    result = crawl(desk, CATALOG_URL=postgres_url)
    assert result.exit_code == ExitCode.STORAGE
    assert "run `tallyho catalog upgrade`" in result.stderr
    assert not log.read_text()


def test_store_that_cannot_be_written_is_named(desk: Desk, log: Path) -> None:
    (desk.home / "store" / "check").mkdir(parents=True)
    result = crawl(desk)
    assert result.exit_code == ExitCode.STORAGE
    assert str(desk.home / "store" / "check") in result.stderr
    assert not log.read_text()


def test_check_leaves_one_object_however_often_it_is_made(desk: Desk, log: Path) -> None:
    for _ in range(2):
        assert crawl(desk).exit_code == ExitCode.DONE
    assert log.read_text()
    assert sorted(path.name for path in (desk.home / "store").iterdir()) == [
        "blobs",
        "check",
        "spool",
    ]
