"""Sites with bombs on them, and crawls of them in processes whose memory is watched."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.lab.sites.answer import Answer
from crawler.pipeline.crawl.acquire import acquire
from tests.end_to_end.killed_crawl import FORKSERVER
from tests.end_to_end.made_site import MadeSite, file, page
from tests.hostile.page_bombs import PageBomb
from tests.hostile.robots_bombs import RobotsBomb

FILES = 10
LINKS = 2000
"""Links that are compared with the rules of a robots.txt."""
MAX_SECONDS = 300.0
_HIGH_WATER = re.compile(r"VmHWM:\s+(\d+) kB")


@dataclass(frozen=True, slots=True)
class Bombed:
    """A site, and the files that a crawl of it must bring home."""

    site: MadeSite
    files: frozenset[str]


def bombed_pages(bombs: Sequence[PageBomb]) -> Bombed:
    """Pages of good files between the bombs, and a file behind each bomb that can be read."""
    answers: dict[str, Answer] = {}
    files, start = set(), []
    for bomb in bombs:
        beside, behind = f"/beside/{bomb.name}.csv", f"/behind/{bomb.name}.csv"
        start += [f"/bomb/{bomb.name}", beside]
        # Served anew for each request: 60 bodies at once would be the memory of this process.
        answers |= {beside: file(bomb.name), behind: file(f"behind {bomb.name}")}
        answers[f"/bomb/{bomb.name}"] = bomb.make(behind)
        files |= {beside, behind} if bomb.shows_file else {beside}
    answers["/"] = page(*start)
    return Bombed(MadeSite(answers), frozenset(files))


def bombed_robots(bomb: RobotsBomb) -> Bombed:
    """Good files, and a page of links that each are compared with all rules."""
    files = [f"/files/{number}.csv" for number in range(FILES)]
    answers: dict[str, Answer] = {name: file(name) for name in files}
    answers["/robots.txt"] = bomb.answer()
    many = [f"/{'a' * (number % 50)}/{number}.png" for number in range(LINKS)]
    answers["/"] = page("/files/list", *many)
    answers["/files/list"] = page(*files, *many)
    return Bombed(MadeSite(answers), frozenset(files))


@dataclass(frozen=True, slots=True)
class Crawled:
    """What a crawl came to."""

    stop_reason: str
    files: frozenset[str]
    skipped: dict[str, int]
    grown: int
    """Bytes that the process had at most, beyond what it had before the crawl."""


def crawl_bombed(base: str, home: Path, **values: object) -> Crawled:
    """Crawl a site in a process of its own."""
    site = SiteConfig.model_validate(
        {
            "name": "bombed",
            "start_url": f"{base}/",
            "allow_private_hosts": True,
            "politeness": {"delay": 0.0, "retries": 0},
            "early_stopping": False,
            **values,
        }
    )
    ours, theirs = FORKSERVER.Pipe()
    process = FORKSERVER.Process(target=_crawl, args=(site, Settings(home=home), theirs))
    process.start()
    theirs.close()
    try:
        if not ours.poll(MAX_SECONDS):
            raise TimeoutError(f"the crawl did not end in {MAX_SECONDS:g} seconds")
        return Crawled(*ours.recv())
    finally:
        process.kill()
        process.join()


def _crawl(site: SiteConfig, settings: Settings, report: Any) -> None:
    before = _high_water()
    summary = acquire(site, settings)
    lines = settings.manifest_path(site.name).read_text().splitlines()
    files = frozenset(re.findall(r'"url": ?"http://[^/"]+([^"]*)"', "\n".join(lines)))
    report.send((summary.stop_reason.value, files, summary.skipped, _high_water() - before))


def _high_water() -> int:
    match = _HIGH_WATER.search(Path("/proc/self/status").read_text())
    return int(match[1]) * 1024 if match else 0
