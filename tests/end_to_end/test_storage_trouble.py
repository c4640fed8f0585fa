"""Disks that are full, stores that cannot be written, and two crawls of one site."""

import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.errors import ExitCode, StorageError
from crawler.lab.server import running_site
from crawler.lab.sites.answer import Answer
from crawler.lab.sites.demo import demo_site
from crawler.pipeline.crawl.watch import View, Watch
from crawler.state.stop import StopReason
from tests.end_to_end.desk import Desk
from tests.end_to_end.made_site import MadeSite, arrivals, file, page

MORE_THAN_ANY_DISK = 10**18
DEMO = demo_site(pages=60)
TARGETS = len(list(DEMO.target_paths()))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def log(desk: Desk) -> Iterator[Path]:
    """The demo site is served while the test runs; its access log."""
    path = desk.folder / "access.jsonl"
    with running_site(DEMO, path) as base:
        desk.describe(base, politeness={"delay": 0}, strategy="bfs", budget={"requests": 60})
        yield path


def most_gets_of_one_url(log: Path) -> int:
    asked = Counter(seen.path for seen in arrivals(log) if seen.method == "GET")
    return asked.most_common(1)[0][1]


def test_nearly_full_disk_stops_the_crawl_and_the_next_run_goes_on(desk: Desk, log: Path) -> None:
    assert desk.acquire().stop_reason is StopReason.BUDGET_REQUESTS
    before = len(arrivals(log))

    full = desk.acquire(min_free_bytes=MORE_THAN_ANY_DISK)

    assert full.stop_reason is StopReason.DISK_FULL
    assert len(arrivals(log)) == before
    while not (summary := desk.acquire()).complete:
        assert summary.stop_reason is StopReason.BUDGET_REQUESTS
    assert len(desk.manifest()) == TARGETS
    assert most_gets_of_one_url(log) == 1


def test_store_that_is_no_folder_is_told_before_anything_is_asked(desk: Desk, log: Path) -> None:
    desk.home.mkdir()
    (desk.home / "store").write_text("not a folder")

    result = desk.command()

    assert result.exit_code == ExitCode.STORAGE
    assert f"{desk.home / 'store'}" in result.stderr.splitlines()[-1]
    assert not log.read_text()


def test_spool_that_is_lost_ends_the_run_and_loses_no_file(desk: Desk, log: Path) -> None:
    """Without its spool a file cannot be received; the one in work is asked for once more."""
    assert desk.command("--requests", "20").exit_code == ExitCode.DONE
    spool = desk.home / "store" / "spool"

    def lose_spool(_: View) -> None:
        shutil.rmtree(spool)
        spool.write_text("not a folder")

    with pytest.raises(StorageError, match="spool"):
        desk.acquire(watch=Watch(on_start=lose_spool))
    assert desk.command("--requests", "1000").exit_code == ExitCode.STORAGE
    spool.unlink()
    result = desk.command("--requests", "1000", "--json")

    assert result.exit_code == ExitCode.DONE
    assert len(desk.manifest()) == TARGETS
    asked = Counter(seen.path for seen in arrivals(log))
    assert sorted(asked.values())[-2:] == [1, 2]


@pytest.mark.slow
def test_second_crawl_of_a_site_exits_5_and_asks_nothing(desk: Desk) -> None:
    reached, released = threading.Event(), threading.Event()

    def slow_file() -> Answer:
        reached.set()
        assert released.wait(60)
        return file("a")

    log = desk.folder / "access.jsonl"
    with running_site(MadeSite({"/": page("/a.csv"), "/a.csv": slow_file}), log) as base:
        desk.describe(base, politeness={"delay": 0}, strategy="bfs")
        with desk.process("--json") as first:
            try:
                assert reached.wait(60)
                with desk.process() as second:
                    _, told = second.communicate(timeout=60)
            finally:
                released.set()
            first.communicate(timeout=60)

    assert second.returncode == ExitCode.BUSY
    assert f"another run holds this site (process {first.pid})" in told
    assert first.returncode == ExitCode.DONE
    assert [seen.path for seen in arrivals(log)] == ["/robots.txt", "/", "/a.csv"]
    assert len(desk.manifest()) == 1
