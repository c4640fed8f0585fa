"""No page and no robots.txt takes more than a step may, and the crawl brings the rest home."""

import os
import signal
import time
from pathlib import Path

import pytest

from crawler.lab.server import running_site
from crawler.pipeline.crawl.step_watch import MAX_STEP_BYTES
from tests.end_to_end.desk import Desk
from tests.hostile.bombed_site import bombed_pages, bombed_robots, crawl_bombed
from tests.hostile.page_bombs import GROUPS, LINKS, NAMES, TEXTS, PageBomb
from tests.hostile.robots_bombs import BOMBS, RobotsBomb

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("group", GROUPS)
def test_page_bombs_cost_little_and_the_rest_of_the_site_is_acquired(
    group: str, tmp_path: Path
) -> None:
    bombed = bombed_pages(GROUPS[group])
    with running_site(bombed.site) as base:
        crawled = crawl_bombed(base, tmp_path)
    assert crawled.stop_reason == "frontier_empty"
    assert bombed.files - crawled.files == set()
    assert "poisonous" not in crawled.skipped
    assert crawled.grown < MAX_STEP_BYTES


@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb.name)
def test_robots_bomb_costs_little_and_the_site_is_acquired(
    bomb: RobotsBomb, tmp_path: Path
) -> None:
    bombed = bombed_robots(bomb)
    with running_site(bombed.site) as base:
        crawled = crawl_bombed(base, tmp_path)
    assert crawled.stop_reason == "frontier_empty"
    assert crawled.files == bombed.files
    assert crawled.grown < MAX_STEP_BYTES // 4


@pytest.mark.parametrize(
    "bomb",
    [NAMES[1], LINKS[0], TEXTS[0]],
    ids=lambda bomb: bomb.name,
)
def test_interrupted_within_a_bomb_the_crawl_ends_and_is_resumed(
    bomb: PageBomb, tmp_path: Path
) -> None:
    bombed, desk, log = bombed_pages([bomb]), Desk(tmp_path), tmp_path / "log"
    with running_site(bombed.site, log) as base:
        desk.describe(base, politeness={"delay": 0}, early_stopping=False, strategy="bfs")
        with desk.process() as process:
            while process.poll() is None and not _is_asked(log, f"/bomb/{bomb.name}"):
                time.sleep(0.005)
            os.kill(process.pid, signal.SIGINT)
            process.wait(timeout=120)
            assert process.returncode in (0, 130)
        desk.acquire()
    kept = {entry["url"].removeprefix(base) for entry in desk.manifest()}
    assert kept == bombed.files


def _is_asked(log: Path, path: str) -> bool:
    return log.exists() and path in log.read_text()


def test_there_are_60_page_bombs_and_20_robots_bombs() -> None:
    names = [bomb.name for bombs in GROUPS.values() for bomb in bombs]
    assert len(set(names)) == len(names) >= 60
    assert len({bomb.name for bomb in BOMBS}) == len(BOMBS) >= 20
