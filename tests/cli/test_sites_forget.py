"""`tallyho sites forget`: the state goes, the files stay unless they are to go, too."""

from pathlib import Path
from typing import Any

import pytest

from crawler.config.settings import Settings
from crawler.errors import ExitCode
from crawler.state.lock import site_lock


@pytest.fixture
def crawled(desk: Any, office: Any) -> Any:
    """A desk whose demo site was crawled for a while."""
    desk.add_site("demo", office.base, budget={"requests": 30})
    assert desk.run("crawl", "demo").exit_code == 0
    return desk


def blobs(home: Path) -> list[Path]:
    return [path for path in (home / "store" / "blobs").rglob("*") if path.is_file()]


def test_enabled_site_is_not_forgotten(crawled: Any) -> None:
    result = crawled.run("sites", "forget", "demo")
    assert result.exit_code == ExitCode.CONFIG
    assert "its site file is enabled" in result.stderr


def test_state_goes_and_files_stay(crawled: Any, office: Any) -> None:
    files = len(blobs(crawled.home))
    assert files > 0
    (crawled.folder / "sites" / "demo.yaml").unlink()
    assert [item["site"] for item in crawled.json("status")["items"]] == ["demo"]

    told = crawled.json("sites", "forget", "demo")

    assert (told["files_removed"], len(blobs(crawled.home))) == (0, files)
    assert told["files_kept"] >= files
    assert not list((crawled.home / "state").glob("demo.db*"))
    assert not list((crawled.home / "manifests").glob("demo*"))
    assert crawled.json("status")["items"] == []
    assert crawled.json("sites", "list")["items"] == []
    assert crawled.json("catalog", "search")["total"] > 0
    assert crawled.json("upkeep")["without_file"] == []

    crawled.add_site("demo", office.base, budget={"requests": 30})
    assert [item["name"] for item in crawled.json("sites", "list")["items"]] == ["demo"]
    assert crawled.run("crawl", "demo").exit_code == 0


def test_files_go_too_where_that_is_asked(crawled: Any) -> None:
    (crawled.folder / "sites" / "demo.yaml").unlink()
    told = crawled.json("sites", "forget", "demo", "--with-files")
    assert told["files_removed"] > 0
    assert blobs(crawled.home) == []
    assert crawled.json("catalog", "search")["total"] == 0


def test_site_in_work_and_an_unknown_one_are_left_alone(crawled: Any) -> None:
    assert crawled.run("sites", "forget", "nobody").exit_code == ExitCode.USAGE
    (crawled.folder / "sites" / "demo.yaml").unlink()
    lock = Settings(home=crawled.home).state_path("demo").with_suffix(".lock")
    with site_lock(lock, "demo"):
        assert crawled.run("sites", "forget", "demo").exit_code == ExitCode.BUSY
    assert (crawled.home / "state" / "demo.db").exists()
