"""A step that ends its process is counted, and skipped in the end; the crawl finishes the rest."""

import json
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.pipeline.crawl import crawl_loop, step_watch
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.crawl.step_watch import StepTooLarge, StepWatch
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.pipeline.crawl.watch import Watch
from crawler.state.stop import StopReason
from tests.pipeline.crawl.page_server import csv, html, serving

PAGES = {
    "/": html("<a href=/bad>bad</a> <a href=/good>good</a>"),
    "/bad": html("<a href=/lost.csv>lost</a>"),
    "/good": html("<a href=/kept.csv>kept</a>"),
    "/kept.csv": csv("year,births\n2024,17\n"),
}


def site_of(address: str, **fields: object) -> SiteConfig:
    return SiteConfig.model_validate(
        {
            "start_url": f"{address}/",
            "name": "small",
            "strategy": "bfs",
            "allow_private_hosts": True,
            "early_stopping": False,
            "politeness": {"delay": 0, "contact": "me@example.org"},
            **fields,
        }
    )


def killed_in_a_step(mark: Path, url: str) -> None:
    script = f"""
        import os, signal, time
        from pathlib import Path
        from crawler.pipeline.crawl import step_watch
        step_watch.MARK_AFTER_SECONDS = step_watch.SECONDS_BETWEEN_LOOKS = 0.01
        mark = Path({str(mark)!r})
        before = mark.read_text() if mark.exists() else ""
        with step_watch.StepWatch(mark) as steps, steps.working(7, {url!r}):
            while not mark.exists() or mark.read_text() == before:
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGKILL)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=False, timeout=60)


def test_a_step_that_ended_its_process_twice_is_poisonous(tmp_path: Path) -> None:
    mark = tmp_path / "site.step"
    killed_in_a_step(mark, "https://a.example/x")
    assert not StepWatch(mark).is_poisonous(7, "https://a.example/x")
    killed_in_a_step(mark, "https://a.example/x")
    assert StepWatch(mark).is_poisonous(7, "https://a.example/x")
    assert not StepWatch(mark).is_poisonous(8, "https://a.example/x")
    assert not StepWatch(mark).is_poisonous(7, "https://a.example/y")


def test_a_quick_step_leaves_no_mark_and_a_slow_one_that_ends_takes_it_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "site.step"
    with StepWatch(mark) as steps, steps.working(1, "u"):
        pass
    assert not mark.exists()
    monkeypatch.setattr(step_watch, "MARK_AFTER_SECONDS", 0.0)
    monkeypatch.setattr(step_watch, "SECONDS_BETWEEN_LOOKS", 0.01)
    with StepWatch(mark) as steps:
        with steps.working(1, "u"):
            while not mark.exists():
                time.sleep(0.01)
        assert not mark.exists()


def test_a_torn_mark_counts_as_none(tmp_path: Path) -> None:
    mark = tmp_path / "site.step"
    for text in ("", "{", "[]", '{"step": "x"}', '{"step": 1}'):
        mark.write_text(text)
        assert not StepWatch(mark).is_poisonous(1)


def hoard_memory() -> None:
    hoard: list[bytes] = []
    while len(hoard) < 10_000:
        hoard.append(bytes(range(256)) * 400)
        time.sleep(0.001)


def test_a_step_that_takes_too_much_memory_is_abandoned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step_watch, "SECONDS_BETWEEN_LOOKS", 0.01)
    mark = tmp_path / "site.step"
    with StepWatch(mark, max_step_bytes=50_000_000) as steps:
        with pytest.raises(StepTooLarge), steps.working(3, "u"):
            hoard_memory()
        assert steps.is_poisonous(3, "u")
        with steps.working(4, "v"):
            pass  # nothing of the abandoned step is raised later


def test_step_of_another_site_is_not_blamed_for_memory_that_it_did_not_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step_watch, "SECONDS_BETWEEN_LOOKS", 0.01)
    innocent, hungry = tmp_path / "innocent.step", tmp_path / "hungry.step"
    begun, over = threading.Event(), threading.Event()
    ended: list[str] = []

    def wait() -> None:
        with StepWatch(innocent, max_step_bytes=50_000_000) as steps:
            with steps.working(3, "u"):
                begun.set()
                over.wait()
            ended.append("well")
            assert not steps.is_poisonous(3, "u")

    waiting = threading.Thread(target=wait)
    waiting.start()
    begun.wait()
    with StepWatch(hungry, max_step_bytes=50_000_000) as steps:
        with pytest.raises(StepTooLarge), steps.working(3, "u"):
            hoard_memory()
        assert steps.is_poisonous(3, "u")
    over.set()
    waiting.join()
    assert ended == ["well"]
    assert not innocent.exists()


def crawled(site: SiteConfig, settings: Settings, watch: Watch | None = None) -> CrawlSummary:
    return acquire(site, settings, watch=watch, min_free_bytes=0)


def test_a_poisonous_page_is_skipped_with_its_reason_and_the_rest_is_crawled(
    settings: Settings,
) -> None:
    with serving(PAGES) as (address, asked):
        site = site_of(address)
        mark = settings.state_path("small").with_suffix(".step")
        mark.parent.mkdir(parents=True)
        # robots.txt and the start page come first.
        mark.write_text(json.dumps({"step": 3, "url": f"{address}/bad", "attempts": 2}))
        summary = crawled(site, settings)
    assert "/bad" not in asked
    assert summary.skipped["poisonous"] == 1
    assert summary.targets == 1
    assert summary.stop_reason is StopReason.FRONTIER_EMPTY


def test_links_whose_placing_ended_the_process_are_skipped(settings: Settings) -> None:
    with serving(PAGES) as (address, asked):
        mark = settings.state_path("small").with_suffix(".step")
        mark.parent.mkdir(parents=True)
        mark.write_text(json.dumps({"step": 3, "url": "", "attempts": 2}))
        summary = crawled(site_of(address), settings)
    assert asked == ["/robots.txt", "/"]
    assert summary.skipped["poisonous"] == 2


IN_LITTLE_MEMORY = """
import json, sys
from pathlib import Path
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.pipeline.crawl import step_watch
from crawler.pipeline.crawl.acquire import acquire
step_watch.SECONDS_BETWEEN_LOOKS = 0.005
step_watch.StepWatch.__init__.__defaults__ = (60_000_000,)
site = SiteConfig.model_validate_json(sys.argv[1])
summary = acquire(site, Settings(home=Path(sys.argv[2])), min_free_bytes=0)
print(json.dumps([summary.skipped, summary.targets, summary.stop_reason]))
"""


@pytest.mark.slow
def test_a_page_that_takes_too_much_memory_costs_its_own_step_and_not_the_site(
    tmp_path: Path,
) -> None:
    huge = html("".join(f"<p id=p{n}><b>{n}</b></p>" for n in range(400_000)))
    with serving({**PAGES, "/bad": huge}) as (address, _asked):
        site = site_of(address).model_dump_json(exclude_unset=True)
        # In a process of its own: one that has done much else has memory to reuse.
        done = subprocess.run(
            [sys.executable, "-c", IN_LITTLE_MEMORY, site, str(tmp_path / "home")],
            capture_output=True,
            check=True,
            timeout=120,
        )
    assert json.loads(done.stdout) == [{"poisonous": 1}, 1, "frontier_empty"]


def test_ctrl_c_in_the_middle_of_a_long_step_ends_it_and_the_step_is_made_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawl_loop, "SECONDS_TO_FINISH_A_STEP", 0.0)
    links = "".join(f"<a href=/p{n}>x</a>" for n in range(2000))
    with serving({**PAGES, "/": html(links + "<a href=/good>good</a>")}) as (address, asked):
        asks = 0

        def stop_requested() -> bool:
            nonlocal asks
            asks += "/" in asked
            return asks > 2

        site = site_of(address, budget={"requests": 3})
        first = crawled(site, settings, Watch(stop_requested=stop_requested))
        assert (first.stop_reason, first.requests) == (StopReason.INTERRUPTED, 1)
        second = crawled(site, settings)
    assert second.in_all["pages"] == 1
    assert asked[:3] == ["/robots.txt", "/", "/"]
